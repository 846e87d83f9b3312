"""The program `tempo`, and `python -m tempo`."""

from tempo.interrupts import handled


def main() -> None:
    """Runs the command line."""
    with handled():
        from tempo.cli import main as run  # noqa: PLC0415 - Ctrl-C is handled before the imports

        run()


if __name__ == "__main__":
    main()
