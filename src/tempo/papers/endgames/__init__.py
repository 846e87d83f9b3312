"""The endgame paper: TD-Leaf against TD-Stem on KRK and KQK."""
