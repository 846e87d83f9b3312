// Which move alpha-beta tries first. Good order is most of its speed: the table's move, then
// unquiet moves, then killers (moves that refuted a neighbouring position), then the game's hint
// and the histories (how often a move of that seat has refuted anything in this search, and how
// often it has as an answer to the moves before it).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "../game.h"
#include "alpha_beta_settings.h"

namespace tempo {

// Games that sort their moves into few classes (what moves, and where to), by which histories of
// pairs of moves are kept. Without it a move is its own class, if the game has not too many.
template <class P>
concept Classes = Game<P> && requires(const P c, Move move) {
  { P::move_classes } -> std::convertible_to<int>;
  { c.class_of(move) } -> std::same_as<int>;
};

template <Game P>
inline constexpr int most_classes = 1021;

template <Game P>
int class_count(const typename P::Options& options) {
  if constexpr (Classes<P>) return P::move_classes;
  return std::min(P::move_numbers(options), most_classes<P>);
}
template <Game P>
int class_of(const P& position, Move move) {
  if constexpr (Classes<P>) return position.class_of(move);
  return index(move) % most_classes<P>;
}

// The moves of one position with their ranks; `pick(i)` brings the best of the rest to place i.
// Ties go to the earlier in legal order as long as nothing was swapped: deterministic in any case.
template <Game P>
struct RankedMoves {
  typename P::Moves moves;
  int rank[P::Moves::capacity];

  Move pick(int i) {
    // Two loops without a branch that a processor could guess wrongly are faster than one with.
    const int size = moves.size();
    int highest = rank[i];
    for (int k = i + 1; k < size; ++k) highest = std::max(highest, rank[k]);
    int best = i;
    while (rank[best] != highest) ++best;
    std::swap(rank[i], rank[best]);
    std::swap(moves[i], moves[best]);
    return moves[i];
  }
  void sort() {
    for (int i = 0; i < moves.size(); ++i) pick(i);
  }
};

// The classes of the last two moves before a position; none is -1.
struct MovesBefore {
  int last = -1;
  int last_but_one = -1;
};

template <Game P>
class MoveOrder {
 public:
  MoveOrder(int plies, const AlphaBetaSteps& steps)
      : steps_(steps), killers_(static_cast<std::size_t>(plies)) {}

  // Begins a search: killers are forgotten, and histories too unless they are kept.
  void next_search(const typename P::Options& options, bool keep) {
    move_numbers_ = static_cast<std::size_t>(P::move_numbers(options));
    classes_ = static_cast<std::size_t>(class_count<P>(options));
    const auto begin = [keep](auto& history, std::size_t size, auto value) {
      if (!keep || history.size() != size) history.assign(size, value);
    };
    begin(history_, move_numbers_ * P::seats, 0);
    if (steps_.continuation != 0) {
      begin(continuation_, 2 * P::seats * classes_ * classes_, std::int16_t{0});
    }
    if (steps_.counters != 0) begin(counters_, P::seats * classes_, no_move);
    std::fill(killers_.begin(), killers_.end(), Killers{no_move, no_move});
  }

  void rank(const P& position, RankedMoves<P>& list, Move first, int ply,
            const MovesBefore& before = {}) const {
    const Killers& killers = killers_[static_cast<std::size_t>(ply)];
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    const int* history = &history_[seat * move_numbers_];
    const std::int16_t* last = answers_to(0, seat, before.last);
    const std::int16_t* last_but_one = answers_to(1, seat, before.last_but_one);
    const Move counter = steps_.counters != 0 && before.last >= 0
                             ? counters_[seat * classes_ + static_cast<std::size_t>(before.last)]
                             : no_move;
    write_hints(position, list);
    for (int i = 0; i < list.moves.size(); ++i) {
      const Move move = list.moves[i];
      if (move == first) {
        list.rank[i] = std::numeric_limits<int>::max();
        continue;
      }
      list.rank[i] = rank_of(list.rank[i], move, killers, counter, history);
      if (list.rank[i] >= counter_rank || (last == nullptr && last_but_one == nullptr)) continue;
      const int sort = class_of(position, move);
      if (last != nullptr) list.rank[i] += last[sort];
      if (last_but_one != nullptr) list.rank[i] += last_but_one[sort];
    }
  }

  void rank_noisy(const P& position, RankedMoves<P>& list) const { write_hints(position, list); }

  // Whether a rank given by `rank` marks a move as unquiet; as a killer or a counter move.
  static bool is_unquiet(int rank) { return Noisy<P> && rank >= noisy_rank; }
  static bool is_refuter(int rank) { return rank >= counter_rank && rank < noisy_rank; }

  // Notes that `move` refuted `position` at `ply`. History drifts towards its limit by a share that
  // grows with the depth saved.
  void reward(const P& position, Move move, int ply, int depth, const MovesBefore& before = {}) {
    Killers& killers = killers_[static_cast<std::size_t>(ply)];
    if (killers[0] != move) killers = {move, killers[0]};
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    if (steps_.counters != 0 && before.last >= 0) {
      counters_[seat * classes_ + static_cast<std::size_t>(before.last)] = move;
    }
    change(position, move, std::min(depth * depth, 32), before);
  }
  // Notes that a quiet move tried before the one that refuted did not.
  void punish(const P& position, Move move, int depth, const MovesBefore& before) {
    change(position, move, -std::min(depth * depth, 32), before);
  }

 private:
  using Killers = std::array<Move, 2>;

  static constexpr int history_limit = 2048;
  static constexpr int counter_rank = 1 << 21;
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
  static int rank_of(int guess, Move move, const Killers& killers, Move counter,
                     const int* history) {
    if (Noisy<P> && guess > 0) return noisy_rank + guess;
    if (move == killers[0]) return killer_rank + 1;
    if (move == killers[1]) return killer_rank;
    if (move == counter) return counter_rank;
    return guess + history[index(move)];
  }

  // Where the histories of answers to a class of moves begin, `back` moves ago.
  [[nodiscard]] const std::int16_t* answers_to(std::size_t back, std::size_t seat, int sort) const {
    if (steps_.continuation == 0 || sort < 0) return nullptr;
    return &continuation_[((back * P::seats + seat) * classes_ + static_cast<std::size_t>(sort)) *
                          classes_];
  }
  void change(const P& position, Move move, int share, const MovesBefore& before) {
    const auto drift = [share](auto& history) {
      const int limit = share > 0 ? history_limit : -history_limit;
      const int step = (limit - history) * (share > 0 ? share : -share) / 64;
      history = static_cast<std::remove_reference_t<decltype(history)>>(history + step);
    };
    const auto seat = static_cast<std::size_t>(index(position.turn()));
    drift(history_[seat * move_numbers_ + static_cast<std::size_t>(index(move))]);
    if (steps_.continuation == 0) return;
    const auto sort = static_cast<std::size_t>(class_of(position, move));
    for (std::size_t back = 0; back < 2; ++back) {
      const int of = back == 0 ? before.last : before.last_but_one;
      if (of < 0) continue;
      drift(continuation_[((back * P::seats + seat) * classes_ + static_cast<std::size_t>(of)) *
                              classes_ +
                          sort]);
    }
  }

  AlphaBetaSteps steps_;
  std::vector<Killers> killers_;            // [ply]
  std::vector<int> history_;                // [seat, move number]
  std::vector<std::int16_t> continuation_;  // [moves back, seat, class before, class]
  std::vector<Move> counters_;              // [seat, class before]
  std::size_t move_numbers_ = 0;
  std::size_t classes_ = 0;
};

}  // namespace tempo
