// The length of a mate as problem books count it: the attacker mates as fast as he can, the
// defender holds out as long as he can, and useless interpositions do not count.
//
// A piece dropped between a slider and the king is useless if the slider takes it, the taken piece
// is handed back, and the king is then mated no later than if nothing had been dropped at all. So
// length(defender to move) is
//     l0 = the longest of 1 + length over the answers that are no drops (0 if there are none), or
//          longer, by 1 + length of a drop that is not useless;
// a drop on a square is useless if the position with the slider there, hands as before, has a
// length of at most l0. It need not be said of which kind the dropped piece is.
//
// Depth first, one more move at a time, with a table of bounds. A search within a number of plies
// needs no care about repetitions: a shortest mate has none.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

#include "mate_attack.h"

namespace tempo::shogi {

template <class Board>
class ShortestMate {
 public:
  using Node = MateNode<Board>;
  using Proofs = ProofSearch<MateAttack<Board>>;
  using Clock = std::chrono::steady_clock;

  explicit ShortestMate(std::size_t entries) : entries_(std::bit_ceil(entries)) {}

  void begin(Colour attacker, const Proofs* proofs, std::int64_t positions, Clock::time_point end) {
    attack_.attacker = attacker;
    proofs_ = proofs;
    most_ = positions;
    poll_.limit(end);
    visited_ = 0;
    stopped_ = false;
  }

  // The least odd number of plies up to `most` within which the side to move mates; 0 if there is
  // none or the budget ended (see `stopped`).
  int length(const Node& node, int most) {
    for (int plies = 1; plies <= most && !stopped_; plies += 2) {
      if (mates_within(node, plies) && !stopped_) return plies;
    }
    return 0;
  }

  // A best line of both sides, of exactly `length` plies, from a position that mates in `length`.
  std::vector<Move> line(Node node, int length) {
    std::vector<Move> moves;
    while (length > 0 && !stopped_) {
      const Move move = length % 2 == 1 ? fastest(node, length) : longest_answer(node, length);
      if (move == no_move) break;
      node.play(move);
      moves.push_back(move);
      --length;
    }
    return moves;
  }

  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] std::int64_t visited() const { return visited_; }
  void forget() { entries_.assign(entries_.size(), Entry{}); }

 private:
  using Set = typename Board::Set;
  using At = Grid<Board>;
  using Number = Numbers<Board>;

  struct Entry {
    std::uint64_t key = 0;
    Hand hand;
    std::int16_t above = 0;          // no mate within this number of plies
    std::int16_t within = no_bound;  // a mate within this number
    Move move = no_move;             // that mates
  };
  static constexpr std::int16_t no_bound = 0x7FFF;

  bool visit() {
    if (visited_ >= most_) stopped_ = true;
    if (stopped_ || poll_()) stopped_ = true;
    if (stopped_) return false;
    ++visited_;
    return true;
  }

  Entry& entry_of(const Node& node) {
    const Hand hand = attack_.holding(node);
    const std::uint64_t key = node.board_key;
    Entry& entry = entries_[(key ^ split_mix(hand.fields)) & (entries_.size() - 1)];
    if (entry.key != key || entry.hand != hand) entry = Entry{key, hand};
    return entry;
  }

  // The attacker to move.
  bool mates_within(const Node& node, int plies) {
    Entry& entry = entry_of(node);
    if (entry.within <= plies) return true;
    if (entry.above >= plies || !visit()) return false;
    const Move first = entry.move;
    Moves checks;
    node.checks(checks);
    order(node, checks, first);
    for (const Move check : checks) {
      Node next = node;
      next.play(check);
      if (proofs_ != nullptr && proofs_->known(next) == Verdict::None) continue;
      if (is_mated_within(next, plies - 1)) {
        Entry& found = entry_of(node);
        found.within = static_cast<std::int16_t>(plies);
        found.move = check;
        return !stopped_;
      }
      if (stopped_) return false;
    }
    Entry& found = entry_of(node);
    found.above = std::max(found.above, static_cast<std::int16_t>(plies));
    return false;
  }

  // Checks that the proof-number search knows to mate come first.
  void order(const Node& node, Moves& checks, Move first) const {
    if (proofs_ == nullptr) return;
    std::stable_partition(checks.begin(), checks.end(), [&](Move check) {
      if (check == first) return true;
      Node next = node;
      next.play(check);
      return proofs_->known(next) == Verdict::Win;
    });
  }

  // The defender to move, in check: his answers, those that are drops apart.
  struct Replies {
    Moves steps;
    Moves drops;
  };
  static void list_replies(const Node& node, Replies& replies) {
    Moves all;
    node.legal_moves(all);
    replies.steps.clear();
    replies.drops.clear();
    for (const Move move : all) (Number::is_drop(move) ? replies.drops : replies.steps).push(move);
  }

  bool is_mated_within(const Node& node, int plies) {
    if (plies == 0) return is_mated_but_for_drops(node);
    Replies replies;
    list_replies(node, replies);
    if (!all_lose(node, replies.steps, plies)) return false;
    if (replies.drops.empty()) return true;
    int undisturbed = 0;
    while (undisturbed < plies && !all_lose(node, replies.steps, undisturbed)) undisturbed += 2;
    Set useless = 0;
    Set useful = 0;
    for (const Move drop : replies.drops) {
      const Square to = Number::to_of(drop);
      if (!has(useless | useful, to))
        (is_useless(node, to, undisturbed) ? useless : useful) |= At::bit(to);
      if (stopped_) return false;
      if (has(useful, to) && !loses(node, drop, plies)) return false;
    }
    return true;
  }
  static bool is_mated_but_for_drops(const Node& node) {
    return node.as_mover([&]<Colour us>(typename Node::template Side<us>) {
      return shogi::is_mated_but_for_drops<Board, us>(node.men);
    });
  }
  bool loses(const Node& node, Move answer, int plies) {
    if (plies == 0) return false;
    Node next = node;
    next.play(answer);
    return mates_within(next, plies - 1);
  }
  bool all_lose(const Node& node, const Moves& answers, int plies) {
    for (const Move answer : answers) {
      if (!loses(node, answer, plies)) return false;
    }
    return true;
  }

  // Whether dropping anything on a square between slider and king leaves the mate as it is.
  bool is_useless(const Node& node, Square square, int plies) {
    bool useless = false;
    node.as_mover([&]<Colour us>(typename Node::template Side<us>) {
      const Square slider = first(Side<Board, us>::restraint(node.men).checkers);
      visit_nearer<Board, us>(node.men, slider, square, [&](const Pieces<Board>&, Move move) {
        if (useless) return;
        Node nearer = node;
        nearer.pass();
        nearer.play(move);
        useless = is_mated_within(nearer, plies);
      });
    });
    return useless;
  }

  Move fastest(const Node& node, int plies) {
    Moves checks;
    node.checks(checks);
    for (const Move check : checks) {
      Node next = node;
      next.play(check);
      if (is_mated_within(next, plies - 1)) return check;
    }
    return no_move;
  }
  // The answer after which it takes exactly plies - 1; answers that are no drops first. One exists
  // unless only useless drops are left.
  Move longest_answer(const Node& node, int plies) {
    Replies replies;
    list_replies(node, replies);
    for (const Moves* moves : {&replies.steps, &replies.drops}) {
      for (const Move answer : *moves) {
        if (plies == 2 ? loses(node, answer, 2)
                       : loses(node, answer, plies) && !loses(node, answer, plies - 2))
          return answer;
      }
    }
    return no_move;
  }

  MateAttack<Board> attack_;
  const Proofs* proofs_ = nullptr;
  std::vector<Entry> entries_;
  std::int64_t most_ = 0;
  std::int64_t visited_ = 0;
  StopPoll poll_;
  bool stopped_ = false;
};

}  // namespace tempo::shogi
