"""Agents that play Chess alone."""
