// Chess: attack tables, perft, the invariants of every game, draws, notation.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "games/chess/rules.h"
#include "search/perft.h"

namespace tempo::chess {
namespace test_chess {

constexpr std::uint64_t seed = 20240611;

// The lines of a data file, cut at " ; ", without comments.
std::vector<std::vector<std::string>> data(const std::string& path) {
#ifdef TEMPO_TEST_DATA
  const std::string root = TEMPO_TEST_DATA;
#else
  const char* named = std::getenv("TEMPO_TEST_DATA");
  const std::string root = named != nullptr ? named : "tests/data";
#endif
  std::ifstream file(root + "/" + path);
  REQUIRE_MESSAGE(file.good(), "no " << root << "/" << path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    auto& row = rows.emplace_back();
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(" ; ", at), line.size());
      row.push_back(line.substr(at, end - at));
      at = end + 3;
    }
  }
  return rows;
}

// What a call threw, as the kind of error and its text.
template <class Error, class Call>
std::string thrown(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Calls `visit` with every position of some random games, and its past.
template <class Visit>
void random_games(int games, const Options& options, Visit visit) {
  Random random(seed);
  for (int game = 0; game < games; ++game) {
    Position position = Position::start(options);
    History past;
    int length = 0;
    while (true) {
      visit(position, past);
      const Move move = position.outcome_by_past(past) ? no_move : position.random_move(random);
      if (move == no_move) break;
      tempo::play(position, past, move);
      REQUIRE(++length <= Position::length_bound(options));
    }
  }
}

Position played(std::string_view fen, const std::vector<std::string>& moves,
                const Options& options = {}) {
  Position position = Position::parse(fen, options);
  for (const auto& move : moves) position.play(position.parse_move(move));
  return position;
}

std::string reason(const Position& position) {
  const auto outcome = position.outcome();
  return outcome ? std::string(outcome->reason) : "";
}

TEST_CASE("chess: both slider implementations see what the rays see") {
  Random random(seed);
  for (int i = 0; i < 50'000; ++i) {
    const Square square = static_cast<Square>(random.below(64));
    const Bitboard occupied = i % 2 == 0 ? random.next() : random.next() & random.next();
    CAPTURE(square);
    CAPTURE(occupied);
    const Bitboard rook_reach = detail::slow_rook(square, occupied);
    const Bitboard bishop_reach = detail::slow_bishop(square, occupied);
    REQUIRE(hyperbola::rook_attacks(square, occupied) == rook_reach);
    REQUIRE(hyperbola::bishop_attacks(square, occupied) == bishop_reach);
    REQUIRE(rook_attacks(square, occupied) == rook_reach);
    REQUIRE(bishop_attacks(square, occupied) == bishop_reach);
    if (occupied == 0) continue;
    const int n = static_cast<int>(random.below(count(occupied)));
    REQUIRE(nth(occupied, n) == nth_portable(occupied, n));
    REQUIRE(count(occupied & (bit(nth(occupied, n)) - 1)) == n);
  }
}

TEST_CASE("chess: lines between squares") {
  CHECK(between(0, 63) == (line_through(0, 63) ^ bit(0) ^ bit(63)));
  CHECK(between(0, 7) == (rank_1 & ~(bit(0) | bit(7))));
  CHECK(between(7, 0) == between(0, 7));
  CHECK(line_through(0, 10) == 0);
  CHECK(count(line_through(9, 18)) == 8);
}

TEST_CASE("chess: perft equals the published numbers") {
  for (const auto& row : data("perft/chess.txt")) {
    const Position position = Position::parse(row[0]);
    for (std::size_t i = 1; i < row.size(); ++i) {
      CAPTURE(row[0]);
      int depth = 0;
      unsigned long long expected = 0;
      REQUIRE(std::sscanf(row[i].c_str(), "D%d %llu", &depth, &expected) == 2);
      const std::uint64_t found = perft(position, depth);
      if (found != expected) {
        for (const auto& part : divide(position, depth))
          MESSAGE(position.move_text(part.move), " ", part.sequences);
      }
      CHECK(found == expected);
    }
  }
}

TEST_CASE("chess: the list, the count, the draw and the noisy moves agree") {
  random_games(40, {}, [](const Position& position, const History&) {
    CAPTURE(position.text());
    Moves moves;
    position.legal_moves(moves);
    REQUIRE(moves.empty() == position.outcome().has_value());
    REQUIRE(position.count_moves() == moves.size());
    Random random(position.key());
    Random again = random;
    const Move drawn = position.random_move(random);
    REQUIRE(drawn ==
            (moves.empty() ? no_move : moves[static_cast<int>(again.below(moves.size()))]));
    REQUIRE(random.state() == again.state());
    Moves noisy;
    position.noisy_moves(noisy);
    int next = 0;
    for (const Move move : moves) {
      const bool takes = contains(position.san(move), "x");
      if (takes || promotion_of(move) != pawn) REQUIRE(noisy[next++] == move);
      REQUIRE((position.order_hint(move) > 0) == (takes || promotion_of(move) != pawn));
    }
    REQUIRE(next == noisy.size());
  });
}

TEST_CASE("chess: legality agrees with the list for every number") {
  int visited = 0;
  random_games(6, {}, [&](const Position& position, const History&) {
    if (++visited % 7 != 0) return;
    CAPTURE(position.text());
    Moves moves;
    position.legal_moves(moves);
    const std::set<Move> listed(moves.begin(), moves.end());
    REQUIRE(listed.size() == static_cast<std::size_t>(moves.size()));
    for (int number = 0; number < 0x10000; ++number) {
      const Move move{static_cast<std::uint16_t>(number)};
      REQUIRE(position.is_legal(move) == (listed.count(move) == 1));
    }
  });
  REQUIRE(visited > 500);
}

TEST_CASE("chess: every illegal number has a reason and every legal one none") {
  for (const auto* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                          "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                          "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"}) {
    const Position position = Position::parse(fen);
    for (int number = 0; number < 0x10000; ++number) {
      const Move move{static_cast<std::uint16_t>(number)};
      REQUIRE(position.why_illegal(move).empty() == position.is_legal(move));
    }
  }
}

TEST_CASE("chess: keys, soundness and text hold after every move") {
  random_games(40, {}, [](const Position& position, const History&) {
    CAPTURE(position.text());
    REQUIRE(position.check() == "");
    REQUIRE(position.key() == position.scratch_key());
    const Position again = Position::parse(position.text());
    REQUIRE(again == position);
    REQUIRE(again.key() == position.key());
    Moves moves;
    position.legal_moves(moves);
    for (const Move move : moves) {
      REQUIRE(position.parse_move(position.move_text(move)) == move);
      REQUIRE(position.parse_move(position.san(move)) == move);
    }
  });
}

TEST_CASE("chess: colours are mirror images") {
  // Turn the board upside down and swap the colours: as many moves, opposite scores.
  const auto mirrored = [](const std::string& fen) {
    const std::size_t space = fen.find(' ');
    std::string pieces;
    for (std::size_t end = space; end != std::string::npos && end > 0;) {
      const std::size_t slash = fen.rfind('/', end - 1);
      const std::size_t from = slash == std::string::npos ? 0 : slash + 1;
      pieces += (pieces.empty() ? "" : "/") + fen.substr(from, end - from);
      end = slash;
    }
    std::string rest = fen.substr(space);
    const auto swap_case = [](char c) {
      return static_cast<char>(std::isupper(c) ? std::tolower(c) : std::toupper(c));
    };
    for (auto& c : pieces) c = swap_case(c);
    rest[1] = rest[1] == 'w' ? 'b' : 'w';
    const std::size_t passing = rest.find(' ', 3) + 1;
    std::string rights;
    for (const char right : {'k', 'q', 'K', 'Q'}) {
      if (rest.substr(3, passing - 4).find(right) != std::string::npos) rights += swap_case(right);
    }
    std::string tail = rest.substr(passing);
    if (tail[0] != '-') tail[1] = tail[1] == '3' ? '6' : '3';
    return pieces + rest.substr(0, 3) + (rights.empty() ? "-" : rights) + " " + tail;
  };
  random_games(20, {}, [&](const Position& position, const History&) {
    CAPTURE(position.text());
    const Position mirror = Position::parse(mirrored(position.text()));
    REQUIRE(mirror.count_moves() == position.count_moves());
    const auto outcome = position.outcome();
    const auto reflected = mirror.outcome();
    REQUIRE(outcome.has_value() == reflected.has_value());
    if (!outcome) return;
    REQUIRE(outcome->reason == reflected->reason);
    REQUIRE(outcome->scores[0] == reflected->scores[1]);
    REQUIRE(outcome->scores[0] == -outcome->scores[1]);
  });
}

TEST_CASE("chess: mate, stalemate and dead positions") {
  const Position mate = played("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                               {"f3", "e5", "g4", "Qh4#"});
  CHECK(mate.outcome() == Outcome{"checkmate", {-1, 1}});
  CHECK(reason(Position::parse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")) == "stalemate");
  for (const auto* dead : {"8/8/4k3/8/8/3K4/8/8 w - - 0 1", "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
                           "8/8/4kb2/8/8/3K4/8/8 w - - 0 1", "2b5/8/4kb2/8/8/3K4/8/2B5 w - - 0 1",
                           "8/8/4k3/8/8/B2K4/8/2B5 w - - 0 1"}) {
    CAPTURE(dead);
    const bool one_colour = std::string(dead).substr(0, 3) != "2b5";
    CHECK((reason(Position::parse(dead)) == "insufficient material") == one_colour);
  }
  for (const auto* alive : {"8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", "8/8/4kn2/8/8/3KN3/8/8 w - - 0 1",
                            "8/8/4kn2/8/8/3KB3/8/8 w - - 0 1", "8/8/4k3/8/8/3KP3/8/8 w - - 0 1"}) {
    CAPTURE(alive);
    CHECK(reason(Position::parse(alive)) == "");
  }
}

TEST_CASE("chess: quiet moves draw at the chosen number, and mate comes first") {
  const std::string before = "7k/8/5KR1/8/8/8/8/8 w - - ";
  const Options fifty;
  const Options seventy_five{0, 1};
  CHECK(reason(played(before + "98 90", {"g6g5"}, fifty)) == "");
  CHECK(reason(played(before + "99 90", {"g6g5"}, fifty)) == "fifty-move rule");
  CHECK(reason(played(before + "99 90", {"g6g5"}, seventy_five)) == "");
  CHECK(reason(played(before + "149 90", {"g6g5"}, seventy_five)) == "seventy-five-move rule");
  CHECK(reason(played("7k/8/6K1/8/8/8/8/R7 w - - 99 90", {"a1a8"}, fifty)) == "checkmate");
  CHECK(reason(Position::parse("7k/8/5KR1/8/8/8/8/8 b - - 120 90", fifty)) == "fifty-move rule");
}

TEST_CASE("chess: three or five equal positions draw") {
  const std::vector<std::string> shuffle = {"Nf3", "Nf6", "Ng1", "Ng8"};
  for (const int rule : {0, 1}) {
    Position position = Position::start({static_cast<std::int16_t>(rule), 0});
    History past;
    int plies = 0;
    while (!tempo::outcome(position, past)) {
      const auto& next = shuffle[static_cast<std::size_t>(plies++ % 4)];
      tempo::play(position, past, position.parse_move(next));
    }
    CHECK(plies == (rule == 0 ? 8 : 16));
    CHECK(tempo::outcome(position, past)->reason ==
          (rule == 0 ? "threefold repetition" : "fivefold repetition"));
  }
}

TEST_CASE("chess: positions that differ in what may be played are not equal") {
  // 1 Ke2 Ke7 2 Ke1 Ke8 loses the castling rights: the start is not repeated by that.
  const auto* fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const Position back = played(fen, {"e1e2", "e8e7", "e2e1", "e7e8"});
  CHECK(back.repetition_key() != Position::parse(fen).repetition_key());
  // The double step matters only while some pawn may really take: here the capture would expose
  // the king on a4 to the rook on h4.
  const Position pinned = played("8/8/8/8/k3p2R/8/3P4/3K4 w - - 0 1", {"d2d4"});
  CHECK(pinned.repetition_key() ==
        Position::parse("8/8/8/8/k2Pp2R/8/8/3K4 b - - 0 1").repetition_key());
  const Position open = played("8/8/8/8/k3p3/8/3P3R/3K4 w - - 0 1", {"d2d4"});
  CHECK(open.text() == "8/8/8/8/k2Pp3/8/7R/3K4 b - d3 0 1");
  CHECK(open.repetition_key() !=
        Position::parse("8/8/8/8/k2Pp3/8/7R/3K4 b - - 0 1").repetition_key());
}

TEST_CASE("chess: keys part positions that the clock ends from those it does not") {
  const std::string fen = "7k/8/5KR1/8/8/8/8/8 b - - ";
  const auto key = [&](int clock) {
    return Position::parse(fen + std::to_string(clock) + " 90").key();
  };
  CHECK(key(0) == key(40));
  CHECK(key(99) != key(100));
  CHECK(key(0) != key(100));
  CHECK(Position::parse(fen + "3 9").repetition_key() ==
        Position::parse(fen + "99 90").repetition_key());
}

TEST_CASE("chess: notation, valid and invalid") {
  int cases = 0;
  for (const auto& row : data("notation/chess.txt")) {
    ++cases;
    const std::string& kind = row[0];
    CAPTURE(kind);
    CAPTURE(row[1]);
    REQUIRE(row.size() >= 2);
    if (kind == "valid") {
      const Position position = Position::parse(row[1]);
      CHECK(position.text() == row[row.size() > 2 ? 2 : 1]);
      CHECK(position.check() == "");
    } else if (kind == "invalid") {
      const auto why = thrown<ParseError>([&] { (void)Position::parse(row[1]); });
      CHECK_MESSAGE(contains(why, row[2]), why);
    } else {
      const Position position = Position::parse(row[1]);
      CAPTURE(row[2]);
      const auto parse = [&] { (void)position.parse_move(row[2]); };
      if (kind == "move") {
        CHECK(position.move_text(position.parse_move(row[2])) == row[3]);
      } else if (kind == "illegal") {
        const auto why = thrown<IllegalMove>(parse);
        CHECK_MESSAGE(contains(why, row[3]), why);
      } else {
        REQUIRE(kind == "nonsense");
        const auto why = thrown<ParseError>(parse);
        CHECK_MESSAGE(contains(why, row[3]), why);
      }
    }
  }
  CHECK(cases > 60);
}

TEST_CASE("chess: standard algebraic notation names just enough of the origin") {
  const auto san = [](const char* fen, const char* move) {
    const Position position = Position::parse(fen);
    return position.san(position.parse_move(move));
  };
  CHECK(san("6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1") == "Rad1");
  CHECK(san("7k/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a4") == "R1a4");
  CHECK(san("8/8/8/3Q1Q2/8/k7/8/3Q3K w - - 0 1", "d5f3") == "Qd5f3+");
  CHECK(san("4r2k/8/8/8/8/2N5/4N3/4K3 w - - 0 1", "c3d5") == "Nd5");
  CHECK(san("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8") == "Re8#");
  CHECK(san("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8") == "O-O-O");
  CHECK(san("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q") == "exd8=Q+");
}

TEST_CASE("chess: the printed board") {
  CHECK(Position::start().board() ==
        "8  r n b q k b n r\n7  p p p p p p p p\n6  . . . . . . . .\n5  . . . . . . . .\n"
        "4  . . . . . . . .\n3  . . . . . . . .\n2  P P P P P P P P\n1  R N B Q K B N R\n\n"
        "   a b c d e f g h\nwhite to move\n");
}

}  // namespace test_chess
}  // namespace tempo::chess
