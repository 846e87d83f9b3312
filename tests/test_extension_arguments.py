"""Every function of the extension, from its stubs, with wrong types, sizes and ranges.

An answer or a clear exception is right; a crash, a hang, C++'s own words or gigabytes are not. Each
group of modules runs in a process of its own, so that a crash names the call. All values instead of
a few: TEMPO_EXTENSION_EACH=0; another draw: TEMPO_EXTENSION_SEED=7.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import extension_calls
import extension_stubs
import numpy as np
import pytest

from tempo import _core
from tempo.errors import ParseError

SEED = os.environ.get("TEMPO_EXTENSION_SEED", "1")
EACH = os.environ.get("TEMPO_EXTENSION_EACH", "4")
MODULES = [name or "_core" for name in extension_stubs.modules()]
GROUPS = [tuple(MODULES[i::3]) for i in range(3)]
GOMOKU = _core.gomoku.start(_core.gomoku.Options({}))


def test_few_functions_are_left_out() -> None:
    assert len(extension_calls.NOT_CALLED) <= 5


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group[0])
def test_hostile_arguments_get_an_answer_or_a_clear_error(group: tuple[str, ...]) -> None:
    command = [sys.executable, str(Path(extension_calls.__file__))]
    command += ["--seed", SEED, "--each", EACH, *group]
    limit = 60 if EACH != "0" else 3600
    done = subprocess.run(command, capture_output=True, timeout=limit, check=False)
    told = done.stdout.decode(errors="replace")
    last = done.stderr.decode(errors="replace")[-3000:]
    print(told)
    assert done.returncode == 0, told or last


@pytest.mark.parametrize("depth", [-1, 101, 10**6])
def test_perft_refuses_depths(depth: int) -> None:
    with pytest.raises(ParseError, match="expected 0 to 100"):
        _core.gomoku.perft(GOMOKU, depth)


@pytest.mark.parametrize("depth", [-1, 0, 101])
def test_divide_refuses_depths(depth: int) -> None:
    with pytest.raises(ParseError, match="expected 1 to 100"):
        _core.gomoku.divide(GOMOKU, depth)


def test_nothing_is_no_position() -> None:
    critic = _core.gomoku_critic.Critic(_core.gomoku.Options({}), hidden=2)
    nothing: list[Any] = [None]
    for call in (critic.values, critic.encode, _core.gomoku_critic.pattern_counts):
        with pytest.raises(TypeError):
            call(nothing)
    with pytest.raises(TypeError):
        _core.siguo_learning.features(nothing)


def test_a_radius_has_bounds() -> None:
    critic = _core.gomoku_critic.Critic(_core.gomoku.Options({}), hidden=2)
    for radius in (0, 5, 10**6):
        with pytest.raises(ParseError, match="expected 1 to 4"):
            critic.judge(GOMOKU, radius=radius)


def test_numbers_too_big_for_a_search_of_fours_name_the_range() -> None:
    core = _core.gomoku_threats
    settings = _core.AlphaBetaSettings(depth=1)
    for wrong in (-1, 2**31, 99999999999):
        with pytest.raises(ParseError, match="0 to 2147483647 positions"):
            core.AlphaBeta(core.Evaluator.static(), settings, inner_fours=wrong)


def test_a_lone_surrogate_is_a_parse_error() -> None:
    wrong = "\ud800"
    siguo, options = _core.siguo, _core.siguo.Options({})
    calls = (
        lambda: _core.gomoku.parse(wrong, _core.gomoku.Options({})),
        lambda: _core.gomoku.Options({wrong: 1}),
        lambda: _core.gomoku.Options({"size": wrong}),
        lambda: GOMOKU.play(wrong),
        lambda: GOMOKU.view(wrong),
        lambda: siguo.station(wrong),
        lambda: siguo.of_setups([wrong] * 4, options),
        lambda: _core.endings.Family(wrong),
        lambda: _core.MonteCarloSettings(selection=wrong),
        lambda: _core.jiu_preparation.Preparation(1, keys=wrong),
    )
    for call in calls:
        with pytest.raises(ParseError, match="surrogate"):
            call()
    assert wrong not in GOMOKU.legal_moves


def test_choices_and_verdicts_that_do_not_fit_are_refused() -> None:
    family, _, verdicts, choice = extension_stubs.ending()
    wrong = np.full_like(choice, 10**9)
    ends = family.ends() != 0
    astray = np.where(ends, 10**9, choice).astype(np.int32)
    # Won or lost wherever one looks, also where there is no move.
    for call, verdict in ((_core.endings.attack_worth, 4), (_core.endings.defence_worth, 3)):
        with pytest.raises(ParseError):
            call(family, verdicts, wrong)
        for seat in (0, 1):
            with pytest.raises(ParseError):
                call(family, np.full_like(verdicts, verdict), astray, seat=seat)
        with pytest.raises(ParseError, match="seats 0 and 1"):
            call(family, verdicts, choice, seat=2)
