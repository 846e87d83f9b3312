"""Our agents as engines for other programs."""
