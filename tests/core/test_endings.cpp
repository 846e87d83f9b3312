// Endings: their names, their positions by number, the graph of moves, tables, and play by them.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "games/chess/endings/family.h"
#include "games/chess/endings/material.h"
#include "games/chess/endings/play.h"
#include "games/chess/endings/retrograde.h"
#include "games/chess/endings/space.h"
#include "games/chess/endings/tables.h"
#include "games/chess/rules.h"

namespace test_endings {

using namespace tempo;
using namespace tempo::endings;
using chess::Position;

std::string refusal(std::string_view name) {
  try {
    return "accepted as " + Material::parse(name).name();
  } catch (const ParseError& error) {
    return error.what();
  }
}

Board turned_board(const Board& board, int t) {
  Board result{};
  for (Square s = 0; s < 64; ++s) {
    const Kind kind = board.kind_at(s);
    if (kind == chess::no_kind) continue;
    const bool dark = (board.sides[chess::black] & chess::bit(s)) != 0;
    result.toggle(dark ? chess::black : chess::white, kind, chess::bit(turned(s, t)));
  }
  if (board.en_passant != 0)
    result.en_passant = static_cast<std::uint8_t>(turned(board.en_passant, t));
  return result;
}

// Every placement of the material on the board, the slow and obvious way.
template <class Function>
void place_all(const Material& material, int man, Board board, Function function) {
  if (man == material.size() + 2) return function(board);
  const Man next =
      man < 2 ? Man{man == 0 ? chess::white : chess::black, chess::king} : material[man - 2];
  for (Square s = 0; s < 64; ++s) {
    if ((board.occupied() & chess::bit(s)) != 0) continue;
    Board with = board;
    with.toggle(next.colour, next.kind, chess::bit(s));
    place_all(material, man + 1, with, function);
  }
}

TEST_CASE("an ending's name is read strictly") {
  CHECK(Material::parse("KRK").name() == "KRK");
  CHECK(Material::parse("KBNK").name() == "KBNK");
  CHECK(Material::parse("KKR").name() == "KKR");
  CHECK(refusal("krk").find("capitals") != std::string::npos);
  CHECK(refusal("KNBK").find("write KBNK") != std::string::npos);
  CHECK(refusal("KK").find("3 or 4 pieces, not 2") != std::string::npos);
  CHECK(refusal("KQRBK").find("3 or 4 pieces, not 5") != std::string::npos);
  CHECK(refusal("QKK").find("begins with its king") != std::string::npos);
  CHECK(refusal("KR").find("two kings") != std::string::npos);
  CHECK(refusal("KRKK").find("two kings") != std::string::npos);
  CHECK(refusal("").find("two kings") != std::string::npos);
}

TEST_CASE("colours can be exchanged, and White is the stronger side of a canonical material") {
  CHECK(Material::parse("KRKQ").canonical().name() == "KQKR");
  CHECK(Material::parse("KKBN").canonical().name() == "KBNK");
  CHECK(Material::parse("KPKP").is_canonical());
  CHECK(Material::parse("KPKN").canonical().name() == "KNKP");
}

TEST_CASE("a family is closed under captures and promotions") {
  const auto names = [](std::string_view name) {
    std::set<std::string> found;
    for (const Material& m : Material::parse(name).family()) found.insert(m.name());
    return found;
  };
  CHECK(names("KBNK") == std::set<std::string>{"KBNK"});
  CHECK(names("KPK") == std::set<std::string>{"KPK", "KQK", "KRK"});
  CHECK(names("KQKR") == std::set<std::string>{"KQKR", "KQK", "KKR"});
  CHECK(names("KNKP") ==
        std::set<std::string>{"KNKP", "KNKQ", "KNKR", "KNKB", "KNKN", "KKP", "KKQ", "KKR"});
  CHECK(names("KPKP").size() == 1 + 4 + 4 + 16 + 6);
}

TEST_CASE("three-piece spaces hold every legal position exactly once up to symmetry") {
  for (const std::string_view name : {"KRK", "KKQ", "KPK", "KNK"}) {
    CAPTURE(name);
    const Material material = Material::parse(name);
    const Space space(material);
    std::vector<int> seen(static_cast<std::size_t>(space.size()));
    place_all(material, 0, Board{}, [&](const Board& board) {
      for (const Colour turn : {chess::white, chess::black}) {
        const Number number = space.number_of(board, turn);
        const bool legal = chess::unsound(board, turn).empty();
        REQUIRE((number != none) == legal);
        if (!legal) continue;
        ++seen[static_cast<std::size_t>(number)];
        REQUIRE((number < space.first_black()) == (turn == chess::white));
      }
    });
    for (Number n = 0; n < space.size(); ++n) {
      REQUIRE(seen[static_cast<std::size_t>(n)] == space.orbit(n));
      const Place at = space.place(n);
      REQUIRE(space.number_of(at.board, at.turn) == n);
    }
  }
}

TEST_CASE(
    "random placements of four pieces: legal exactly if numbered, mirrorings share the number") {
  constexpr std::uint64_t seed = 4;
  CAPTURE(seed);
  Random random(seed);
  for (const std::string_view name : {"KBNK", "KRRK", "KNNK", "KPPK", "KPKP", "KQKP", "KRKQ"}) {
    CAPTURE(name);
    const Material material = Material::parse(name);
    const Space space(material);
    const int symmetries = material.has_pawns() ? 2 : 8;
    for (int i = 0; i < 5000; ++i) {
      Board board{};
      const auto put = [&](Man man) {
        const Bitboard bit = chess::bit(static_cast<Square>(random.below(64)));
        if ((board.occupied() & bit) == 0) board.toggle(man.colour, man.kind, bit);
      };
      put({chess::white, chess::king});
      put({chess::black, chess::king});
      put(material[0]);
      put(material[1]);
      if (chess::count(board.occupied()) != 4) continue;
      const auto turn = static_cast<Colour>(random.below(2));
      const Number number = space.number_of(board, turn);
      CAPTURE(name);
      const bool pawns_fit =
          (board.kinds[chess::pawn] & (chess::rank_set(0) | chess::rank_set(7))) == 0;
      REQUIRE((number != none) == (pawns_fit && chess::unsound(board, turn).empty()));
      if (number == none) continue;
      std::set<std::vector<Bitboard>> images;
      for (int t = 0; t < symmetries; ++t) {
        const Board image = turned_board(board, t);
        REQUIRE(space.number_of(image, turn) == number);
        std::vector<Bitboard> sets(std::begin(image.kinds), std::end(image.kinds));
        sets.push_back(image.sides[chess::white]);
        images.insert(sets);
      }
      REQUIRE(static_cast<int>(images.size()) == space.orbit(number));
      const Place at = space.place(number);
      REQUIRE(at.turn == turn);
      REQUIRE(space.number_of(at.board, at.turn) == number);
    }
  }
}

TEST_CASE("en passant has numbers of its own") {
  const Space space(Material::parse("KPKP"));
  const auto number = [&](std::string_view fen) {
    const Position p = Position::parse(fen);
    return space.number_of(p.pieces(), p.colour());
  };
  const Number with = number("8/8/8/K7/2pP4/8/8/7k b - d3 0 1");
  const Number without = number("8/8/8/K7/2pP4/8/8/7k b - - 0 1");
  CHECK(with != none);
  CHECK(without != none);
  CHECK(with != without);
  CHECK(number("8/8/8/7K/4Pp2/8/8/k7 b - e3 0 1") == with);
  const Place at = space.place(with);
  CHECK(Position::of(at.board, at.turn).check().empty());
  CHECK(at.board.en_passant != 0);
  // Every one of them is a sound position with a capture to make.
  int seen = 0;
  for (Number n = 0; n < space.size(); ++n) {
    const Place place = space.place(n);
    if (place.board.en_passant == 0) continue;
    ++seen;
    REQUIRE(space.number_of(place.board, place.turn) == n);
    if (seen % 16 != 0) continue;
    REQUIRE(Position::of(place.board, place.turn).pieces() == place.board);
  }
  CHECK(seen > 40000);
}

TEST_CASE("successors follow the order of legal moves, and flags say how a position ended") {
  constexpr std::uint64_t seed = 5;
  CAPTURE(seed);
  Random random(seed);
  for (const std::string_view name : {"KRK", "KPK", "KQKR", "KBKB"}) {
    CAPTURE(name);
    const Family family(Material::parse(name));
    for (int i = 0; i < 3000; ++i) {
      const auto number =
          static_cast<Number>(random.below(static_cast<std::uint32_t>(family.dead())));
      const Place at = family.place(number);
      const Position position = Position::of(at.board, at.turn);
      chess::Moves moves;
      position.legal_moves(moves);
      std::vector<Number> expected;
      for (const Move move : moves) {
        Position next = position;
        next.play(move);
        expected.push_back(family.number_of(next.pieces(), next.colour()));
      }
      std::vector<Number> found;
      const std::uint8_t flags =
          family.visit_successors(number, [&](Number n) { found.push_back(n); });
      REQUIRE(found == expected);
      REQUIRE(std::find(found.begin(), found.end(), none) == found.end());
      const auto outcome = position.outcome();
      REQUIRE((flags == mate) == (outcome && outcome->reason == "checkmate"));
      REQUIRE((flags == stalemate) == (outcome && outcome->reason == "stalemate"));
      REQUIRE((flags == insufficient) == (outcome && outcome->reason == "insufficient material"));
    }
  }
}

TEST_CASE("the graph does not depend on threads") {
  const Family family(Material::parse("KPK"));
  Pool one(1);
  Pool two(2);
  const Family::Graph a = family.graph(one);
  const Family::Graph b = family.graph(two);
  CHECK(a.offsets == b.offsets);
  CHECK(a.offsets.size() == static_cast<std::size_t>(family.size()) + 1);
  const std::span in_one(a.successors.get(), static_cast<std::size_t>(a.offsets.back()));
  CHECK(std::equal(in_one.begin(), in_one.end(), b.successors.get()));
  CHECK(std::count(in_one.begin(), in_one.end(), family.dead()) > 0);
  CHECK(family.flags(family.dead()) == insufficient);
}

// Tables of an ending and of all it needs.
struct Solved {
  Tables tables;
  std::deque<std::vector<Verdict>> kept;

  explicit Solved(std::string_view name, int threads = 1) {
    Pool pool(threads);
    for (const Material& material : Tables::needed(Material::parse(name))) {
      auto space = std::make_shared<const Space>(material);
      kept.push_back(Solver(*space, tables).run(pool));
      tables.add(std::move(space), kept.back());
    }
  }
  std::vector<Verdict> verdicts(const Family& family) const {
    std::vector<Verdict> all(static_cast<std::size_t>(family.size()));
    Pool pool(1);
    REQUIRE(tables.fill(family, all, pool));
    return all;
  }
};

// Each verdict must follow from those of the successors: then all are right, for a wrong one would
// need a wrong one nearer to mate. (Draws that are wins would pass here; the counts below catch
// those.)
void require_consistent(const Family& family, std::span<const Verdict> verdicts) {
  const Judge judge{family, verdicts};
  for (Number n = 0; n < family.size(); ++n) {
    Verdict quickest = 255;
    Verdict slowest = drawn;
    bool holds = false;
    const std::uint8_t flags = family.visit_successors(n, [&](Number next) {
      const Verdict verdict = before(judge[next]);
      if (is_won(verdict)) quickest = std::min(quickest, verdict);
      if (is_lost(verdict)) slowest = std::max(slowest, verdict);
      holds = holds || verdict == drawn;
    });
    Verdict expected = flags == mate ? mated : drawn;
    if (flags == 0) expected = quickest != 255 ? quickest : holds ? drawn : slowest;
    REQUIRE(judge[n] == expected);
  }
}

TEST_CASE("KRK, KQK and KPK are solved to the known counts") {
  const Solved solved("KPK");
  const auto sum = [&](std::string_view name, Colour turn) {
    return summarise(*solved.tables.find(Material::parse(name)), turn);
  };
  const Summary rook_white = sum("KRK", chess::white);
  CHECK(rook_white.positions == 175168);
  CHECK(rook_white.wins == 175168);
  CHECK(rook_white.longest_win == 31);
  const Summary rook_black = sum("KRK", chess::black);
  CHECK(rook_black.positions == 223944);
  CHECK(rook_black.losses == 201700);
  CHECK(rook_black.mates == 216);
  CHECK(rook_black.stalemates == 68);
  const Summary queen_black = sum("KQK", chess::black);
  CHECK(queen_black.losses == 200896);
  CHECK(queen_black.mates == 364);
  CHECK(queen_black.stalemates == 872);
  const Summary pawn_white = sum("KPK", chess::white);
  CHECK(pawn_white.positions == 2 * 81664);
  CHECK(pawn_white.wins == 124960);
  CHECK(pawn_white.longest_win == 55);
  const Family family(Material::parse("KPK"));
  require_consistent(family, solved.verdicts(family));
}

TEST_CASE(
    "verdicts follow from those of the successors, with twins, both sides armed, colours swapped") {
  for (const std::string_view name : {"KRRK", "KKQ"}) {
    CAPTURE(name);
    const Family family(Material::parse(name));
    require_consistent(family, Solved(name).verdicts(family));
  }
}

TEST_CASE("moves and moves taken back are the same pairs of positions, en passant included") {
  constexpr std::uint64_t seed = 8;
  CAPTURE(seed);
  Random random(seed);
  for (const std::string_view name : {"KPKP", "KPPK", "KQKP", "KRRK", "KRKN"}) {
    CAPTURE(name);
    const Space space(Material::parse(name));
    const auto quiet = [&](Number n) {
      std::set<Number> next;
      const Place at = space.place(n);
      visit_replies(at, [&](const Board& board) {
        if (Material::of(board) == space.material())
          next.insert(space.number_of(board, chess::other(at.turn)));
      });
      return next;
    };
    const auto back = [&](Number n) {
      std::set<Number> earlier;
      visit_predecessors(space, space.place(n), [&](Number m) { earlier.insert(m); });
      return earlier;
    };
    for (int i = 0; i < 1000; ++i) {
      auto n = static_cast<Number>(random.below(static_cast<std::uint32_t>(space.size())));
      // Every other time a position with en passant, where there are some: the last of each turn.
      if (name == "KPKP" && i % 2 == 0)
        n = (i % 4 == 0 ? space.first_black() : space.size()) - 1 -
            static_cast<Number>(random.below(10000));
      for (const Number next : quiet(n)) REQUIRE(back(next).count(n) == 1);
      for (const Number earlier : back(n)) REQUIRE(quiet(earlier).count(n) == 1);
    }
  }
}

TEST_CASE("a solver wants the smaller endings first, and threads do not change what it finds") {
  const Space space(Material::parse("KPK"));
  const Tables empty;
  CHECK_THROWS_AS(Solver(space, empty), std::invalid_argument);
  CHECK(Solved("KPK", 1).kept.back() == Solved("KPK", 2).kept.back());
}

TEST_CASE("a position is probed in either colour") {
  const Solved solved("KRK");
  const auto probe = [&](std::string_view fen) {
    const Position p = Position::parse(fen);
    return solved.tables.probe({p.pieces(), p.colour()});
  };
  CHECK(probe("3R3k/8/6K1/8/8/8/8/8 b - - 0 1") == mated);
  CHECK(probe("7k/8/6K1/8/8/8/8/3R4 w - - 0 1") == mated + 1);
  CHECK(probe("8/8/8/8/8/1k6/8/K2r4 w - - 0 1") == mated);
  CHECK(probe("8/8/8/1k6/8/8/1r6/K7 w - - 0 1") == drawn);
  CHECK(probe("8/8/8/1k6/8/8/1n6/K7 w - - 0 1") == drawn);
  CHECK(probe("8/8/8/1k6/8/8/8/K6Q w - - 0 1") == std::nullopt);
}

TEST_CASE(
    "perfect play takes exactly as long as the tables say; a fixed perfect choice is worth 1") {
  const Solved solved("KRK");
  const Family family(Material::parse("KRK"));
  const std::vector<Verdict> verdicts = solved.verdicts(family);
  const Judge judge{family, verdicts};
  constexpr std::uint64_t seed = 6;
  CAPTURE(seed);
  Random random(seed);
  std::vector<Number> choice(verdicts.size(), none);
  for (Number n = 0; n < family.size(); ++n) {
    Successors next(family, n);
    if (next.all().empty()) continue;
    next.keep_best(judge, judge[n]);
    choice[static_cast<std::size_t>(n)] = next.any(random);
  }
  Pool pool(2);
  check_choice(family, choice, chess::white, pool);
  const Policy perfect{choice, 0};
  for (int i = 0; i < 200; ++i) {
    const auto n = static_cast<Number>(random.below(static_cast<std::uint32_t>(family.dead())));
    if (is_won(judge[n]))
      REQUIRE(play_attack(judge, perfect, n, 100, random) == plies_of(judge[n]));
    if (is_lost(judge[n])) REQUIRE(play_defence(judge, perfect, n, random) == plies_of(judge[n]));
  }
  for (const Defence defence : {Defence::perfect, Defence::any}) {
    const Worth worth = attack_worth(judge, choice, chess::white, 50, defence, pool);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const bool white_wins = family.turn(static_cast<Number>(i)) == chess::white
                                  ? is_won(verdicts[i])
                                  : is_lost(verdicts[i]);
      REQUIRE(worth.won[i] == (white_wins ? 1.0F : 0.0F));
      REQUIRE(worth.plies[i] == doctest::Approx(white_wins ? plies_of(verdicts[i]) : 0));
    }
  }
  const std::vector<float> plies = defence_worth(judge, choice, chess::black);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i] != drawn) REQUIRE(plies[i] == doctest::Approx(plies_of(verdicts[i])));
  }
  choice[0] = family.size() - 2;
  CHECK_THROWS_AS(check_choice(family, choice, chess::white, pool), ParseError);
}

TEST_CASE("the worth of a poor choice is what its games come to") {
  const Solved solved("KQK");
  const Family family(Material::parse("KQK"));
  const std::vector<Verdict> verdicts = solved.verdicts(family);
  const Judge judge{family, verdicts};
  constexpr std::uint64_t seed = 7;
  CAPTURE(seed);
  Random random(seed);
  // The best move three times in four, else any: wins many games, slowly, and spoils some.
  std::vector<Number> choice(verdicts.size(), none);
  for (Number n = 0; n < family.size(); ++n) {
    Successors next(family, n);
    if (next.all().empty()) continue;
    if (random.below(4) != 0) next.keep_best(judge, judge[n]);
    choice[static_cast<std::size_t>(n)] = next.any(random);
  }
  Pool pool(1);
  const Worth worth = attack_worth(judge, choice, chess::white, 50, Defence::perfect, pool);
  const Worth worst = attack_worth(judge, choice, chess::white, 50, Defence::any, pool);
  const std::vector<float> held = defence_worth(judge, choice, chess::black);
  const Policy policy{choice, 0};
  double won = 0, played = 0, expected_won = 0, expected_plies = 0, plies = 0;
  double lost = 0, expected_lost = 0;
  for (int i = 0; i < 40000; ++i) {
    const auto n = static_cast<Number>(random.below(static_cast<std::uint32_t>(family.dead())));
    const auto at = static_cast<std::size_t>(n);
    REQUIRE(worst.won[at] <= worth.won[at] + 1e-6F);
    if (is_won(judge[n])) {
      const int length = play_attack(judge, policy, n, 100, random);
      played += 1;
      won += length > 0 ? 1 : 0;
      plies += length;
      expected_won += worth.won[at];
      expected_plies += worth.plies[at];
    } else if (is_lost(judge[n])) {
      lost += play_defence(judge, policy, n, random);
      expected_lost += held[at];
    }
  }
  REQUIRE(played > 10000);
  CHECK(won < 0.99 * played);
  CHECK(won > 0.3 * played);
  CHECK(won == doctest::Approx(expected_won).epsilon(0.02));
  CHECK(plies == doctest::Approx(expected_plies).epsilon(0.02));
  CHECK(lost == doctest::Approx(expected_lost).epsilon(0.02));
}

}  // namespace test_endings
