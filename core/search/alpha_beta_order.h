// Which move alpha-beta tries first. Good order is most of its speed: the table's move, then
// unquiet moves, then killers (moves that refuted a neighbouring position), then the game's hint
// and the history (how often a move of that seat has refuted anything in this search).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "../game.h"

namespace tempo {

// The moves of one position with their ranks; `pick(i)` brings the best of the rest to place i.
// Ties go to the earlier in legal order as long as nothing was swapped: deterministic in any case.
template <Game P>
struct RankedMoves {
  typename P::Moves moves;
  int rank[P::Moves::capacity];

  Move pick(int i) {
    int best = i;
    for (int k = i + 1; k < moves.size(); ++k) {
      if (rank[k] > rank[best]) best = k;
    }
    std::swap(rank[i], rank[best]);
    std::swap(moves[i], moves[best]);
    return moves[i];
  }
  void sort() {
    for (int i = 0; i < moves.size(); ++i) pick(i);
  }
};

template <Game P>
class MoveOrder {
 public:
  explicit MoveOrder(int plies) : killers_(static_cast<std::size_t>(plies)) {}

  // Begins a search: killers are forgotten, and history too unless it is kept.
  void next_search(const typename P::Options& options, bool keep) {
    move_numbers_ = static_cast<std::size_t>(P::move_numbers(options));
    const std::size_t size = move_numbers_ * P::seats;
    if (!keep || history_.size() != size) history_.assign(size, 0);
    std::fill(killers_.begin(), killers_.end(), Killers{no_move, no_move});
  }

  void rank(const P& position, RankedMoves<P>& list, Move first, int ply) const {
    const Killers& killers = killers_[static_cast<std::size_t>(ply)];
    const int* history =
        &history_[static_cast<std::size_t>(index(position.turn())) * move_numbers_];
    write_hints(position, list);
    for (int i = 0; i < list.moves.size(); ++i) {
      const Move move = list.moves[i];
      list.rank[i] = move == first ? std::numeric_limits<int>::max()
                                   : rank_of(list.rank[i], move, killers, history);
    }
  }

  void rank_noisy(const P& position, RankedMoves<P>& list) const { write_hints(position, list); }

  // Whether a rank given by `rank` marks a move as unquiet.
  static bool is_unquiet(int rank) { return Noisy<P> && rank >= noisy_rank; }

  // Notes that `move` refuted `position` at `ply`. History drifts towards its limit by a share that
  // grows with the depth saved.
  void reward(const P& position, Move move, int ply, int depth) {
    Killers& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != move) killers = {move, killers[0]};
    int& history = history_[static_cast<std::size_t>(index(position.turn())) * move_numbers_ +
                            static_cast<std::size_t>(index(move))];
    const int share = std::min(depth * depth, 32);
    history += (history_limit - history) * share / 64;
  }

 private:
  using Killers = std::array<Move, 2>;

  static constexpr int history_limit = 2048;
  static constexpr int killer_rank = 1 << 22;
  static constexpr int noisy_rank = 1 << 24;
  static constexpr int hint_limit = 1 << 20;

  static void write_hints(const P& position, RankedMoves<P>& list) {
    if constexpr (OrderedTogether<P>) {
      position.order_hints(list.moves, list.rank);
    } else {
      for (int i = 0; i < list.moves.size(); ++i) {
        list.rank[i] = 0;
        if constexpr (Ordered<P>) list.rank[i] = position.order_hint(list.moves[i]);
      }
    }
    for (int i = 0; i < list.moves.size(); ++i) {
      list.rank[i] = std::clamp(list.rank[i], -hint_limit, hint_limit);
    }
  }

  // In games that know unquiet moves, a positive hint marks a move to be tried before the killers.
  static int rank_of(int guess, Move move, const Killers& killers, const int* history) {
    if (Noisy<P> && guess > 0) return noisy_rank + guess;
    if (move == killers[0]) return killer_rank + 1;
    if (move == killers[1]) return killer_rank;
    return guess + history[index(move)];
  }

  std::vector<Killers> killers_;  // [ply]
  std::vector<int> history_;      // [seat, move number]
  std::size_t move_numbers_ = 0;
};

}  // namespace tempo
