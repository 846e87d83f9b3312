// Jiu: move numbers, perft, the invariants of random games under many rules, turns, ends, symmetry,
// and what searches are told.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "games/jiu/rules.h"
#include "search/perft.h"

namespace tempo::jiu {
namespace test_jiu {

constexpr std::uint64_t seed = 2019;

// `size=6,fly_threshold=0` as options.
Options options_of(const std::string& text) {
  Options options;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const std::size_t equals = item.find('=');
    set_option(options, "jiu", item.substr(0, equals), item.substr(equals + 1));
  }
  return options;
}

// The worked examples are fought without flying and without shapes that end the game.
const std::string example = "fly_threshold=0,min_stones=0,shape_check=off,size=";

Position position(const std::string& options, const std::string& text) {
  return Position::parse(text, options_of(options));
}

std::set<std::string> texts(const Position& at) {
  Position::Moves moves;
  at.legal_moves(moves);
  std::set<std::string> found;
  for (const Move move : moves) found.insert(at.move_text(move));
  return found;
}

Position played(Position at, const std::vector<std::string>& moves) {
  for (const auto& move : moves) at.play(at.parse_move(move));
  return at;
}

std::string reason(const Position& at) {
  const auto end = at.outcome();
  return end ? std::string(end->reason) : "";
}

// Rules far from each other, on boards of every size.
const std::vector<std::string> rule_sets = {
    "size=14",
    "size=4,no_legal_turn=pass,repetition=two",
    "size=6,shape_check=any_time,single_jump_ban=strong,shuttle_limit=on",
    "size=6,literal_14=yes,early_double_dalian=yes,square_capture=optional",
    "size=8,move_dirs=eight,jump_dirs=eight,jumped_removed=end_of_turn,chain_revisit=none",
    "size=8,capture_compulsory=yes,chain_compulsory=yes,square_count=every_landing",
    "size=10,square_targets=outside_squares,formation_bonus=jq,line_capture=on,diagonal=anti",
    "size=12,fly_threshold=20,fly_jump=no,single_jump_ban=both,min_stones=0,shape_check=off",
};

// Calls `visit` with the positions of random games and the stream that draws their moves.
template <class Visit>
void random_games(const std::string& rules, int games, const Visit& visit) {
  const Options options = options_of(rules);
  for (int game = 0; game < games; ++game) {
    Random random(seed, static_cast<std::uint64_t>(game));
    Position at = Position::start(options);
    History past;
    int length = 0;
    while (true) {
      visit(at, random);
      if (tempo::outcome(at, past)) break;
      tempo::play(at, past, at.random_move(random));
      REQUIRE(++length <= Position::length_bound(options));
    }
  }
}

TEST_CASE("jiu: a move number and what it means are one to one, on every size") {
  for (const char* size : {"4", "6", "8", "10", "12", "14"}) {
    const Position start = Position::start(options_of(std::string("size=") + size));
    const int numbers = Position::move_numbers(start.options());
    std::map<Kind, int> kinds;
    for (int number = 0; number < numbers; ++number) {
      const Move move{static_cast<std::uint16_t>(number)};
      const Action what = start.action(move);
      REQUIRE(start.move_of(what) == move);
      ++kinds[what.kind];
    }
    const int points = start.size() * start.size();
    CHECK(kinds[Kind::Step] == points * points);
    CHECK(kinds[Kind::Jump] == 8 * points);
    CHECK(kinds[Kind::Place] == points);
    CHECK(kinds[Kind::Take] == points);
    CHECK(kinds[Kind::Stop] == 1);
    CHECK(start.action(Move{static_cast<std::uint16_t>(numbers)}).kind == Kind::None);
  }
}

// tests/data/perft/jiu.txt: [options] position ; D<depth> <sequences> ; ...
TEST_CASE("jiu: perft equals the numbers of the slow rules") {
  std::ifstream file(TEMPO_TEST_DATA "/perft/jiu.txt");
  REQUIRE(file);
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    INFO(line);
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ';');
    std::string options;
    if (field[0] == '[') {
      options = field.substr(1, field.find(']') - 1);
      field.erase(0, field.find(']') + 2);
    }
    const Position at = position(options, field.substr(0, field.find_last_not_of(' ') + 1));
    while (std::getline(fields, field, ';')) {
      std::istringstream entry(field);
      char d = 0;
      int depth = 0;
      std::uint64_t sequences = 0;
      entry >> d >> depth >> sequences;
      REQUIRE(!entry.fail());
      if (sequences > 30'000) continue;
      CHECK(perft(at, depth) == sequences);
      ++checked;
    }
  }
  CHECK(checked > 150);
}

TEST_CASE("jiu: random games stay sound under every rule") {
  INFO("seed " << seed);
  for (const std::string& rules : rule_sets) {
    INFO(rules);
    const Options options = options_of(rules);
    const int games = options.size() > 8 ? 2 : 6;
    int count = 0;
    random_games(rules, games, [&](const Position& at, const Random& random) {
      Position::Moves moves;
      at.legal_moves(moves);
      REQUIRE(at.count_moves() == moves.size());
      REQUIRE(moves.empty() == at.is_over());
      if (!moves.empty()) {
        // Drawn without a list, the same move as from the list.
        Random one = random;
        Random other = random;
        REQUIRE(at.random_move(one) == moves[static_cast<int>(other.below(moves.size()))]);
        REQUIRE(one.state() == other.state());
      }
      if (++count % 5 != 0) return;
      INFO(at.text());
      REQUIRE(at.check().empty());
      REQUIRE(at.key() == at.scratch_key());
      REQUIRE(Position::parse(at.text(), options) == at);
    });
  }
}

TEST_CASE("jiu: what a search tries past its horizon is legal, and hints are one for one") {
  INFO("seed " << seed);
  for (const std::string& rules : rule_sets) {
    INFO(rules);
    int noisy_seen = 0;
    int count = 0;
    random_games(rules, 2, [&](const Position& at, const Random&) {
      if (++count % 3 != 0) return;
      Position::Moves all;
      Position::Moves noisy;
      at.legal_moves(all);
      at.noisy_moves(noisy);
      const std::set<Move> legal(all.begin(), all.end());
      const std::set<Move> tried(noisy.begin(), noisy.end());
      REQUIRE(static_cast<int>(tried.size()) == noisy.size());
      REQUIRE(std::includes(legal.begin(), legal.end(), tried.begin(), tried.end()));
      // Inside a turn there is always a way to its end, and it is never a quiet one.
      if (at.in_turn()) REQUIRE_FALSE(noisy.empty());
      if (at.stage() == Stage::Preparation) REQUIRE(noisy.empty());
      std::vector<int> hints(static_cast<std::size_t>(all.size()));
      at.order_hints(all, hints.data());
      for (int i = 0; i < all.size(); i += 7) {
        REQUIRE(at.order_hint(all[i]) == hints[static_cast<std::size_t>(i)]);
      }
      noisy_seen += noisy.size();
    });
    CHECK(noisy_seen > 20);
  }
}

// Whether a displacement takes anything: a jump, or a square that has to be paid for.
bool captures(const Position& at, Move move) {
  if (at.action(move).kind == Kind::Jump) return true;
  Position after = at;
  after.play(move);
  return after.in_turn();
}

TEST_CASE("jiu: a new turn is noisy when it captures, and captures are hinted first") {
  int quiet_seen = 0;
  random_games("size=8", 6, [&](const Position& at, const Random&) {
    if (at.stage() != Stage::Battle || at.in_turn() || at.is_over()) return;
    Position::Moves all;
    Position::Moves noisy;
    at.legal_moves(all);
    at.noisy_moves(noisy);
    const std::set<Move> tried(noisy.begin(), noisy.end());
    std::vector<int> hints(static_cast<std::size_t>(all.size()));
    at.order_hints(all, hints.data());
    for (int i = 0; i < all.size(); ++i) {
      const bool capture = captures(at, all[i]);
      REQUIRE(tried.contains(all[i]) == capture);
      REQUIRE((hints[static_cast<std::size_t>(i)] >= 1000) == capture);
      quiet_seen += !capture;
    }
  });
  CHECK(quiet_seen > 1000);
}

TEST_CASE("jiu: the preparation and its end (examples 1 to 4)") {
  const Position start = Position::start({});
  CHECK(texts(start) == std::set<std::string>{"G7", "H8"});
  CHECK(texts(played(start, {"G7"})) == std::set<std::string>{"H8"});
  CHECK(texts(played(start, {"H8"})) == std::set<std::string>{"G7"});
  CHECK(played(start, {"G7", "H8"}).count_moves() == 194);

  const Position small = played(
      Position::start(options_of("size=4")),
      {"B2", "C3", "A1", "A2", "A3", "A4", "B1", "B3", "B4", "C1", "C2", "C4", "D1", "D2", "D3"});
  CHECK(small.stage() == Stage::Preparation);
  const Position battle = played(small, {"D4"});
  CHECK(battle.text() == "oxox/o1xo/xo1x/oxox x battle 0 0");
  CHECK(texts(battle) ==
        std::set<std::string>{"A2-B2", "B3-B2", "B3-C3", "C4-C3", "C1-C3", "D2-B2"});
  CHECK(battle ==
        Position::battle(battle.stones(white), battle.stones(black), black, battle.options()));
}

TEST_CASE("jiu: a turn is several moves of one seat (examples 6, 11, 14)") {
  const Position chain = position(example + "6", "6/6/xo1o2/6/6/6 x battle 0 0");
  const Position once = played(chain, {"C1-C3"});
  CHECK(once.turn() == chain.turn());
  CHECK(once.in_turn());
  CHECK(texts(once) == std::set<std::string>{"-C5", "stop"});
  CHECK(played(once, {"stop"}).text() == "6/6/2xo2/6/6/6 o battle 0 1");
  CHECK(reason(played(once, {"-C5"})) == "immobile");  // White has no stone left

  const Position two = position(example + "6", "6/1xxx2/1x1x2/2x3/4oo/3ooo x battle 0 0");
  const Position due = played(two, {"D3-C3"});
  CHECK(due.due() == 2);
  CHECK(texts(due) == std::set<std::string>{"*E5", "*E6", "*F4", "*F5", "*F6"});
  const Position left = played(due, {"*F6"});
  CHECK(left.turn() == two.turn());
  CHECK(left.due() == 1);
  // The set counts, not the order.
  CHECK(played(left, {"*E5"}) == played(due, {"*E5", "*F6"}));
  CHECK(played(left, {"*E5"}).text() == "6/1xxx2/1xxx2/6/5o/3oo1 o battle 0 1");

  const Position passing = position(example + "6", "6/1xx3/1x1ox1/2o3/6/5o x battle 0 0");
  CHECK(played(passing, {"C5-C3", "stop"}).due() == 1);
  CHECK(played(passing, {"C5-C3", "-E3"}).text() == "6/1xx3/1x4/6/2x3/5o o battle 0 1");
}

TEST_CASE("jiu: flights and the ban of single jumps (examples 21 to 23)") {
  const std::string flyer = "x4o/6/xo2x1/6/x5/xx2oo x battle 0 0";
  const auto with = [&](const std::string& more) {
    return position("size=6,min_stones=0,shape_check=off," + more, flyer);
  };
  CHECK(with("fly_threshold=6").count_moves() == 157);
  CHECK(with("fly_threshold=5").count_moves() == 13);
  CHECK(with("fly_threshold=6,fly_jump=no").count_moves() == 156);
  CHECK(played(with("fly_threshold=6"), {"C1~C3"}).count(white) == 4);
  CHECK(played(with("fly_threshold=6"), {"C1-C3"}).count(white) == 3);

  const Position four = position("size=6,min_stones=0,shape_check=off,fly_threshold=9",
                                 "xxx3/x1x3/xxx3/6/o1o2x/o1o1o1 x battle 0 0");
  CHECK(played(four, {"E6~B2"}).due() == 4);

  const std::string banned = "xo4/6/xo1o2/6/xxx2o/xx2oo x battle 0 0";
  const Position strong = position(
      "size=6,min_stones=0,shape_check=off,fly_threshold=6,single_jump_ban=strong", banned);
  CHECK(texts(strong).count("A1-A3") == 0);
  CHECK(texts(played(strong, {"C1-C3"})) == std::set<std::string>{"-C5"});
}

TEST_CASE("jiu: how games end (examples 24 to 26)") {
  CHECK(reason(position(example + "4", "oxx1/x3/x3/4 o battle 0 0")) == "immobile");
  const Position four =
      position("size=6,fly_threshold=0,shape_check=off", "x1xx2/xxxx2/6/6/2o1o1/3o1o x battle 0 0");
  CHECK(reason(played(four, {"A3-A2", "*E3"})) == "material");

  const Position shape =
      position("size=8", "x1xx3x/xxxx3x/8/o1o1o1o1/8/o1o1o1o1/8/o7 x battle 0 0");
  CHECK(reason(played(shape, {"A3-A2", "*H1"})) == "shape");
  const Position reversal =
      position("size=8", "x1x1x1x1/8/x1x1x1x1/2xo4/8/o1o1oo2/4o2o/o1o5 x battle 0 0");
  const Position turned = played(reversal, {"D3-D5"});
  CHECK(reason(turned) == "reversal");
  CHECK(turned.outcome()->scores[white] == 1.0F);
  const Position on = position("size=8", "x1xx3x/xxxx3x/8/o1o1o3/8/o1oo4/2o5/o6o x battle 0 0");
  const Position both = played(on, {"A3-A2", "*H8"});
  CHECK(reason(both).empty());
  CHECK(both.flies(white));
  const Position neither =
      position("size=8", "x1x1x1x1/8/x1x1x1x1/2xo4/8/o1o1o2o/8/o1o1o2o x battle 0 0");
  CHECK(reason(played(neither, {"D3-D5"})).empty());
}

TEST_CASE("jiu: a third time is a draw, or lost by the player who repeats (example 27)") {
  for (const auto& [rule, scores] : {std::pair{"three", Scores{0, 0}}, {"forbid", Scores{-1, 1}}}) {
    Position at = position("size=6,fly_threshold=0,shape_check=off,repetition=" + std::string(rule),
                           "xxxx2/6/6/6/6/oooo2 x battle 0 0");
    History past;
    for (int lap = 0; lap < 2; ++lap) {
      for (const char* move : {"A4-A5", "F4-F5", "A5-A4", "F5-F4"}) {
        REQUIRE_FALSE(tempo::outcome(at, past));
        tempo::play(at, past, at.parse_move(move));
      }
    }
    const auto end = tempo::outcome(at, past);
    REQUIRE(end);
    CHECK(end->reason == "repetition");
    CHECK(end->scores == scores);  // White comes back last
  }
}

TEST_CASE("jiu: symmetries keep moves, play and ends") {
  INFO("seed " << seed);
  for (const std::string& rules : rule_sets) {
    INFO(rules);
    int count = 0;
    random_games(rules, 1, [&](const Position& at, const Random& random) {
      if (++count % 11 != 0) return;
      Position::Moves moves;
      at.legal_moves(moves);
      for (int symmetry = 0; symmetry < Position::symmetries; ++symmetry) {
        const Position image = at.transformed(symmetry);
        REQUIRE(image.transformed(symmetry) == at);  // each is its own inverse
        REQUIRE(image.check().empty());
        REQUIRE(image.count_moves() == moves.size());
        REQUIRE(image.outcome() == at.outcome());
        if (moves.empty()) continue;
        Random draw = random;
        const Move move = at.random_move(draw);
        Position next = at;
        next.play(move);
        Position image_next = image;
        REQUIRE(image.is_legal(at.transformed_move(move, symmetry)));
        image_next.play(at.transformed_move(move, symmetry));
        REQUIRE(image_next == next.transformed(symmetry));
      }
    });
  }
}

}  // namespace test_jiu
}  // namespace tempo::jiu
