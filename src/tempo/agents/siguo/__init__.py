"""Agents that play Siguo alone."""
