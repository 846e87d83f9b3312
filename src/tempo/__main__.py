"""`python -m tempo`: the command line, where its script is not on the path."""

from tempo.cli import main

if __name__ == "__main__":
    main()
