"""Chess: its board, its endings and its records."""
