"""A page's server in a process of its own, for trials: started, killed, started again.

    with PageServer(folder) as server: ...    server.port, server.kill()

python tools/page_server.py PORT FILE serves by hand, with limits so wide that a trial meets none;
with `usual` as fourth argument, after the number of workers, with those of `tempo play`. With a
folder of runs as fifth it also trains.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

WIDE = 10**9


class PageServer:
    """A running server; its tables are in `folder` and stay there when it is killed."""

    def __init__(
        self, folder: Path, workers: int = 1, *, usual: bool = False, runs: Path | None = None
    ) -> None:
        self.file = folder / "tables.sqlite"
        self.runs = runs
        self.workers = workers
        self.limits = "usual" if usual else "wide"
        self.port = _free_port()
        self.log = folder / "server.log"
        self.process = self._started()

    def _started(self) -> subprocess.Popen[bytes]:
        given = [str(self.port), str(self.file), str(self.workers), self.limits]
        given += [str(self.runs)] if self.runs else []
        command = [sys.executable, __file__, *given]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
        for _ in range(600):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/games", timeout=5).close()
                return process
            except OSError:
                if process.poll() is not None:
                    break
                time.sleep(0.1)
        raise RuntimeError(f"the server does not start: {self.log.read_text()[-2000:]}")

    def kill(self) -> None:
        """Ends the server as a power switch would: kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def restart(self) -> None:
        """Starts it again on the same tables."""
        self.process = self._started()

    def memory(self) -> int:
        """Bytes that the server holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def seconds(self) -> float:
        """Processor time that the server has used."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        user, system = stat.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Serves with wide limits."""
    from tempo.web.app import Settings  # noqa: PLC0415 - most importers only start one
    from tempo.web.limits import Limits  # noqa: PLC0415
    from tempo.web.serve import serve  # noqa: PLC0415

    port, file, workers = int(sys.argv[1]), Path(sys.argv[2]), int((*sys.argv, "1")[3])
    limits = Limits(
        connections_of_address=WIDE,
        messages_per_second=WIDE,
        messages_of_address=WIDE,
        states_per_second=WIDE,
        burst=WIDE,
        tables_per_minute=WIDE,
        tables_of_address=WIDE,
        requests_per_second=WIDE,
        request_burst=WIDE,
        file_burst=WIDE,
    )
    if sys.argv[4:5] == ["usual"]:
        limits = Limits()
    settings = Settings(data=file, workers=workers, limits=limits)
    if sys.argv[5:]:
        settings = replace(settings, runs=Path(sys.argv[5]), allow_training=True)
    serve(settings, "127.0.0.1", port, quiet=True)


if __name__ == "__main__":
    main()
