"""Weights that come with the package: NAME.safetensors, described by NAME.json.

Made by `tools/export_weights.py` from runs of `tempo train`; read by `tempo.agents.endgame`.
"""
