// Searches of many games, each with the leaf that its value comes from: what TD-Leaf and TreeStrap
// learn from, in any game.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../search/alpha_beta_class.h"
#include "../stop.h"
#include "experience.h"

namespace tempo {

// What a search found in one game. The value at the leaf is that of the root, signed by team.
template <Game P>
struct SearchedGame {
  P leaf;
  int plies = 0;  // from the root to the leaf
  Move move = no_move;
  float value = 0;         // to the seat to move at the root
  bool same_team = true;   // at root and leaf
  bool evaluated = false;  // the value is the evaluation of the leaf, not the score of an end
  std::vector<SearchedNode<P>> nodes{};
  std::int64_t positions = 0;
  std::int64_t evaluations = 0;
};

template <Game P, class E>
SearchedGame<P> search_game(AlphaBeta<P, E>& search, const Standing<P>& root) {
  SearchedGame<P> game{root.position};
  const Seat mover = root.position.turn();
  SearchResult found = search.search(root.position, root.past);
  throw_if_stopped();  // it would have given what it had
  game.move = found.move;
  game.value = found.scores[static_cast<std::size_t>(index(mover))];
  game.positions = found.positions;
  game.evaluations = found.evaluations;
  if (found.move == no_move) return game;
  if (search.settings().record > 0) game.nodes = search.nodes();
  History past = root.past;
  if (search.has_line()) {
    for (const Move move : found.line) play(game.leaf, past, move);
    game.plies = static_cast<int>(found.line.size());
  }
  game.same_team = P::team_of(game.leaf.turn()) == P::team_of(mover);
  game.evaluated = !outcome(game.leaf, past);
  return game;
}

// Searches that are used again and again, by one thread at a time: their tables take long to make,
// and what one search leaves behind the next does not see.
template <class Search>
class Spares {
 public:
  template <class Make>
  std::unique_ptr<Search> take(const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto search = std::move(idle_.back());
        idle_.pop_back();
        return search;
      }
    }
    return make();
  }
  void give_back(std::unique_ptr<Search> search) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(search));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Search>> idle_;
};

// An evaluator and a search that asks it.
template <Game P, class E>
struct OwnSearch {
  OwnSearch(const AlphaBetaSettings& settings, const E& given)
      : evaluator(given), search(settings, evaluator) {}
  OwnSearch(const OwnSearch&) = delete;
  OwnSearch& operator=(const OwnSearch&) = delete;

  E evaluator;
  AlphaBeta<P, E> search;
};

// A search in every game, on all threads with a copy of the evaluator each. One that prefers
// batches is asked from this thread alone, and not copied: it may be a callback.
template <Game P, class E>
std::vector<SearchedGame<P>> search_games(const std::vector<Standing<P>>& roots, E& evaluator,
                                          const AlphaBetaSettings& settings, Pool& pool) {
  std::vector<SearchedGame<P>> games;
  games.reserve(roots.size());
  if (evaluator.prefers_batches) {
    AlphaBeta<P, E> search(settings, evaluator);
    for (const Standing<P>& root : roots) {
      each_world(root, 1, [&](const auto& world) { games.push_back(search_game(search, world)); });
    }
    return games;
  }
  using Own = OwnSearch<P, E>;
  Spares<Own> spares;
  const auto make = [&] { return std::make_unique<Own>(settings, evaluator); };
  spares.give_back(make());  // settings that are refused are refused here
  for (const Standing<P>& root : roots) games.push_back({root.position});
  const auto one = [&](std::int64_t i) {
    const auto game = static_cast<std::size_t>(i);
    auto own = spares.take(make);
    each_world(roots[game], 1,
               [&](const auto& world) { games[game] = search_game(own->search, world); });
    spares.give_back(std::move(own));
  };
  pool.run(static_cast<std::int64_t>(roots.size()), one, 1);
  return games;
}

}  // namespace tempo
