"""Tables of learnt values, seen from Python: arrays in and out, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tempo._core.tables import ValueTable
from tempo.errors import ParseError


def keys_of(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.array(numbers, np.uint64)


def test_absent_keys_read_as_zero_in_any_shape() -> None:
    table = ValueTable()
    table.add(keys_of(5, 6), np.array([1.5, -2.0]))
    values, visits = table.read(keys_of(5, 0, 6, 9).reshape(2, 2))
    assert values.tolist() == [[1.5, 0.0], [-2.0, 0.0]]
    assert visits.tolist() == [[1, 0], [1, 0]]
    assert values.dtype == np.float32
    assert visits.dtype == np.uint32
    assert len(table) == 2


def test_what_is_not_wanted_is_not_read() -> None:
    table = ValueTable()
    table.add(keys_of(5, 6), np.array([1.5, -2.0]))
    values, visits = table.read(keys_of(5, 6), np.array([False, True]))
    assert values.tolist() == [0.0, -2.0]
    assert visits.tolist() == [0, 1]


def test_a_key_that_comes_twice_approaches_twice() -> None:
    # Half the way to 8, then half the way to 0: 4, then 2. Two differences from 0 would make 4.
    table = ValueTable()
    table.approach(keys_of(1, 1), np.array([8.0, 0.0]), 0.5)
    assert table.read(keys_of(1))[0] == [2.0]
    assert table.read(keys_of(1))[1] == [2]


def test_many_equal_keys_never_overshoot_their_target() -> None:
    # A hundred games side by side begin with the same move: adding 100 differences from the old
    # value with step 0.1 would go ten times too far.
    table = ValueTable()
    same = np.full(100, 3, np.uint64)
    table.approach(same, np.full(100, 1e6), 0.1)
    assert 0.99e6 < table.read(keys_of(3))[0][0] <= 1e6
    added = ValueTable()
    added.add(same, np.full(100, 0.1 * 1e6))
    assert added.read(keys_of(3))[0][0] == 1e7


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.floats(-1e6, 1e6, allow_subnormal=False)), max_size=200
    )
)
def test_updates_agree_with_a_dictionary(updates: list[tuple[int, float]]) -> None:
    table = ValueTable(threads=2)
    expected: dict[int, np.float32] = {}
    for key, delta in updates:
        expected[key] = np.float32(float(expected.get(key, np.float32(0))) + delta)
    keys = np.array([key for key, _ in updates], np.uint64)
    table.add(keys, np.array([delta for _, delta in updates], float))
    found, values, visits = table.entries()
    assert found.tolist() == sorted(expected)
    assert values.tolist() == [expected[key] for key in sorted(expected)]
    assert visits.sum() == len(updates)


def test_entries_come_back() -> None:
    table = ValueTable()
    random = np.random.default_rng(2)
    keys = random.integers(0, 2**64, 10_000, np.uint64)
    table.add(keys, random.random(len(keys)))
    copy = ValueTable()
    copy.add(keys_of(1), np.array([1.0]))  # forgotten by loading
    copy.load(*table.entries())
    for i in range(3):
        assert np.array_equal(table.entries()[i], copy.entries()[i])
    assert len(copy) == len(table)
    assert copy.memory == table.memory


def test_an_entry_costs_16_bytes_and_its_share_of_free_places() -> None:
    # At 10 million entries 2^24 places hold them, of which three quarters may be taken.
    table = ValueTable()
    random = np.random.default_rng(1)
    count = 10_000_000 // 64
    table.add(random.integers(0, 2**64, count, np.uint64), np.zeros(count))
    assert len(table) == count
    assert table.memory < 500e6 / 64
    assert table.memory == pytest.approx(16 * 2**24 / 64, rel=1e-3)


def test_unsound_arrays_are_refused_and_change_nothing() -> None:
    table = ValueTable()
    table.add(keys_of(4), np.array([1.0]))
    with pytest.raises(ParseError, match="deltas has a number that is not finite at 1"):
        table.add(keys_of(4, 5), np.array([1.0, np.nan]))
    with pytest.raises(ParseError, match="targets must have the shape of the keys"):
        table.approach(keys_of(4), np.array([1.0, 2.0]), 0.1)
    with pytest.raises(ParseError, match="expected 0 to 1"):
        table.approach(keys_of(4), np.array([1.0]), 1.5)
    with pytest.raises(ParseError, match="wanted must have the shape"):
        table.read(keys_of(4), np.array([True, False]))
    one = np.ones(1, np.float32), np.ones(1, np.uint32)
    with pytest.raises(ParseError, match="at least one visit"):
        table.load(keys_of(4), one[0], np.zeros(1, np.uint32))
    with pytest.raises(ParseError, match="finite"):
        table.load(keys_of(4), np.array([np.inf], np.float32), one[1])
    with pytest.raises(ParseError, match="a key twice"):
        table.load(keys_of(4, 4), np.repeat(one[0], 2), np.repeat(one[1], 2))
    with pytest.raises(ParseError, match="values must have the shape"):
        table.load(keys_of(4, 5), *one)
    assert [column.tolist() for column in table.entries()] == [[4], [1.0], [1]]
