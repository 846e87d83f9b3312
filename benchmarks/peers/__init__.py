"""One file for each peer. A package, or type checkers take peers/cshogi.py for cshogi itself."""
