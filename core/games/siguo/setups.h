// All deployments by number, what one is worth, and drawing good ones that tell little.
//
// A deployment that is drawn for a seat without a person must be good, and knowing this code must
// not be knowing the ranks. So it is the best of a few uniform ones by a learnt worth, and now and
// then simply uniform. Every legal deployment then has at least 1 / `plain_share` and at most
// `setup_draws` times the chance that it has when all are equally likely.
#pragma once

#include <bit>

#include "deployment.h"
#include "setup_worths.h"

namespace tempo::siguo {

inline constexpr int setup_draws = 8;   // the best of these is taken
inline constexpr int plain_share = 16;  // one deployment in this many is drawn uniformly

namespace detail {

constexpr std::uint64_t combinations(int n, int k) {
  std::uint64_t product = 1;
  for (int i = 1; i <= k; ++i) product = product * static_cast<std::uint64_t>(n - k + i) / i;
  return k > n ? 0 : product;
}

// Visits the kinds with the slots that may hold each, in an order in which every slot that is taken
// before could have held it, too: the number of choices does not depend on earlier ones.
template <class Visit>
constexpr void each_placing(bool one_headquarters, Visit&& visit) {
  std::uint32_t open = (1U << slots) - 1;
  for (int i = 0; i < kinds; ++i) {
    const auto kind = static_cast<Kind>(i < 3 ? Flag - i : i - 3);
    std::uint32_t places = 0;
    for (int slot = 0; slot < slots; ++slot)
      if ((deployable(slot, one_headquarters) & set_of(kind)) != 0) places |= 1U << slot;
    open &= ~visit(kind, places & open);
  }
}

// The lowest of some places, for counting, and a choice of them by its number.
constexpr std::uint32_t lowest(std::uint32_t places, int count) {
  std::uint32_t taken = 0;
  for (; count > 0; --count, places &= places - 1) taken |= places & (~places + 1);
  return taken;
}
constexpr std::uint32_t chosen(std::uint32_t places, int count, std::uint64_t number) {
  std::uint32_t taken = 0;
  for (; count > 0; places &= places - 1) {
    const std::uint64_t with = combinations(std::popcount(places) - 1, count - 1);
    if (number < with) {
      taken |= places & (~places + 1);
      --count;
    } else {
      number -= with;
    }
  }
  return taken;
}

// Uniform below a bound of any size: numbers of the last, broken round are drawn again.
inline std::uint64_t below(Random& random, std::uint64_t bound) {
  const std::uint64_t broken = -bound % bound;  // 2^64 modulo bound
  std::uint64_t drawn = random.next();
  while (drawn < broken) drawn = random.next();
  return drawn % bound;
}

}  // namespace detail

// How many deployments are legal.
constexpr std::uint64_t deployments(bool one_headquarters) {
  std::uint64_t product = 1;
  detail::each_placing(one_headquarters, [&](Kind kind, std::uint32_t places) {
    product *= detail::combinations(std::popcount(places), inventory[kind]);
    return detail::lowest(places, inventory[kind]);
  });
  return product;
}

// The legal deployments by number, from 0.
constexpr Deployment deployment_of(std::uint64_t number, bool one_headquarters) {
  Deployment made{};
  detail::each_placing(one_headquarters, [&](Kind kind, std::uint32_t places) {
    const std::uint64_t ways = detail::combinations(std::popcount(places), inventory[kind]);
    const std::uint32_t taken = detail::chosen(places, inventory[kind], number % ways);
    number /= ways;
    for (std::uint32_t rest = taken; rest != 0; rest &= rest - 1)
      made[at(std::countr_zero(rest))] = kind;
    return taken;
  });
  return made;
}

// The slot on the other side of the arm.
inline constexpr std::array<std::uint8_t, slots> mirrored_slots = [] {
  std::array<std::uint8_t, slots> all{};
  for (int slot = 0; slot < slots; ++slot)
    for (int other = 0; other < slots; ++other)
      if (slot_offsets[at(slot)] / 5 == slot_offsets[at(other)] / 5 &&
          slot_offsets[at(slot)] % 5 + slot_offsets[at(other)] % 5 == 4)
        all[at(slot)] = static_cast<std::uint8_t>(other);
  return all;
}();

// How well a deployment has done in games (setup_worths.h); the same for its mirror image.
constexpr int worth_of(const Deployment& deployment) {
  int left = 0;
  while (slot_offsets[at(left)] != headquarters_offsets[0]) ++left;
  const bool mirror = deployment[at(left)] != Flag;
  int sum = 0;
  for (int slot = 0; slot < slots; ++slot)
    sum += setup_worths[deployment[at(slot)]][mirror ? mirrored_slots[at(slot)] : at(slot)];
  return sum;
}

// A good deployment. `below(n)` gives a whole number from 0 to n - 1, all equally likely.
template <class Below>
Deployment draw_learned(bool one_headquarters, Below&& below) {
  const std::uint64_t all = deployments(one_headquarters);
  const int draws = below(plain_share) == 0 ? 1 : setup_draws;
  Deployment best = deployment_of(below(all), one_headquarters);
  int highest = worth_of(best);
  for (int draw = 1; draw < draws; ++draw) {
    const Deployment other = deployment_of(below(all), one_headquarters);
    const int worth = worth_of(other);
    if (worth <= highest) continue;
    highest = worth;
    best = other;
  }
  return best;
}
inline Deployment draw_learned(bool one_headquarters, Random& random) {
  return draw_learned(one_headquarters,
                      [&](std::uint64_t bound) { return detail::below(random, bound); });
}

}  // namespace tempo::siguo
