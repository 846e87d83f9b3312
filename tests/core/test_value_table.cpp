// The value table against std::map, and what it promises: order of updates, memory, canonical
// order.
#include "learning/value_table.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "random.h"

namespace test_value_table {

using namespace tempo;
using Keys = std::vector<std::uint64_t>;

TEST_CASE("value table: absent keys have no value and no visits, key 0 is a key") {
  ValueTable table;
  CHECK(table.find(0).visits == 0);
  const Keys keys = {0};
  const double delta = 2.5;
  table.add(keys, &delta);
  CHECK(table.size() == 1);
  CHECK(table.find(0).value == 2.5F);
  CHECK(table.find(0).visits == 1);
  CHECK(table.find(1).visits == 0);
}

TEST_CASE("value table: updates are made one after the other") {
  ValueTable table;
  const Keys keys = {7, 7, 9, 7};
  const std::vector<double> targets = {8, 8, 1, 0};
  table.approach(keys, targets.data(), 0.5);
  CHECK(table.find(7).value == 3.0F);  // 0 -> 4 -> 6 -> 3
  CHECK(table.find(7).visits == 3);
  CHECK(table.find(9).value == 0.5F);
  table.add(keys, targets.data());
  CHECK(table.find(7).value == 19.0F);
  CHECK(table.find(7).visits == 6);
}

TEST_CASE("value table: agrees with a map, through growth and with colliding keys, on threads") {
  ValueTable table;
  std::map<std::uint64_t, std::pair<float, std::uint32_t>> expected;
  Random random(5, 0);
  for (int round = 0; round < 200; ++round) {
    Keys keys(100);
    std::vector<double> deltas(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // Small keys come again and again; multiples of 2^50 are the worst a plain mask could meet.
      keys[i] = random.below(2) == 0 ? random.below(500) : std::uint64_t{random.below(9000)} << 50;
      deltas[i] = random.uniform() - 0.5;
      auto& [value, visits] = expected[keys[i]];
      value = static_cast<float>(static_cast<double>(value) + deltas[i]);
      ++visits;
    }
    table.add(keys, deltas.data());
  }
  CHECK(table.size() == expected.size());
  Keys keys;
  for (const auto& [key, entry] : expected) keys.push_back(key);
  for (int i = 0; i < 20000; ++i) keys.push_back(random.next());
  std::vector<float> values(keys.size());
  std::vector<std::uint32_t> visits(keys.size());
  const auto wanted = std::make_unique<std::uint8_t[]>(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) wanted[i] = i % 3 != 0;
  Pool pool(2);
  for (const std::uint8_t* asked : {static_cast<const std::uint8_t*>(nullptr),
                                    static_cast<const std::uint8_t*>(wanted.get())}) {
    table.read(keys, asked, values.data(), visits.data(), pool);
    bool same = true;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const auto found = expected.find(keys[i]);
      const bool there = found != expected.end() && (asked == nullptr || asked[i] != 0);
      same = same && values[i] == (there ? found->second.first : 0.0F) &&
             visits[i] == (there ? found->second.second : 0);
    }
    CHECK(same);
  }
}

TEST_CASE("value table: entries come in one order, whatever order they were made in") {
  Keys keys(3000);
  Random random(6, 0);
  for (auto& key : keys) key = random.next();
  const std::vector<double> ones(keys.size(), 1.0);
  ValueTable forward;
  forward.add(keys, ones.data());
  ValueTable backward;
  backward.reserve(9000);
  backward.add(Keys(keys.rbegin(), keys.rend()), ones.data());
  const auto a = forward.sorted();
  const auto b = backward.sorted();
  CHECK(a.size() == keys.size());
  CHECK(std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.key == y.key && x.value == y.value && x.visits == y.visits;
  }));
  CHECK(std::is_sorted(a.begin(), a.end(),
                       [](const auto& x, const auto& y) { return x.key < y.key; }));
}

TEST_CASE("value table: at most 43 bytes an entry, and 65 while it grows") {
  ValueTable table;
  Random random(7, 0);
  std::size_t before = table.memory();
  bool small = true;
  for (int i = 0; i < 200000; ++i) {
    const Keys key = {random.next()};
    const double one = 1;
    table.add(key, &one);
    const std::size_t old = table.memory() == before ? 0 : before;
    before = table.memory();
    // Just after doubling, 3/8 of the places are taken; while it doubles, the old half stands too.
    small =
        small && (i < 5000 || (before <= 43 * table.size() && before + old <= 65 * table.size()));
  }
  CHECK(small);
}

TEST_CASE("value table: visits stop at their limit") {
  ValueTable table;
  table.put({3, 1.0F, 0xFFFFFFFF});
  const Keys key = {3};
  const double one = 1;
  table.add(key, &one);
  CHECK(table.find(3).visits == 0xFFFFFFFF);
  CHECK(table.find(3).value == 2.0F);
}

}  // namespace test_value_table
