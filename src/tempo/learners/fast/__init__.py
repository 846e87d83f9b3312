"""Fast paths: the papers' learners, each tied to what the core does in bulk for one game."""
