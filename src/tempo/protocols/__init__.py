"""Talking to other programs: their engines as our agents, and our agents as engines for them."""
