// Shogi on both boards: tables, perft, the invariants of every game, the soundness of what is
// quick.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "doctest/doctest.h"
#include "games/shogi/rules.h"
#include "search/perft.h"

namespace tempo::shogi {
namespace test_shogi {

constexpr std::uint64_t seed = 20261115;

// Calls `visit` with every position of some random games, and its past.
template <class P, class Visit>
void random_games(const P& start, int games, Visit visit) {
  Random random(seed);
  for (int game = 0; game < games; ++game) {
    P position = start;
    History past;
    while (true) {
      visit(position, past);
      const Move move = position.outcome_by_past(past) ? no_move : position.random_move(random);
      if (move == no_move) break;
      tempo::play(position, past, move);
    }
  }
}

// What a piece sees along one direction, step by step.
template <class Board>
typename Board::Set walked(Square from, int ranks, int columns, typename Board::Set occupied) {
  using At = Grid<Board>;
  typename Board::Set seen = 0;
  int rank = At::rank_of(from) + ranks;
  int column = At::column_of(from) + columns;
  for (; At::inside(rank, column); rank += ranks, column += columns) {
    const auto here = At::bit(At::square_at(rank, column));
    seen |= here;
    if ((occupied & here) != 0) break;
  }
  return seen;
}

template <class Board>
void check_sliders() {
  using At = Grid<Board>;
  using Reach = Attacks<Board>;
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    typename Board::Set occupied = 0;
    for (Square s = 0; s < At::squares; ++s) {
      if (random.below(round % 5 + 2) == 0) occupied |= At::bit(s);
    }
    for (Square s = 0; s < At::squares; ++s) {
      const auto line = [&](int ranks, int columns) {
        return walked<Board>(s, ranks, columns, occupied);
      };
      REQUIRE(Reach::rook(s, occupied) == (line(1, 0) | line(-1, 0) | line(0, 1) | line(0, -1)));
      REQUIRE(Reach::bishop(s, occupied) ==
              (line(1, 1) | line(-1, 1) | line(1, -1) | line(-1, -1)));
      REQUIRE(Reach::template lance<black>(s, occupied) == line(-1, 0));
      REQUIRE(Reach::template lance<white>(s, occupied) == line(1, 0));
    }
  }
}

TEST_CASE("shogi's sliders see as far as a walk") {
  check_sliders<Full>();
  check_sliders<Mini>();
}

// Every square that a side attacks, piece by piece.
template <class Board>
typename Board::Set attacked_slowly(const PositionOf<Board>& position, Seat seat) {
  typename Board::Set seen = 0;
  for (Square s = 0; s < Grid<Board>::squares; ++s) {
    const auto piece = position.piece_at(s);
    if (piece && piece->seat == seat) seen |= position.attacks_from(s);
  }
  return seen;
}

// One position: what is quick agrees with what is plain.
template <class Board>
void check_position(const PositionOf<Board>& position, std::uint64_t draw) {
  using P = PositionOf<Board>;
  using Reach = Attacks<Board>;
  INFO(position.text());
  REQUIRE(position.check() == "");
  typename P::Moves moves;
  position.legal_moves(moves);
  REQUIRE(position.count_moves() == moves.size());
  REQUIRE(position.outcome().has_value() == moves.empty());
  Random quick(draw);
  Random plain(draw);
  const Move chosen = position.random_move(quick);
  REQUIRE(chosen == (moves.empty() ? no_move : moves[static_cast<int>(plain.below(moves.size()))]));
  REQUIRE(quick.state() == plain.state());

  const auto& men = position.pieces();
  const auto everywhere = Grid<Board>::everywhere;
  REQUIRE((Reach::template attacked<black>(men, men.occupied()) & everywhere) ==
          attacked_slowly(position, Seat{0}));
  REQUIRE((Reach::template attacked<white>(men, men.occupied()) & everywhere) ==
          attacked_slowly(position, Seat{1}));

  typename P::Moves noisy;
  typename P::Moves checks;
  position.noisy_moves(noisy);
  position.checks(checks);
  int next_noisy = 0;
  int next_check = 0;
  for (const Move move : moves) {
    REQUIRE(position.is_legal(move));
    const bool takes = position.captured_kind(move).has_value();
    const Kind kind = position.moved_kind(move);
    const bool grows = P::promotes(move) && (kind == pawn || kind == bishop || kind == rook);
    if (takes || grows) REQUIRE(noisy[next_noisy++] == move);
    P after = position;
    after.play(move);
    REQUIRE(position.gives_check(move) == after.in_check());
    if (after.in_check()) REQUIRE(checks[next_check++] == move);
  }
  REQUIRE(next_noisy == noisy.size());
  REQUIRE(next_check == checks.size());
}

template <class P>
void check_games(const P& start, int games, int every) {
  std::uint64_t n = 0;
  random_games(start, games, [&](const P& position, const History&) {
    if (++n % static_cast<std::uint64_t>(every) == 0) check_position(position, n);
  });
}

TEST_CASE("shogi: counting, choosing, checks and captures agree with the list") {
  check_games(Position::start(), 8, 6);
  check_games(Position::parse("4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 400"), 4, 6);
  check_games(MiniPosition::start(), 12, 4);
  // The attacker's king is missing.
  check_games(Position::parse_problem("4k4/9/9/4G4/9/9/9/9/9 b RBGSNL5Prbgsnl5p 450"), 4, 3);
}

TEST_CASE("shogi's numbers of moves come apart as they were made") {
  const Move step = Numbers<Full>::make(60, 51, true);
  CHECK(Position::from_of(step) == 60);
  CHECK(Position::to_of(step) == 51);
  CHECK(Position::promotes(step));
  CHECK_FALSE(Position::is_drop(step));
  const Move drop = Numbers<Full>::drop(rook, 80);
  CHECK(index(drop) == Numbers<Full>::count - 2);
  CHECK(Position::is_drop(drop));
  CHECK(Position::dropped_kind(drop) == rook);
  CHECK(Position::move_numbers({}) == 14256);
  CHECK(MiniPosition::move_numbers({}) == 1600);
}

// tests/data/perft: SFEN ; D<depth> <sequences> ; ... Deep entries belong to benchmarks.
template <class P>
int check_perft_file(const std::string& name) {
  std::ifstream file(std::string(TEMPO_TEST_DATA "/perft/") + name);
  REQUIRE(file);
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ';');
    const P position = P::parse(field);
    INFO(line);
    while (std::getline(fields, field, ';')) {
      std::istringstream entry(field);
      char d = 0;
      int depth = 0;
      std::uint64_t sequences = 0;
      entry >> d >> depth >> sequences;
      REQUIRE(!entry.fail());
      if (sequences > 600'000) continue;
      CHECK(tempo::perft(position, depth) == sequences);
      if (sequences < 50'000) CHECK(generic_perft(position, depth) == sequences);
      ++checked;
    }
  }
  return checked;
}

TEST_CASE("perft of shogi equals the stored numbers") {
  static_assert(OwnPerft<Position> && OwnPerft<MiniPosition>);
  CHECK(check_perft_file<Position>("shogi.txt") >= 20);
  CHECK(check_perft_file<MiniPosition>("minishogi.txt") >= 18);
}

}  // namespace test_shogi
}  // namespace tempo::shogi
