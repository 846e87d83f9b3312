"""The syntax of record files, which knows no game; each game reads and writes its own formats."""
