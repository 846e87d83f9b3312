"""Workers on a cluster: Ray runs the calls on the cores of all machines that have joined it.

A call that a dead worker or machine had is run again elsewhere. It gives what it would have given:
calls depend on their arguments alone. A folder that calls read or write must be one that all
machines share; the working directory and what is registered from files are those of the starter.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tempo.cluster.workers import GLANCE, ONE_THREAD, HandedOver
from tempo.errors import TempoError, missing_extra

if TYPE_CHECKING:
    from ray import ObjectRef

TRIES = 5  # of a call whose workers die: one that kills them all is given up
NEEDED = "TEMPO_"  # how the environment variables begin that workers must know


class RayWorkers(HandedOver["ObjectRef[Any]"]):
    """The cores of a Ray cluster, of which one carries out one call at a time."""

    away = True

    def __init__(self, address: str = "") -> None:
        self._ray = _ray()
        self._began = not self._ray.is_initialized()
        if self._began:
            _connect(self._ray, address)
        known = {name: value for name, value in os.environ.items() if name.startswith(NEEDED)}
        self._header = self._ray.put((ONE_THREAD | known, os.getcwd(), _version()))
        how = {"num_cpus": 1, "max_retries": TRIES - 1, "scheduling_strategy": "SPREAD"}
        self._call: dict[bool, Any] = {
            False: self._ray.remote(**how)(carried_out),
            True: self._ray.remote(**how, max_calls=1)(carried_out),
        }
        if not self.size:
            raise TempoError("the Ray cluster has no cores: start a node with `ray start`")

    @property
    def size(self) -> int:
        """All cores of the cluster, as many as there are now."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def share(self, value: Any) -> Any:
        """A reference, fetched once by every machine."""
        return self._ray.put(value)

    def close(self) -> None:
        """Leaves the cluster."""
        if self._began and self._ray.is_initialized():
            self._ray.shutdown()

    def _begin(
        self, function: Callable[..., Any], given: tuple[Any, ...], fresh: bool
    ) -> ObjectRef[Any]:
        # As bytes: the worker sets its environment before it imports what the call needs.
        packed = self._ray.cloudpickle.dumps(function)
        begun: ObjectRef[Any] = self._call[fresh].remote(self._header, packed, *given)
        return begun

    def _done(self, handles: list[ObjectRef[Any]]) -> list[ObjectRef[Any]]:
        first, rest = self._ray.wait(handles, timeout=GLANCE)
        more, _ = self._ray.wait(rest, num_returns=len(rest), timeout=0) if rest else ([], [])
        return [*first, *more]

    def _result(self, handle: ObjectRef[Any]) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(handle)
        except errors.RayTaskError as error:
            raise (error.cause or error) from None
        except errors.RayError as error:
            why = str(error).partition("\n")[0]
            raise TempoError(f"a call was given up after {TRIES} tries: {why}") from error

    def _abandon(self, handles: list[ObjectRef[Any]], at_once: bool) -> None:
        for handle in handles:
            self._ray.cancel(handle, force=at_once)


def carried_out(header: tuple[dict[str, str], str, str], packed: bytes, *given: Any) -> Any:
    """Runs in the worker: a call, in the surroundings of its starter."""
    environment, folder, wanted = header
    os.environ.update(environment)
    if Path(folder).is_dir():
        os.chdir(folder)
    if wanted != _version():
        raise TempoError(
            f"{socket.gethostname()} has Tempo {_version()}, and this machine {wanted}: "
            "install the same everywhere"
        )
    from ray import cloudpickle  # noqa: PLC0415 - an optional library

    return cloudpickle.loads(packed)(*given)


def _connect(ray: Any, address: str) -> None:
    wanted = address or os.environ.get("RAY_ADDRESS", "") or "auto"
    try:
        _knock(wanted)  # Ray itself would try for minutes
        ray.init(address=wanted, log_to_driver=False, logging_level="ERROR")
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error).partition("\n")[0].rstrip(".")
        where = "on this machine" if wanted == "auto" else f"at {wanted}"
        raise TempoError(
            f"no Ray cluster was found {where} ({why}); `ray start --head` begins one, and "
            "--workers ray=HOST:PORT or RAY_ADDRESS names another"
        ) from None


def _knock(address: str) -> None:
    """Raises OSError or ValueError where nobody listens at HOST:PORT."""
    if address == "auto" or "://" in address:
        return
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), timeout=10).close()


@cache
def _version() -> str:
    try:
        return version("tempo-games")
    except PackageNotFoundError:
        return ""


def _ray() -> Any:
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # says so in a warning else
    try:
        import ray  # noqa: PLC0415 - an optional library
        from ray import cloudpickle, exceptions  # noqa: F401, PLC0415
    except ImportError as error:
        raise missing_extra(error) or error from None
    return ray
