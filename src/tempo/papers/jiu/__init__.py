"""The Jiu paper: Sarsa and Q-learning for the preparation stage."""
