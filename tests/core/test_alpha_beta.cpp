// Alpha-beta against plain minimax, solved positions, and its promises: exact budgets, the same
// result again, a line that leads to the position its value came from.
#include <doctest/doctest.h>

#include <cstdlib>

#include "games/chess/evaluation.h"
#include "games/chess/rules.h"
#include "games/gomoku/evaluation.h"
#include "games/gomoku/rules.h"
#include "search/alpha_beta.h"
#include "toy.h"

namespace {

using namespace tempo;
using Chess = chess::Position;
using Gomoku = gomoku::Position;
using Toy = toy::Position;

// Stands in for an evaluator: an arbitrary number that depends on the whole position. Few different
// numbers, so that ties and cut-offs at equality are common.
template <Game P, bool Batches>
struct HashEvaluator {
  static constexpr bool prefers_batches = Batches;
  std::uint64_t salt = 0;
  int calls = 0;

  void operator()(std::span<const P> positions, std::span<Scores> values) {
    ++calls;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto number = static_cast<int>(split_mix(positions[i].key() + salt) % 41) - 20;
      values[i] = team_scores<P>(static_cast<float>(number) / 20.0F);
    }
  }
};

template <Game P>
float team0_score(const Scores& scores) {
  for (int s = 0; s < P::seats; ++s) {
    const auto seat = Seat{static_cast<std::uint8_t>(s)};
    if (index(P::team_of(seat)) == 0) return scores[static_cast<std::size_t>(s)];
  }
  return 0;
}

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

template <Game P>
P random_position(const P& start, int moves, Random& random) {
  P position = start;
  for (int i = 0; i < moves; ++i) {
    P next = position;
    if (const Move move = random_move(next, random); move != no_move) next.play(move);
    if (next.outcome()) break;
    position = next;
  }
  return position;
}

template <Game P>
P after(P position, const std::vector<Move>& line) {
  for (const Move move : line) {
    REQUIRE(position.is_legal(move));
    position.play(move);
  }
  return position;
}

// The result's scores are those of the position at the end of its line.
template <Game P, class E>
void check_line(const P& root, const SearchResult& result, E& evaluator) {
  REQUIRE(!result.line.empty());
  CHECK(result.line[0] == result.move);
  const P leaf = after(root, result.line);
  Scores scores{};
  if (const auto end = leaf.outcome()) {
    scores = end->scores;
  } else {
    evaluator(std::span<const P>(&leaf, 1), std::span<Scores>(&scores, 1));
  }
  CHECK(value_of_score(team0_score<P>(result.scores)) == value_of_score(team0_score<P>(scores)));
}

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
}

template <Game P>
void check_minimax(const P& position, int depth) {
  for (const bool quiescence : {false, true}) {
    check_minimax<P, false>(position, depth, quiescence);
    check_minimax<P, true>(position, depth, quiescence);
    if (!Noisy<P>) break;
  }
}

constexpr std::uint64_t seed = 20260;

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

// Rows from the top, as printed.
Gomoku board(int size, const std::vector<std::string>& rows) {
  std::string text;
  int stones = 0;
  for (const std::string& row : rows) {
    int run = 0;
    text += text.empty() ? "" : "/";
    for (const char c : row + '|') {
      if (c == ' ') continue;
      if (c == '.') {
        ++run;
        continue;
      }
      if (run > 0) text += std::to_string(run);
      run = 0;
      if (c != '|') text += c, ++stones;
    }
  }
  return Gomoku::parse(text + (stones % 2 == 0 ? " x" : " o"),
                       {static_cast<std::int16_t>(size), 0});
}

SearchResult search_gomoku(const Gomoku& position, int depth) {
  static gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = depth;
  return AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
}

TEST_CASE("gomoku: completes five") {
  const Gomoku position = board(9, {". . . . . . . . .", ". . . . . . . . .", ". . o . . . . . .",
                                    ". . . x . o . . .", ". . . . x . o . .", ". . . o . x . . .",
                                    ". . . . . . x . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 2);
  CHECK(position.move_text(result.move) == "h2");
  CHECK(result.scores[0] == 1.0F);
  CHECK(result.line.size() == 1);
  CHECK(result.depth == 1);
}

TEST_CASE("gomoku: blocks a four with one open end") {
  const Gomoku position = board(9, {". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . .",
                                    ". . . . o . . . .", "o x x x x . . . .", ". . . o . . . . .",
                                    ". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 2);
  CHECK(position.move_text(result.move) == "f5");
}

TEST_CASE("gomoku: an open three to move wins in three, and shows it") {
  const Gomoku position = board(9, {". . . . . . . . .", ". . . . . . . . .", ". . . o . o . . .",
                                    ". . . . . . . . .", ". . . x x x . . .", ". . . . . . . . .",
                                    ". . . . o . . . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 3);
  const std::string move = position.move_text(result.move);
  CHECK((move == "c5" || move == "g5"));
  CHECK(result.scores[0] == 1.0F);
  CHECK(result.line.size() == 3);
  CHECK(after(position, result.line).outcome()->scores[0] == 1.0F);
}

TEST_CASE("gomoku: a lost game is lost as late as possible") {
  const Gomoku position = board(9, {". . . . . . . . .", ". . . . . . . . .", ". . . o . . o . .",
                                    ". . . . . . . . .", ". . x x x x . . .", ". . . . . . . . .",
                                    ". . o . . . . . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 2);
  CHECK(result.scores[1] == -1.0F);
  CHECK(result.line.size() == 2);
}

using ChessSearch = AlphaBeta<Chess, chess::StaticEvaluator>;

SearchResult search_chess(const Chess& position, AlphaBetaSettings settings,
                          const History& past = {}) {
  static chess::StaticEvaluator evaluator;
  return ChessSearch(settings, evaluator).search(position, past);
}

TEST_CASE("chess: mates in one, two and three") {
  struct Mate {
    const char* fen;
    const char* move;
    std::size_t plies;
  };
  for (const auto& [fen, move, plies] :
       {Mate{"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 1},
        Mate{"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1},
        Mate{"kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 3},  // Morphy
        Mate{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5}}) {
    const Chess position = Chess::parse(fen);
    INFO(fen);
    for (const bool table : {false, true}) {
      AlphaBetaSettings settings;
      settings.depth = static_cast<int>(plies);
      if (!table) settings.table_bytes = 0;
      const SearchResult result = search_chess(position, settings);
      CHECK(position.move_text(result.move) == move);
      CHECK(result.scores[0] == 1.0F);
      CHECK(result.line.size() == plies);
      const Chess end = after(position, result.line);
      REQUIRE(end.outcome());
      CHECK(end.outcome()->reason == "checkmate");
    }
  }
}

TEST_CASE("chess: takes what hangs, not what is defended") {
  AlphaBetaSettings settings;
  settings.depth = 1;
  // The pawn on d5 is defended; a search of one move without quiescence would take it.
  const Chess position = Chess::parse("4k3/8/4p3/3p4/8/8/3Q4/3RK3 w - - 0 1");
  CHECK(position.move_text(search_chess(position, settings).move) != "d2d5");
  settings.quiescence = false;
  CHECK(position.move_text(search_chess(position, settings).move) == "d2d5");
}

TEST_CASE("chess: a repetition that only the past shows, and a table that does not keep it") {
  // White is far ahead, but has checked to and fro; black hopes for the third time.
  const auto* const fen = "6k1/8/8/8/7P/8/5q1R/Q6K w - - 0 1";
  const std::vector<const char*> moves = {"a1a8", "g8g7", "a8a1", "g7g8",
                                          "a1a8", "g8g7", "a8a1", "g7g8"};
  chess::StaticEvaluator evaluator;
  for (std::size_t played = 4; played <= moves.size(); ++played) {
    Chess position = Chess::parse(fen);
    History past;
    for (std::size_t i = 0; i < played; ++i) {
      play(position, past, position.parse_move(moves[i]));
    }
    INFO("after " << played << " moves");
    for (int depth = 1; depth <= 4; ++depth) {
      AlphaBetaSettings settings;
      settings.depth = depth;
      settings.exact_root = true;
      const SearchResult alone = search_chess(position, settings);
      settings.keep = true;
      ChessSearch search(settings, evaluator);
      const SearchResult with_past = search.search(position, past);
      if (played == 8) {  // the game is over
        CHECK(with_past.move == no_move);
        CHECK(with_past.scores == Scores{});
        continue;
      }
      if (played == 7) {  // black to move takes the draw
        CHECK(position.move_text(with_past.move) == "g7g8");
        CHECK(with_past.scores[1] == 0.0F);
      }
      // The same searcher, told nothing of the past, must not believe in that draw.
      const SearchResult later = search.search(position);
      REQUIRE(later.root.size() == alone.root.size());
      CHECK(later.scores == alone.scores);
      for (const RootMove& one : later.root) {
        const auto same = [&](const RootMove& other) { return other.move == one.move; };
        CHECK(std::find_if(alone.root.begin(), alone.root.end(), same)->scores == one.scores);
      }
    }
  }
}

// One side drives the bare king with a small search, the other defends with one.
int moves_to_mate(const char* fen, std::int64_t positions) {
  Chess position = Chess::parse(fen);
  History past;
  AlphaBetaSettings settings;
  settings.positions = positions;
  chess::StaticEvaluator evaluator;
  ChessSearch search(settings, evaluator);
  int moves = 0;
  while (!outcome(position, past)) {
    moves += index(position.turn()) == 0;
    play(position, past, search.search(position, past).move);
  }
  return outcome(position, past)->reason == "checkmate" ? moves : 1000;
}

TEST_CASE("chess: mates a bare king with queen or rook") {
  CHECK(moves_to_mate("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 3000) <= 20);
  CHECK(moves_to_mate("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 10000) <= 30);
}

TEST_CASE("the budget of positions is never exceeded and the move is always legal") {
  Random random(seed);
  HashEvaluator<Gomoku, false> single;
  HashEvaluator<Gomoku, true> batch;
  for (std::int64_t positions = 1; positions < 3000; positions = positions * 3 / 2 + 1) {
    const Gomoku position = random_position(Gomoku::start({7, 0}), 10, random);
    AlphaBetaSettings settings;
    settings.positions = positions;
    const auto one =
        AlphaBeta<Gomoku, HashEvaluator<Gomoku, false>>(settings, single).search(position);
    CHECK(one.positions <= positions);
    CHECK(one.positions >= positions - 1);
    CHECK(position.is_legal(one.move));
    // Too small a budget to search one move leaves the evaluation of the root.
    if (one.positions > 1) check_line(position, one, single);
    const auto many =
        AlphaBeta<Gomoku, HashEvaluator<Gomoku, true>>(settings, batch).search(position);
    CHECK(many.positions <= positions);
    CHECK(position.is_legal(many.move));
  }
}

TEST_CASE("a search stopped within an iteration keeps a move that was searched") {
  // With all budgets tried in turn, each stop falls somewhere else; the move must be the best of
  // the last whole iteration or one that the broken one has found to be better.
  const Gomoku position =
      board(7, {". . . . . . .", ". . o . . . .", ". . x x x . .", ". . . o . . .", ". . . . . . .",
                ". . . . . . .", ". . . . . . ."});
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = 3;
  const auto whole =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
  settings.depth = 0;
  for (std::int64_t positions = 100; positions < whole.positions; positions += 97) {
    settings.positions = positions;
    const auto part =
        AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
    CHECK(part.depth <= 3);
    CHECK(part.root[0].move == part.move);
    CHECK(part.root[0].visits > 0);
  }
}

TEST_CASE("the same input and budget give the same result, whatever was searched before") {
  Random random(seed);
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.positions = 5000;
  settings.table_bytes = 1 << 16;
  AlphaBeta<Gomoku, gomoku::StaticEvaluator> used(settings, evaluator);
  for (int i = 0; i < 70; ++i) {  // more searches than the table has ages
    const Gomoku position = random_position(Gomoku::start({9, 0}), 6 + i % 10, random);
    const auto again = used.search(position);
    if (i % 10 != 0) continue;
    const auto fresh =
        AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
    CHECK(again.move == fresh.move);
    CHECK(again.scores == fresh.scores);
    CHECK(again.line == fresh.line);
    CHECK(again.positions == fresh.positions);
    CHECK(again.evaluations == fresh.evaluations);
    REQUIRE(again.root.size() == fresh.root.size());
    for (std::size_t k = 0; k < fresh.root.size(); ++k) {
      CHECK(again.root[k].move == fresh.root[k].move);
      CHECK(again.root[k].visits == fresh.root[k].visits);
    }
  }
}

TEST_CASE("the table saves work, and keeping it saves more") {
  Random random(seed);
  const Gomoku position = random_position(Gomoku::start({7, 0}), 8, random);
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = 4;
  settings.table_bytes = 0;
  const auto without =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
  settings.table_bytes = 1 << 22;
  settings.keep = true;
  AlphaBeta<Gomoku, gomoku::StaticEvaluator> search(settings, evaluator);
  const auto with = search.search(position);
  const auto second = search.search(position);
  CHECK(with.positions < without.positions);
  CHECK(second.positions < with.positions);
  CHECK(second.move == with.move);
  search.clear();
  CHECK(search.search(position).positions == with.positions);
}

TEST_CASE("children on the horizon are evaluated in one call") {
  HashEvaluator<Gomoku, true> evaluator;
  AlphaBetaSettings settings;
  settings.depth = 1;
  const auto result = AlphaBeta<Gomoku, HashEvaluator<Gomoku, true>>(settings, evaluator)
                          .search(Gomoku::start({9, 0}));
  CHECK(evaluator.calls == 1);
  CHECK(result.evaluations == 81);
  CHECK(result.positions == 82);
}

// An evaluator may be Python code, and fail.
struct Failing {
  static constexpr bool prefers_batches = true;
  int left = 0;
  void operator()(std::span<const Chess> positions, std::span<Scores> values) {
    if (left-- == 0) throw std::runtime_error("no answer");
    chess::StaticEvaluator()(positions, values);
  }
};

TEST_CASE("an evaluator that throws leaves a search that works") {
  AlphaBetaSettings settings;
  settings.depth = 3;
  Failing evaluator;
  AlphaBeta<Chess, Failing> search(settings, evaluator);
  for (const int calls : {0, 1, 7, 30}) {
    evaluator.left = calls;
    CHECK_THROWS_AS(search.search(Chess::start()), std::runtime_error);
  }
  evaluator.left = -1;
  const auto after_failure = search.search(Chess::start());
  const auto fresh = AlphaBeta<Chess, Failing>(settings, evaluator).search(Chess::start());
  CHECK(after_failure.line == fresh.line);
  CHECK(after_failure.positions == fresh.positions);
}

TEST_CASE("a finished game has scores and no move; no budget is an error") {
  const Gomoku position =
      board(5, {"x x x x x", "o o o o .", ". . . . .", ". . . . .", ". . . . ."});
  const SearchResult result = search_gomoku(position, 3);
  CHECK(result.move == no_move);
  CHECK(result.scores == Scores{1, -1});
  gomoku::StaticEvaluator evaluator;
  using Search = AlphaBeta<Gomoku, gomoku::StaticEvaluator>;
  CHECK_THROWS_AS(Search(AlphaBetaSettings{}, evaluator), std::invalid_argument);
}

TEST_CASE("the time budget stops a search") {
  gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.seconds = 0.02;
  const auto result =
      AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(Gomoku::start({}));
  CHECK(result.seconds >= 0.02);
  CHECK(result.seconds < 2);  // generous: the machine may be busy
}

TEST_CASE("the table keeps deep entries and finds only what it stored") {
  TranspositionTable table(256);  // four buckets of four
  CHECK(table.bytes() == 256);
  table.next_search(true);
  for (std::uint64_t i = 0; i < 5; ++i) {
    table.store(i * 4, static_cast<int>(i), Move{7}, static_cast<int>(i), Bound::Exact);
  }
  CHECK(table.find(0) == nullptr);  // the shallowest had to go
  for (std::uint64_t i = 1; i < 5; ++i) {
    REQUIRE(table.find(i * 4) != nullptr);
    CHECK(table.find(i * 4)->value == static_cast<int>(i));
  }
  CHECK(table.find(20) == nullptr);
  table.store(16, -5, Move{8}, 2, Bound::Lower);  // shallower news about the same position
  CHECK(table.find(16)->depth == 4);
  table.next_search(false);
  CHECK(table.find(16) != nullptr);
  table.next_search(true);
  CHECK(table.find(16) == nullptr);
  CHECK(TranspositionTable(0).find(1) == nullptr);
}

TEST_CASE("values order results as a player would") {
  CHECK(value_of_end(1, 3) > value_of_end(1, 5));
  CHECK(value_of_end(-1, 3) < value_of_end(-1, 5));
  CHECK(value_of_end(1, 100) > value_of_score(1));
  CHECK(value_of_end(0.5F, 9) == 500'000);
  CHECK(value_of_score(-0.25F) == -250'000);
  CHECK(value_of_score(7) == whole_score);
  CHECK(value_of_score(std::numeric_limits<float>::quiet_NaN()) == -whole_score);
  CHECK(value_from_root(value_from_here(won - 7, 3), 5) == won - 9);
  CHECK(score_of_value(value_of_score(0.125F)) == 0.125F);
}

}  // namespace
