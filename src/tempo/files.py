"""Files that are never half written: everything goes to a temporary name and is renamed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tempo.errors import ParseError


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Has what the system refuses in the block, such as a full disk, name the file."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno is not None:
            error.filename = os.fspath(path)
        raise


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that takes `path`'s place, whole and on disk, when the block ends well."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with naming(target):
            with temporary.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        _sync_folder(target.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Writes a whole text file, or leaves the old one as it was. Half a character is refused."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise ParseError(f"{path} cannot be written: {error}") from None
    with replacing(path) as file:
        file.write(data)


def _sync_folder(folder: Path) -> None:
    """Puts a rename on the disk, so that two of them stay in their order."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
