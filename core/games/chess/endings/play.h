// Playing an ending against perfect play: games in bulk, and exact figures for a fixed choice of
// moves over all positions at once. Perfect means by the tables, with random choice among equally
// good moves: the attacker mates as soon as can be, the defender as late.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../../../errors.h"
#include "../../../parallel/pool.h"
#include "../../../random.h"
#include "../../../stop.h"
#include "family.h"
#include "tables.h"

namespace tempo::endings {

// A family with the verdicts of all its numbers.
struct Judge {
  const Family& family;
  std::span<const Verdict> verdicts;

  [[nodiscard]] Verdict operator[](Number number) const {
    return verdicts[static_cast<std::size_t>(number)];
  }
};

// The successors of a position, one for each move.
class Successors {
 public:
  Successors(const Family& family, Number number) {
    family.visit_successors(number, [this](Number next) { numbers_[size_++] = next; });
  }
  [[nodiscard]] std::span<const Number> all() const { return {numbers_.data(), size_}; }
  [[nodiscard]] bool has(Number number) const {
    return std::find(all().begin(), all().end(), number) != all().end();
  }
  [[nodiscard]] Number any(Random& random) const {
    if (size_ == 0) throw ParseError("the verdicts are not those of this family");
    return numbers_[random.below(static_cast<std::uint32_t>(size_))];
  }
  // Leaves only those of equally good, best moves, given the verdict of the position itself.
  void keep_best(const Judge& judge, Verdict verdict) {
    const auto end =
        std::remove_if(numbers_.begin(), numbers_.begin() + static_cast<std::ptrdiff_t>(size_),
                       [&](Number next) { return before(judge[next]) != verdict; });
    size_ = static_cast<std::size_t>(end - numbers_.begin());
  }

 private:
  std::array<Number, 128> numbers_;
  std::size_t size_ = 0;
};

// The successor that a choice names. Verdicts that are not those of the family may lead to where
// there is no move, and no choice was checked.
inline Number chosen(std::span<const Number> choice, Number number) {
  const Number next = choice[static_cast<std::size_t>(number)];
  if (next >= 0 && static_cast<std::size_t>(next) < choice.size()) return next;
  throw ParseError("the verdicts are not those of this family");
}

// Somebody's way of choosing moves.
struct Policy {
  std::span<const Number> choice;  // the successor by number; empty: a random move
  int mate_plies = 0;              // plays perfectly once a mate is so near

  [[nodiscard]] Number move(const Judge& judge, Number number, Random& random) const {
    const Verdict verdict = judge[number];
    const bool sees_mate = is_won(verdict) && plies_of(verdict) <= mate_plies;
    if (!sees_mate && !choice.empty()) return chosen(choice, number);
    Successors next(judge.family, number);
    if (sees_mate) next.keep_best(judge, verdict);
    return next.any(random);
  }
};

inline Number perfect_move(const Judge& judge, Number number, Random& random) {
  Successors next(judge.family, number);
  next.keep_best(judge, judge[number]);
  return next.any(random);
}

// One game from a position won by the side to move, which plays by the policy: how many plies it
// took to mate, or 0 when the win was given away or took more than `cap` plies.
inline int play_attack(const Judge& judge, const Policy& policy, Number number, int cap,
                       Random& random) {
  for (int ply = 1; ply <= cap; ply += 2) {
    number = policy.move(judge, number, random);
    if (!is_lost(judge[number])) return 0;  // perfect defence never lets it be won again
    if (judge[number] == mated) return ply;
    number = perfect_move(judge, number, random);
  }
  return 0;
}

// One game from a position lost for the side to move, which plays by the policy: the plies until
// mate.
inline int play_defence(const Judge& judge, const Policy& policy, Number number, Random& random) {
  int ply = 0;
  while (judge[number] != mated) {
    if (ply > 255) throw ParseError("the verdicts are not those of this family");
    number = perfect_move(judge, policy.move(judge, number, random), random);
    ply += 2;
  }
  return ply;
}

// Throws ParseError unless `choice` names a successor wherever `side` has a move.
inline void check_choice(const Family& family, std::span<const Number> choice, Colour side,
                         Pool& pool) {
  pool.run(
      family.size(),
      [&](std::int64_t i) {
        const auto number = static_cast<Number>(i);
        if (family.turn(number) != side) return;
        const Successors next(family, number);
        const Number chosen = choice[static_cast<std::size_t>(number)];
        if (next.all().empty() || next.has(chosen)) return;
        throw ParseError("the choice at number " + std::to_string(number) + " is " +
                         std::to_string(chosen) + ", which no move leads to");
      },
      4096);
}

// What a fixed choice is worth at each number. `won`: the probability of mating; `plies`: the
// expected length of the game counting only games that end in mate, so their mean length is plies /
// won.
struct Worth {
  std::vector<float> won;
  std::vector<float> plies;
};

// Against whom: perfect play, or any defence at all, whichever is worst for this very choice.
enum class Defence { perfect, any };

// The side attacks with a fixed choice, for `moves` of its moves, from all positions that it has
// won. Elsewhere, and where the win is given away, both figures are 0. A sweep per move over all
// positions.
inline Worth attack_worth(const Judge& judge, std::span<const Number> choice, Colour side,
                          int moves, Defence defence, Pool& pool) {
  const Family& family = judge.family;
  const auto size = static_cast<std::size_t>(family.size());
  std::vector<Number> attacks;
  std::vector<Number> defences;
  Worth worth{std::vector<float>(size), std::vector<float>(size)};
  for (Number n = 0; n < family.size(); ++n) {
    const bool own = family.turn(n) == side;
    if (own && is_won(judge[n])) attacks.push_back(n);
    if (!own && is_lost(judge[n])) {
      if (judge[n] == mated) {
        worth.won[static_cast<std::size_t>(n)] = 1;
      } else {
        defences.push_back(n);
      }
    }
  }
  // The replies of the defender, in compressed rows.
  std::vector<std::int64_t> offsets(defences.size() + 1);
  std::vector<Number> replies;
  StopPoll poll;
  for (std::size_t i = 0; i < defences.size(); ++i) {
    poll.check();
    Successors next(family, defences[i]);
    if (defence == Defence::perfect) next.keep_best(judge, judge[defences[i]]);
    replies.insert(replies.end(), next.all().begin(), next.all().end());
    offsets[i + 1] = static_cast<std::int64_t>(replies.size());
  }
  const auto chance = [&](Number n) -> float& { return worth.won[static_cast<std::size_t>(n)]; };
  const auto plies = [&](Number n) -> float& { return worth.plies[static_cast<std::size_t>(n)]; };
  // After k rounds `chance` is the probability of mate within 2k - 1 plies for the attacker to move
  // and 2k for the defender; the expected length is summed up from the growth of the one or the
  // other.
  const auto grow = [&](Number n, float now, int length) {
    plies(n) += static_cast<float>(length) * (now - chance(n));
    chance(n) = now;
  };
  for (int round = 1; round <= moves; ++round) {
    pool.run(
        static_cast<std::int64_t>(attacks.size()),
        [&](std::int64_t i) {
          const Number n = attacks[static_cast<std::size_t>(i)];
          const Number next = chosen(choice, n);
          if (is_lost(judge[next])) grow(n, chance(next), 2 * round - 1);
        },
        4096);
    pool.run(
        static_cast<std::int64_t>(defences.size()),
        [&](std::int64_t i) {
          const auto row = static_cast<std::size_t>(i);
          const std::span<const Number> next(replies.data() + offsets[row],
                                             replies.data() + offsets[row + 1]);
          float sum = 0;
          float least = 1;
          for (const Number reply : next) {
            sum += chance(reply);
            least = std::min(least, chance(reply));
          }
          const float mean = sum / static_cast<float>(next.size());
          grow(defences[row], defence == Defence::perfect ? mean : least, 2 * round);
        },
        4096);
  }
  return worth;
}

// The side defends with a fixed choice against perfect attack: the expected plies until mate from
// all positions that it has lost, with either side to move; 0 elsewhere.
inline std::vector<float> defence_worth(const Judge& judge, std::span<const Number> choice,
                                        Colour side) {
  const Family& family = judge.family;
  std::vector<float> plies(static_cast<std::size_t>(family.size()));
  // Every move of a lost side, and every best move of a winning one, leads to a nearer mate.
  std::array<std::vector<Number>, 256> by_verdict;
  StopPoll poll;
  for (Number n = 0; n < family.size(); ++n) {
    const bool lost = family.turn(n) == side ? is_lost(judge[n]) : is_won(judge[n]);
    if (lost && judge[n] != mated) by_verdict[judge[n]].push_back(n);
  }
  for (const std::vector<Number>& numbers : by_verdict) {
    for (const Number n : numbers) {
      poll.check();
      float& expected = plies[static_cast<std::size_t>(n)];
      if (family.turn(n) == side) {
        expected = 1 + plies[static_cast<std::size_t>(chosen(choice, n))];
        continue;
      }
      Successors next(family, n);
      next.keep_best(judge, judge[n]);
      float sum = 0;
      for (const Number reply : next.all()) sum += plies[static_cast<std::size_t>(reply)];
      expected = 1 + sum / static_cast<float>(next.all().size());
    }
  }
  return plies;
}

}  // namespace tempo::endings
