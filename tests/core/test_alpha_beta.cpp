// Alpha-beta against plain minimax: games with and without quiescence, tables and repetition.
#include <doctest/doctest.h>

#include <cstdlib>

#include "alpha_beta_tests.h"
#include "games/chess/rules.h"
#include "games/gomoku/rules.h"
#include "toy.h"

namespace test_alpha_beta {

using namespace tempo;
using namespace tempo::alpha_beta_tests;
using Chess = chess::Position;
using Gomoku = gomoku::Position;
using Toy = toy::Position;

// What alpha-beta must equal, written without windows and without any change of sign: the value for
// team 0, which one team raises and the other lowers.
template <Game P, class E>
struct Minimax {
  E evaluator;
  bool quiescence = false;

  Value value(const P& position, int depth, int ply, History& past) {
    if (const auto end = outcome(position, past)) {
      return value_of_end(team0_score<P>(end->scores), ply);
    }
    const bool raises = index(P::team_of(position.turn())) == 0;
    typename P::Moves moves;
    Value best = raises ? -infinite : infinite;
    if (depth <= 0) {
      Scores scores{};
      evaluator(std::span<const P>(&position, 1), std::span<Scores>(&scores, 1));
      best = value_of_score(team0_score<P>(scores));
      if constexpr (Noisy<P>) {
        if (quiescence) position.noisy_moves(moves);
      }
    } else {
      position.legal_moves(moves);
    }
    remember(position, past);
    for (const Move move : moves) {
      P child = position;
      child.play(move);
      const Value below = value(child, depth - 1, ply + 1, past);
      best = raises ? std::max(best, below) : std::min(best, below);
    }
    if constexpr (Remembers<P>) past.pop();
    return best;
  }
};

AlphaBetaSettings minimax_settings(int depth, bool quiescence, std::size_t table_bytes) {
  AlphaBetaSettings settings;
  settings.depth = depth;
  settings.table_bytes = table_bytes;
  settings.quiescence = quiescence;
  settings.extend_checks = false;
  settings.equal_depth = true;
  return settings;
}

template <Game P, class E>
void check_value(const P& position, Value truth, AlphaBeta<P, E>& search, E& evaluator) {
  const AlphaBetaSettings& settings = search.settings();
  INFO(position.text() << " depth " << settings.depth << " quiescence " << settings.quiescence
                       << " batches " << E::prefers_batches << " table " << settings.table_bytes);
  const SearchResult result = search.search(position);
  CHECK(score_of_value(truth) == team0_score<P>(result.scores));
  check_line(position, result, evaluator);
  if (is_decided(truth)) {
    CHECK(static_cast<int>(result.line.size()) == won - std::abs(truth));
  } else {
    CHECK(result.depth == settings.depth);
  }
}

constexpr std::size_t no_table = 0;
constexpr std::size_t small_table = std::size_t{1} << 12;
constexpr std::size_t large_table = std::size_t{1} << 20;

// Every variant of the search on `position` gives the value, and each root move its value, that
// brute force gives.
template <Game P, bool Batches>
void check_minimax(const P& position, int depth, bool quiescence) {
  using E = HashEvaluator<P, Batches>;
  E evaluator;
  Minimax<P, E> minimax{evaluator, quiescence};
  History past;
  const Value truth = minimax.value(position, depth, 0, past);
  for (const std::size_t bytes : {no_table, small_table, large_table}) {
    AlphaBeta<P, E> search(minimax_settings(depth, quiescence, bytes), evaluator);
    check_value(position, truth, search, evaluator);
  }
  AlphaBetaSettings settings = minimax_settings(depth, quiescence, large_table);
  for (const AlphaBetaSteps& steps : exact_steps()) {
    settings.steps = steps;
    AlphaBeta<P, E> search(settings, evaluator);
    check_value(position, truth, search, evaluator);
  }
  settings.threads = 2;  // with all of them
  AlphaBeta<P, E> together(settings, evaluator);
  check_value(position, truth, together, evaluator);
  settings = minimax_settings(depth, quiescence, large_table);
  settings.exact_root = true;
  const SearchResult result = AlphaBeta<P, E>(settings, evaluator).search(position);
  if (result.depth < depth) return;  // decided early: the others were not searched to the end
  for (const RootMove& root : result.root) {
    P child = position;
    child.play(root.move);
    remember(position, past);
    CHECK(score_of_value(minimax.value(child, depth - 1, 1, past)) == team0_score<P>(root.scores));
    past.clear();
  }
}

// One deep search with each table: what a table could spoil takes a few moves to come up.
template <Game P>
void check_deep(const P& position, int depth) {
  using E = HashEvaluator<P, false>;
  E evaluator;
  History past;
  const Value truth = Minimax<P, E>{evaluator}.value(position, depth, 0, past);
  for (const std::size_t bytes : {no_table, small_table, large_table}) {
    AlphaBeta<P, E> search(minimax_settings(depth, false, bytes), evaluator);
    check_value(position, truth, search, evaluator);
  }
  AlphaBetaSettings settings = minimax_settings(depth, false, large_table);
  settings.steps = exact_steps().back();
  for (const int threads : {1, 3}) {
    settings.threads = threads;
    AlphaBeta<P, E> search(settings, evaluator);
    check_value(position, truth, search, evaluator);
  }
}

template <Game P>
void check_minimax(const P& position, int depth) {
  for (const bool quiescence : {false, true}) {
    check_minimax<P, false>(position, depth, quiescence);
    check_minimax<P, true>(position, depth, quiescence);
    if (!Noisy<P>) break;
  }
}

TEST_CASE("alpha-beta equals minimax on gomoku 5x5") {
  INFO("seed " << seed);
  Random random(seed);
  for (int i = 0; i < 12; ++i) {
    const Gomoku position = random_position(Gomoku::start({5, 0}), 4 + 2 * (i % 8), random);
    for (int depth = 1; depth <= 3; ++depth) check_minimax(position, depth);
  }
}

TEST_CASE("alpha-beta equals minimax where a turn is two moves and four seats form two teams") {
  INFO("seed " << seed);
  Random random(seed);
  for (int i = 0; i < 20; ++i) {
    const Toy position = random_position(Toy::deal({}, random), i % 12, random);
    for (int depth = 1; depth <= 4; ++depth) check_minimax(position, depth);
  }
}

TEST_CASE("alpha-beta equals minimax on chess") {
  INFO("seed " << seed);
  Random random(seed);
  for (int i = 0; i < 8; ++i) {
    const Chess position = random_position(Chess::start(), 12 * i, random);
    for (int depth = 1; depth <= 2; ++depth) {
      check_minimax<Chess, false>(position, depth, false);
      check_minimax<Chess, true>(position, depth, false);
    }
  }
}

TEST_CASE("alpha-beta equals minimax on chess, quiescence included") {
  // Few pieces, since brute force follows every exchange to its end: transpositions over different
  // numbers of moves, mates, stalemates, promotions.
  for (const char* fen :
       {"8/8/8/8/2k5/8/p1K5/8 b - - 0 1", "k7/8/2K5/3Q4/8/8/8/8 w - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1",
        "4k3/3r1p2/2n5/1B2p3/3P4/2N5/3R1P2/4K3 w - - 0 1"}) {
    for (int depth = 1; depth <= 3; ++depth) check_minimax(Chess::parse(fen), depth);
  }
}

TEST_CASE("alpha-beta equals minimax deep in games full of transpositions") {
  INFO("seed " << seed);
  Random random(seed);
  for (int i = 0; i < 10; ++i) {
    check_deep(random_position(Gomoku::start({5, 0}), 18, random), 6);
    check_deep(random_position(Toy::deal({}, random), 2 * i, random), 6);
  }
  for (const char* fen : {"8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "8/8/1k6/8/8/1K6/1P6/8 b - - 0 1",
                          "8/5k2/8/5p2/5P2/8/5K2/8 w - - 0 1", "8/8/8/p7/P7/8/7k/5K2 b - - 0 1"}) {
    for (int depth = 5; depth <= 6; ++depth) check_deep(Chess::parse(fen), depth);
  }
  // Mates at various distances, reached by many orders of moves.
  for (const char* fen : {"8/8/8/8/8/2k5/8/K6r w - - 0 1", "8/8/8/8/8/1k6/7r/K7 b - - 0 1",
                          "k7/2K5/8/8/8/8/8/1R6 b - - 0 1", "1k6/3R4/1K6/8/8/8/8/8 w - - 0 1",
                          "k7/8/2K5/8/8/8/8/1R6 b - - 0 1"}) {
    for (int depth = 3; depth <= 4; ++depth) check_deep(Chess::parse(fen), depth);
  }
}

TEST_CASE("alpha-beta equals minimax when positions repeat, within the search and before it") {
  using E = HashEvaluator<Chess, false>;
  E evaluator;
  Minimax<Chess, E> minimax{evaluator};
  int changed = 0;
  for (const char* fen : {"k7/p7/P7/8/8/7p/7P/7K w - - 0 1", "k7/p7/P7/8/7p/7P/8/7K w - - 0 1",
                          "k7/8/p7/P7/8/7p/7P/7K w - - 0 1", "k7/7p/p6P/P7/8/8/8/7K w - - 0 1",
                          "k7/p7/P7/8/8/7p/7P/7K w - - 2 1", "k7/p7/P7/8/7p/7P/8/7K w - - 2 1",
                          "k7/8/p7/P7/8/7p/7P/7K w - - 2 1", "k7/7p/p6P/P7/8/8/8/7K w - - 2 1"}) {
    // The kings step to and fro; the eighth move would bring the third equal position.
    Chess position = Chess::parse(fen);
    History past;
    evaluator.salt = minimax.evaluator.salt = split_mix(evaluator.salt);
    for (const char* text : {"h1g1", "a8b8", "g1h1", "b8a8", "h1g1", "a8b8", "g1h1"}) {
      play(position, past, position.parse_move(text));
      if (past.size() < 4) continue;
      for (int depth = 1; depth <= 6; ++depth) {
        INFO(fen << " after " << past.size() << " moves, depth " << depth);
        AlphaBetaSettings settings = minimax_settings(depth, false, no_table);
        settings.exact_root = true;
        const SearchResult result = AlphaBeta<Chess, E>(settings, evaluator).search(position, past);
        for (const RootMove& root : result.root) {
          Chess child = position;
          child.play(root.move);
          History longer = past;
          remember(position, longer);
          const Value truth = minimax.value(child, depth - 1, 1, longer);
          CHECK(score_of_value(truth) == root.scores[0]);
          History none;
          changed += truth != minimax.value(child, depth - 1, 1, none);
        }
        // What was found with the past must not be believed without it.
        settings = minimax_settings(depth, false, large_table);
        settings.keep = true;
        AlphaBeta<Chess, E> search(settings, evaluator);
        search.search(position, past);
        History none;
        check_value(position, minimax.value(position, depth, 0, none), search, evaluator);
      }
    }
  }
  CHECK(changed > 50);  // or the past was of no account, and nothing was tested
}

TEST_CASE("alpha-beta equals minimax with a table kept from positions before and after") {
  // Entries then come from other depths and other distances to the root, many of them mates.
  using E = HashEvaluator<Chess, false>;
  E evaluator;
  Minimax<Chess, E> minimax{evaluator};
  AlphaBetaSettings settings = minimax_settings(4, false, large_table);
  settings.keep = true;
  AlphaBeta<Chess, E> search(settings, evaluator);
  const auto check = [&](const Chess& position) {
    History past;
    check_value(position, minimax.value(position, 4, 0, past), search, evaluator);
  };
  INFO("seed " << seed);
  Random random(seed);
  for (const char* fen : {"8/8/8/8/8/2k5/7r/K7 b - - 0 1", "k7/8/2K5/8/8/8/8/1R6 b - - 0 1",
                          "8/8/8/8/3K4/8/1P6/k7 w - - 0 1", "7k/5K2/8/6p1/8/8/8/6B1 w - - 0 1",
                          "3k4/8/3K4/8/8/8/8/R7 b - - 0 1"}) {
    const Chess root = Chess::parse(fen);
    for (int i = 0; i < 6; ++i) {
      search.clear();
      evaluator.salt = minimax.evaluator.salt = random.next();
      const Chess later = random_position(root, 2, random);
      if (i % 2 == 0) check(root);
      check(later);
      check(root);
    }
  }
}

TEST_CASE("a small four-seat game is solved as by brute force") {
  Random random(seed);
  for (int i = 0; i < 10; ++i) {
    const Toy position = Toy::deal({2, 5}, random);
    toy::Solved solved;
    NoEvaluator<Toy> evaluator;
    AlphaBetaSettings settings;
    settings.depth = 12;
    AlphaBeta<Toy, NoEvaluator<Toy>> search(settings, evaluator);
    const SearchResult result = search.search(position);
    CHECK(result.scores[0] == doctest::Approx(toy::solve(position, solved)));
    CHECK(result.scores[0] == result.scores[2]);
    CHECK(result.scores[1] == -result.scores[0]);
  }
}

}  // namespace test_alpha_beta
