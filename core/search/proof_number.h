// Depth-first proof-number search (df-pn, Nagai 2002): does the seat to move win by a narrow kind
// of moves to which every reply is tried? Shogi's mates by checks are one such question, Gomoku's
// continuous threats another; an `Attack` describes which.
//
// What this file does beyond the textbook:
//  - Loops. An attacker who repeats a position of the path has got nowhere, so the repetition
//    counts as a failure there. Such a failure may be false on another path: it is stored under its
//    path alone, and becomes a failure for good only at the repeated position itself, for the
//    shortest win from a position never passes that position again (Kishimoto and Mueller 2004 on
//    the graph-history interaction). Wins never depend on the path.
//  - Over-counting. Where children lead to the same positions, adding their numbers counts the
//    same work many times: the greatest counts in full, every other child by one (Ueda et al.
//    2008, weak proof-number search).
//  - Re-expansion. A child may be searched until it is a quarter worse than the next best
//    (Pawlewicz and Lew 2007), instead of worse by one.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "../game.h"
#include "../random.h"
#include "../stop.h"
#include "proof_table.h"
#include "verdict.h"

namespace tempo {

// Attacker and defender move in turn. A side without moves has failed.
template <class A>
concept Attack = std::copyable<typename A::Node> && std::equality_comparable<typename A::Holding> &&
                 requires(const A attack, typename A::Node& node, const typename A::Node& fixed,
                          typename A::Moves& moves, Move move, typename A::Holding holding) {
                   {
                     attack.attacks(fixed, moves)
                   } -> std::same_as<void>;  // what the attacker may try
                   {
                     attack.defences(fixed, moves)
                   } -> std::same_as<void>;  // every reply that might help
                   { attack.play(node, move) } -> std::same_as<void>;
                   // A position is its key and the attacker's holding. If holding a covers holding
                   // b, whatever wins with b wins with a on the same board.
                   { attack.key(fixed) } -> std::same_as<std::uint64_t>;
                   { attack.holding(fixed) } -> std::same_as<typename A::Holding>;
                   { A::covers(holding, holding) } -> std::same_as<bool>;
                   // First guesses for positions not yet looked into; they may already settle one.
                   { attack.before_attack(fixed) } -> std::same_as<ProofResult>;
                   { attack.before_defence(fixed) } -> std::same_as<ProofResult>;
                 };

// An attack without anything to hold.
struct NoHolding {
  friend bool operator==(NoHolding, NoHolding) = default;
};

template <Attack A>
class ProofSearch {
 public:
  using Node = typename A::Node;

  explicit ProofSearch(const A& attack, std::size_t entries = std::size_t{1} << 16)
      : attack_(attack), table_(entries) {}

  // Whether the attacker, to move, wins. Looks into at most `positions` of them, and with
  // `seconds` stops soon after that time.
  Verdict search(const Node& root, std::int64_t positions, double seconds = 0) {
    begin(positions, seconds);
    root_.emplace(root);
    result_ = expand(root, {unprovable, unprovable});
    if (result_.is_win()) return Verdict::Win;
    return result_.is_failure() ? Verdict::None : Verdict::Unknown;
  }

  // After a win: the attacker's moves and the longest defence in turn, as far as what is left of
  // the budget finds what the table forgot. Not the shortest win.
  std::vector<Move> line() {
    std::vector<Move> moves;
    if (!result_.is_win()) return moves;
    Node node = *root_;
    while (moves.size() < deepest) {
      const Move move = next_of_line(node, moves.size() % 2);
      if (move == no_move) break;
      attack_.play(node, move);
      moves.push_back(move);
    }
    return moves;
  }
  // Plies of that win; an upper bound of the shortest.
  [[nodiscard]] int length() const { return result_.length; }
  [[nodiscard]] std::int64_t visited() const { return visited_; }

  // What the table knows of a position, with either side to move.
  [[nodiscard]] Verdict known(const Node& node) const {
    ProofResult found;
    if (!table_.find(attack_.key(node), attack_.holding(node), found)) return Verdict::Unknown;
    if (found.is_win()) return Verdict::Win;
    return found.is_failure() ? Verdict::None : Verdict::Unknown;
  }

  A& attack() { return attack_; }
  // Results stay true for one attacker; forgetting makes a search depend on its position alone.
  void forget() { table_.clear(); }

 private:
  using Holding = typename A::Holding;
  static constexpr std::size_t deepest = 512;  // plies; a deeper search ends as unknown

  struct Child {
    Move move;
    Holding holding;
    std::uint64_t key;
    ProofResult result;
  };
  struct Step {  // of the path
    std::uint64_t key;
    std::uint64_t path;  // hash of the positions up to this one, in order
    Holding holding;
  };
  struct Limits {
    ProofNumbers numbers;
  };

  void begin(std::int64_t positions, double seconds) {
    most_ = positions;
    visited_ = 0;
    stopped_ = false;
    poll_.limit(seconds);
    path_.clear();
    children_.clear();
    first_side_ = 0;
  }

  bool visit() {
    if (visited_ >= most_ || path_.size() >= deepest) stopped_ = true;
    if (stopped_ || poll_()) stopped_ = true;
    if (stopped_) return false;
    ++visited_;
    return true;
  }

  // Who moves at the end of the path: 0 the attacker, 1 the defender.
  [[nodiscard]] std::size_t side() const { return (first_side_ + path_.size()) % 2; }
  static std::uint64_t path_after(std::uint64_t path, std::uint64_t key) {
    return split_mix(path + key);
  }

  // Searches a position until one of its numbers reaches its limit.
  ProofResult expand(const Node& node, const Limits& limits) {
    if (!visit()) return {};
    const std::int64_t before = visited_;
    const std::size_t mover = side();
    push(node);
    const std::size_t first = children_.size();
    list_children(node, mover);
    ProofResult result = combined(first, mover);
    while (!stopped_ && result.numbers[0] < limits.numbers[0] &&
           result.numbers[1] < limits.numbers[1]) {
      search_best(node, first, mover, limits);
      result = combined(first, mover);
    }
    children_.resize(first);
    remember(result, visited_ - before + 1);
    path_.pop_back();
    return result;
  }

  void push(const Node& node) {
    const std::uint64_t key = attack_.key(node);
    const std::uint64_t path = path_.empty() ? 0 : path_.back().path;
    path_.push_back({key, path_after(path, key), attack_.holding(node)});
  }

  // Appends the children with what is known of them; stops at one that settles the node.
  void list_children(const Node& node, std::size_t mover) {
    typename A::Moves moves;
    if (mover == 0) {
      attack_.attacks(node, moves);
    } else {
      attack_.defences(node, moves);
    }
    for (const Move move : moves) {
      Node next = node;
      attack_.play(next, move);
      Child child{move, attack_.holding(next), attack_.key(next), {}};
      if (!look_up(child)) {
        child.result = mover == 0 ? attack_.before_defence(next) : attack_.before_attack(next);
      }
      children_.push_back(child);
      if (child.result.numbers[mover] == 0) return;
    }
  }

  // What is known of a child: a repetition, a lasting result, one of this path, or numbers.
  bool look_up(Child& child) const {
    ProofResult found;
    const bool known = table_.find(child.key, child.holding, found);
    if (known && (found.is_win() || found.is_failure())) {
      child.result = found;
      return true;
    }
    const std::size_t depth = path_.size();
    for (std::size_t i = depth % 2; i + 1 < depth; i += 2) {
      const Step& step = path_[i];
      if (step.key == child.key && A::covers(step.holding, child.holding)) {
        child.result = ProofResult::failure(static_cast<std::uint16_t>(i));
        return true;
      }
    }
    ProofResult here;
    if (table_.find_equal(path_after(path_.back().path, child.key), child.holding, here) &&
        here.is_failure()) {
      child.result = here;
      return true;
    }
    if (known) child.result = found;
    return known;
  }

  // A node's numbers: the mover needs the best child, the other side all of them.
  [[nodiscard]] ProofResult combined(std::size_t first, std::size_t mover) const {
    std::uint32_t least = unprovable;
    std::uint32_t greatest = 0;
    std::uint32_t open = 0;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const auto& numbers = children_[i].result.numbers;
      least = std::min(least, numbers[mover]);
      greatest = std::max(greatest, numbers[1 - mover]);
      open += numbers[1 - mover] != 0 ? 1 : 0;
    }
    ProofResult result;
    result.numbers[mover] = least;
    result.numbers[1 - mover] = open == 0 ? 0 : std::min(greatest + open - 1, unprovable);
    if (result.is_win()) result.length = length_of(first, mover);
    if (result.is_failure()) result.rests_on = rest_of(first, mover);
    return result;
  }
  [[nodiscard]] std::uint16_t length_of(std::size_t first, std::size_t mover) const {
    int length = mover == 0 ? static_cast<int>(on_nothing) - 1 : -1;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const ProofResult& child = children_[i].result;
      if (!child.is_win()) continue;
      length =
          mover == 0 ? std::min<int>(length, child.length) : std::max<int>(length, child.length);
    }
    return static_cast<std::uint16_t>(length + 1);
  }
  // The attacker failed everywhere, so any child's rest is his; the defender needs one refutation.
  [[nodiscard]] std::uint16_t rest_of(std::size_t first, std::size_t mover) const {
    std::uint16_t rest = mover == 0 ? on_nothing : 0;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const ProofResult& child = children_[i].result;
      if (!child.is_failure()) continue;
      rest = mover == 0 ? std::min(rest, child.rests_on) : std::max(rest, child.rests_on);
    }
    return rest;
  }

  void search_best(const Node& node, std::size_t first, std::size_t mover, const Limits& limits) {
    std::size_t best = first;
    std::uint32_t second = unprovable;
    std::uint32_t open = 0;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const auto& numbers = children_[i].result.numbers;
      open += numbers[1 - mover] != 0 ? 1 : 0;
      if (i == first) continue;
      const auto& leading = children_[best].result.numbers;
      const bool better =
          numbers[mover] < leading[mover] ||
          (numbers[mover] == leading[mover] && numbers[1 - mover] < leading[1 - mover]);
      second = std::min(second, better ? leading[mover] : numbers[mover]);
      if (better) best = i;
    }
    const std::uint32_t slack = second + second / 4 + 1;
    Limits child_limits{};
    child_limits.numbers[mover] = std::min(limits.numbers[mover], std::min(slack, unprovable));
    child_limits.numbers[1 - mover] = limits.numbers[1 - mover] >= unprovable
                                          ? unprovable
                                          : limits.numbers[1 - mover] - (open - 1);
    Node next = node;
    attack_.play(next, children_[best].move);
    const ProofResult result = expand(next, child_limits);
    if (!stopped_ || result.is_win() || result.is_failure()) children_[best].result = result;
  }

  // Stores what was found of the position at the end of the path.
  void remember(const ProofResult& result, std::int64_t work) {
    const Step& step = path_.back();
    const auto cost = static_cast<std::uint32_t>(std::min<std::int64_t>(work, unprovable));
    if (result.is_failure() && result.rests_on < path_.size() - 1) {
      table_.store(step.path, step.holding, result, cost);
      return;
    }
    ProofResult lasting = result;
    lasting.rests_on = on_nothing;
    table_.store(step.key, step.holding, lasting, cost);
  }

  // The next move of the line from a position that is won: the attacker's fastest, the defender's
  // slowest. What the table forgot is searched again.
  Move next_of_line(const Node& node, std::size_t mover) {
    if (mover == 1) {
      const ProofResult end = attack_.before_defence(node);
      if (end.is_win() && end.length == 0) return no_move;
    }
    typename A::Moves moves;
    if (mover == 0) {
      attack_.attacks(node, moves);
    } else {
      attack_.defences(node, moves);
    }
    const auto choice = [&] {
      Move chosen = no_move;
      int length = 0;
      for (const Move move : moves) {
        Node next = node;
        attack_.play(next, move);
        ProofResult found = mover == 0 ? attack_.before_defence(next) : attack_.before_attack(next);
        if (!found.is_win()) table_.find(attack_.key(next), attack_.holding(next), found);
        if (!found.is_win() && mover == 1) found = prove_again(next, 0);
        if (!found.is_win()) continue;
        const int plies = found.length;
        if (chosen == no_move || (mover == 0 ? plies < length : plies > length)) {
          chosen = move;
          length = plies;
        }
      }
      return chosen;
    };
    const Move chosen = choice();
    if (chosen != no_move || mover == 1 || moves.empty()) return chosen;
    return prove_again(node, 0).is_win() ? choice() : no_move;
  }
  ProofResult prove_again(const Node& node, std::size_t mover) {
    path_.clear();
    children_.clear();
    first_side_ = mover;
    return expand(node, {{unprovable, unprovable}});
  }

  A attack_;
  ProofTable<A> table_;
  std::optional<Node> root_;
  ProofResult result_;
  std::vector<Step> path_;
  std::vector<Child> children_;  // of all nodes on the path
  std::size_t first_side_ = 0;   // who moves at the start of the path
  std::int64_t most_ = 0;
  std::int64_t visited_ = 0;
  StopPoll poll_;
  bool stopped_ = false;
};

}  // namespace tempo
