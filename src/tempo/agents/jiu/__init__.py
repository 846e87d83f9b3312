"""Agents that play Jiu alone."""
