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
struct SearchedGame {
  int plies = 0;  // from the root to the leaf
  Move move = no_move;
  float value = 0;         // to the seat to move at the root
  bool same_team = true;   // at root and leaf
  bool evaluated = false;  // the value is the evaluation of the leaf, not the score of an end
  std::int64_t positions = 0;
  std::int64_t evaluations = 0;
};

// What searches found in many games, with their leaves and interior positions.
struct SearchedGames {
  explicit SearchedGames(const AnyGame& game) : leaves(game), nodes(game) {}

  std::vector<SearchedGame> games;
  AnyPositions leaves;               // by game
  AnyPositions nodes;                // of all games end to end
  std::vector<std::int32_t> owners;  // by node: the game
  std::vector<float> low;            // what the search proved of it
  std::vector<float> high;
};

template <Game P, class E>
SearchedGame search_game(AlphaBeta<P, E>& search, const P& root, const History& before, P& leaf) {
  SearchedGame game;
  leaf = root;
  const Seat mover = root.turn();
  SearchResult found = search.search(root, before);
  throw_if_stopped();  // it would have given what it had
  game.move = found.move;
  game.value = found.scores[static_cast<std::size_t>(index(mover))];
  game.positions = found.positions;
  game.evaluations = found.evaluations;
  if (found.move == no_move) return game;
  History past = before;
  if (search.has_line()) {
    for (const Move move : found.line) play(leaf, past, move);
    game.plies = static_cast<int>(found.line.size());
  }
  game.same_team = P::team_of(leaf.turn()) == P::team_of(mover);
  game.evaluated = !outcome(leaf, past);
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
SearchedGames search_games(const Standings& roots, E& evaluator, const AlphaBetaSettings& settings,
                           Pool& pool) {
  SearchedGames found(roots.game());
  found.games.resize(roots.size());
  std::vector<std::vector<SearchedNode<P>>> nodes(roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) found.leaves.push_back(roots.position(i));
  const auto one = [&](std::size_t i, AlphaBeta<P, E>& search) {
    roots.each_world(i, 1, [&](const void* root, const History& past) {
      P& leaf = as<P>(found.leaves[i]);
      found.games[i] = search_game(search, as<P>(root), past, leaf);
      if (settings.record > 0 && found.games[i].move != no_move) nodes[i] = search.nodes();
    });
  };
  if (evaluator.prefers_batches) {
    AlphaBeta<P, E> search(settings, evaluator);
    for (std::size_t i = 0; i < roots.size(); ++i) one(i, search);
  } else {
    using Own = OwnSearch<P, E>;
    Spares<Own> spares;
    const auto make = [&] { return std::make_unique<Own>(settings, evaluator); };
    spares.give_back(make());  // settings that are refused are refused here
    const auto with_spare = [&](std::int64_t i) {
      auto own = spares.take(make);
      one(static_cast<std::size_t>(i), own->search);
      spares.give_back(std::move(own));
    };
    pool.run(static_cast<std::int64_t>(roots.size()), with_spare, 1);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    for (const SearchedNode<P>& node : nodes[i]) {
      found.nodes.push_back(&node.position);
      found.owners.push_back(static_cast<std::int32_t>(i));
      found.low.push_back(score_of_bound(node.low));
      found.high.push_back(score_of_bound(node.high));
    }
  }
  return found;
}

}  // namespace tempo
