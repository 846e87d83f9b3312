"""The Siguo paper: Q-learning, truncated TD and Metropolis exploration."""
