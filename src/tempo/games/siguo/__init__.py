"""Four-player Siguo military chess: its board and its records."""
