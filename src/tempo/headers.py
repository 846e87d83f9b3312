"""Where the C++ headers of the core lie, with `tempo-config.cmake` for games built elsewhere.

`python -m tempo.headers` prints the folder.
"""

from pathlib import Path


def folder() -> Path:
    """The folder of the headers: in the package or, where that is a checkout, beside it.

    >>> (folder() / "game.h").is_file()
    True
    """
    package = Path(__file__).resolve().parent
    shipped, checkout = package / "include" / "tempo", package.parent.parent / "core"
    return shipped if shipped.is_dir() else checkout


if __name__ == "__main__":
    print(folder())
