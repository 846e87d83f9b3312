// Alpha-beta on positions of Gomoku and chess whose solution is known.
#include <doctest/doctest.h>

#include "alpha_beta_tests.h"
#include "drawn.h"
#include "games/chess/evaluation.h"
#include "games/chess/rules.h"
#include "games/gomoku/evaluation.h"

namespace test_alpha_beta_positions {

using namespace tempo;
using namespace tempo::alpha_beta_tests;
using tempo::testing::drawn;
using Chess = chess::Position;
using Gomoku = gomoku::Position;

SearchResult search_gomoku(const Gomoku& position, int depth) {
  static gomoku::StaticEvaluator evaluator;
  AlphaBetaSettings settings;
  settings.depth = depth;
  return AlphaBeta<Gomoku, gomoku::StaticEvaluator>(settings, evaluator).search(position);
}

TEST_CASE("gomoku: completes five") {
  const Gomoku position = drawn({". . . . . . . . .", ". . . . . . . . .", ". . o . . . . . .",
                                 ". . . x . o . . .", ". . . . x . o . .", ". . . o . x . . .",
                                 ". . . . . . x . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 2);
  CHECK(position.move_text(result.move) == "h2");
  CHECK(result.scores[0] == 1.0F);
  CHECK(result.line.size() == 1);
  CHECK(result.depth == 1);
}

TEST_CASE("gomoku: blocks a four with one open end") {
  const Gomoku position = drawn({". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . .",
                                 ". . . . o . . . .", "o x x x x . . . .", ". . . o . . . . .",
                                 ". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . ."});
  const SearchResult result = search_gomoku(position, 2);
  CHECK(position.move_text(result.move) == "f5");
}

TEST_CASE("gomoku: an open three to move wins in three, and shows it") {
  const Gomoku position = drawn({". . . . . . . . .", ". . . . . . . . .", ". . . o . o . . .",
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
  const Gomoku position = drawn({". . . . . . . . .", ". . . . . . . . .", ". . . o . . o . .",
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

}  // namespace test_alpha_beta_positions
