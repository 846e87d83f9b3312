// Siguo in the core: counts of moves, deployments as the formula says, determinizations that repeat
// the whole past and come equally often.
#include "games/siguo/rules.h"

#include <doctest/doctest.h>

#include <map>

#include "games/siguo/belief.h"
#include "search/perft.h"

namespace test_siguo {

using namespace tempo;
using namespace tempo::siguo;

const Options plain;

Seat seat_number(int seat) { return Seat{static_cast<std::uint8_t>(seat)}; }

Position after(Position position, int plies, Random& random) {
  while (plies-- > 0 && !position.outcome()) position.play(position.random_move(random));
  return position;
}

Options options_of(const std::vector<std::pair<std::string, std::string>>& given) {
  Options options;
  for (const auto& [name, value] : given) set_option(options, Position::name, name, value);
  return options;
}

TEST_CASE("siguo: move counts of the starts") {
  const std::string army = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B";
  const Position same =
      Position::parse("S=" + army + " E=" + army + " N=" + army + " W=" + army, plain);
  CHECK(perft(same, 1) == 41);
  CHECK(perft(same, 2) == 1678);
  CHECK(perft(same, 3) == 68219);
  CHECK(perft(Position::start(plain), 3) == 68986);
}

TEST_CASE("siguo: a deployment is drawn as often as any other") {
  // Prior chances by row: flag, mine, bomb, and all ranks together.
  Random random(5);
  std::array<std::array<int, kinds>, slots> seen{};
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const Deployment drawn = draw_deployment(false, random);
    REQUIRE(deployment_fault(drawn, false) == "");
    for (int slot = 0; slot < slots; ++slot) ++seen[at(slot)][drawn[at(slot)]];
  }
  for (int slot = 0; slot < slots; ++slot) {
    const int offset = slot_offsets[at(slot)];
    const bool rear = offset >= 20;
    const bool locked = is_headquarters(offset);
    const double flag = locked ? 1.0 / 2 : 0;
    const double mine = locked ? 1.0 / 6 : rear ? 1.0 / 3 : 0;
    const double bomb = locked ? 1.0 / 24 : rear ? 1.0 / 12 : offset >= 5 ? 1.0 / 8 : 0;
    const double captain = (1 - flag - mine - bomb) * 3 / 19;
    for (const auto& [kind, chance] : {std::pair(Flag, flag), std::pair(Mine, mine),
                                       std::pair(Bomb, bomb), std::pair(Captain, captain)})
      CHECK(seen[at(slot)][kind] / double(draws) == doctest::Approx(chance).epsilon(0.02).scale(1));
  }
}

TEST_CASE("siguo: deployments by number, and good ones drawn from all of them") {
  static_assert(deployments(false) == 709'596'419'051'520'000);
  static_assert(deployments(true) * 2 == deployments(false));
  Random random(6);
  double uniform = 0;
  double learned = 0;
  const int draws = 2000;
  for (int i = 0; i < draws; ++i) {
    const bool one = i % 2 == 1;
    const Deployment drawn = deployment_of(random.next() % deployments(one), one);
    REQUIRE(deployment_fault(drawn, one) == "");
    Deployment mirror{};
    for (int slot = 0; slot < slots; ++slot) mirror[at(mirrored_slots[at(slot)])] = drawn[at(slot)];
    CHECK(worth_of(mirror) == worth_of(drawn));
    uniform += worth_of(drawn);
    const Deployment good = draw_learned(one, random);
    REQUIRE(deployment_fault(good, one) == "");
    learned += worth_of(good);
  }
  CHECK(learned / draws > uniform / draws + 100);
}

TEST_CASE("siguo: every sound deployment is sound") {
  for (const auto text : sound_deployments) {
    const Deployment read = read_deployment(text);
    CHECK(deployment_fault(read, false) == "");
    CHECK(deployment_text(read) == text);
  }
}

// Sets up the drawn armies and plays the game again: the seat sees the same all along.
TEST_CASE("siguo: a determinization repeats the whole past") {
  const std::vector<std::vector<std::pair<std::string, std::string>>> rules = {
      {},
      {{"info", "double_open"}, {"battle_reveal", "fighters"}, {"turn_order", "cw"}},
      {{"battle_reveal", "everyone"}, {"mine_hit", "both_gone"}, {"flag_reveal", "none"}},
      {{"pass_limit", "3"}, {"flag_taker", "not_general"}, {"bomb_flag", "forbidden"}},
      {{"flag_taker", "sapper"}, {"arc", "corner"}, {"rail_straight", "unbent"}},
      {{"rail_straight", "three_steps"}, {"c5_stop", "no"}, {"camps", "own"}},
      {{"hq", "one"}, {"repetition", "shuttle"}, {"rail_exit", "camps_and_back"}},
  };
  for (const auto& given : rules) {
    const Options options = options_of(given);
    for (std::uint64_t game = 0; game < (given.empty() ? 40U : 8U); ++game) {
      Random random(31, game);
      std::vector<Position> past{Position::deal(options, random)};
      std::vector<Move> moves;
      while (!past.back().outcome()) {
        moves.push_back(past.back().random_move(random));
        past.push_back(past.back());
        past.back().play(moves.back());
        REQUIRE(past.back().key() == past.back().scratch_key());
      }
      REQUIRE(past.back().check() == "");
      for (const std::size_t when :
           {past.size() - 1, past.size() / 2, std::size_t{random.below(int(past.size()))}}) {
        const Seat seat = seat_number(static_cast<int>(random.below(4)));
        const Position drawn = Position::sample(past[when].view(seat), random);
        Position again = Position::of_deployments(options, drawn.all_kinds());
        for (std::size_t i = 0; i < when; ++i) {
          REQUIRE(again.view(seat) == past[i].view(seat));
          REQUIRE(again.is_legal(moves[i]));
          again.play(moves[i]);
        }
        CHECK(again.view(seat) == past[when].view(seat));
        CHECK(again == drawn);
      }
    }
  }
}

// Whether the battles of pieces that have their kinds (those of seats below `army`, and all that
// are not open) went as they did.
bool battles_hold(const PublicState& state, const Kinds& kinds_of,
                  const std::vector<std::vector<int>>& open, std::size_t army) {
  const auto later = [&](int piece) {
    const auto& own = open[at(seat_of(piece))];
    return at(seat_of(piece)) >= army && std::find(own.begin(), own.end(), piece) != own.end();
  };
  for (int dead = 0; dead < pieces; ++dead) {
    const int foe = state.foe(dead);
    if (foe == none || later(dead) || later(foe)) continue;
    const bool attacked = state.has(dead, Attacked);
    const Battle result =
        battle(kinds_of[at(attacked ? dead : foe)], kinds_of[at(attacked ? foe : dead)], false);
    if (state.died_together(dead) != (result == Battle::Both)) return false;
    if (result != Battle::Both && (result == Battle::Loses) != attacked) return false;
  }
  return true;
}

// All determinizations in which every piece but `open` is what it is in `position`, found by trying
// every exchange within each army and asking the soundness check.
void try_all(const Position& position, Seat seat, const std::vector<std::vector<int>>& open,
             std::size_t army, Kinds kinds_of, std::vector<Kinds>& found) {
  if (!battles_hold(position.public_state(), kinds_of, open, army)) return;
  if (army == open.size()) {
    if (position.public_state().check(kinds_of).empty()) {
      const PublicState& state = position.public_state();
      const std::string text = state.text(kinds_of);
      try {
        const Position parsed = Position::parse(text, position.options());
        if (parsed.view(seat) == position.view(seat)) found.push_back(kinds_of);
      } catch (const ParseError&) {
        return;  // the seat to move could not move, or a note is wrong
      }
    }
    return;
  }
  std::vector<Kind> cards;
  for (const int piece : open[army]) cards.push_back(kinds_of[at(piece)]);
  std::sort(cards.begin(), cards.end());
  do {
    for (std::size_t i = 0; i < cards.size(); ++i) kinds_of[at(open[army][i])] = cards[i];
    try_all(position, seat, open, army + 1, kinds_of, found);
  } while (std::next_permutation(cards.begin(), cards.end()));
}

// Whether draw(0), draw(1), ... give each of `possible` equally often, by a chi-square test.
template <class Draw>
bool come_equally_often(const std::vector<Kinds>& possible, std::size_t times, Draw&& draw) {
  std::map<Kinds, int> seen;
  for (const Kinds& kinds_of : possible) seen[kinds_of] = 0;
  for (std::size_t i = 0; i < times; ++i) {
    const auto place = seen.find(draw(i));
    REQUIRE(place != seen.end());
    ++place->second;
  }
  const double expected = double(times) / double(possible.size());
  double chi = 0;
  for (const auto& [kinds_of, count] : seen)
    chi += (count - expected) * (count - expected) / expected;
  const double free = double(possible.size()) - 1;
  return chi <= free + 4.5 * std::sqrt(2 * free) + 6;
}

TEST_CASE(
    "siguo: determinizations of reduced positions come equally often, and weights count them") {
  int bound_ones = 0;
  for (std::uint64_t game = 0; game < 24; ++game) {
    Random random(77, game);
    const int plies = 100 + 25 * static_cast<int>(game);
    const Position position = after(Position::deal(plain, random), plies, random);
    if (position.outcome()) continue;
    const Seat seat = seat_number(static_cast<int>(game % 4));
    const View view = position.view(seat);
    // Leave a few pieces of each army open, those that fought each other before others.
    Puzzle puzzle(view);
    std::vector<std::vector<int>> open(4);
    const auto leave = [&](int piece) {
      auto& own = open[at(seat_of(piece))];
      if (puzzle.is_certain(piece) || own.size() >= 5) return;
      if (std::find(own.begin(), own.end(), piece) == own.end()) own.push_back(piece);
    };
    for (const Bond& bond : puzzle.bonds()) {
      if (puzzle.is_certain(bond.attacker) || puzzle.is_certain(bond.defender)) continue;
      if (random.below(2) == 0) continue;
      leave(bond.attacker);
      leave(bond.defender);
    }
    for (int piece = 0; piece < pieces; ++piece)
      if (random.below(4) == 0) leave(piece);
    for (int piece = 0; piece < pieces; ++piece) {
      bool is_open = false;
      for (const auto& own : open) is_open |= std::count(own.begin(), own.end(), piece) > 0;
      if (!is_open) puzzle.suppose(piece, position.kind(piece));
    }
    REQUIRE(!puzzle.fails());
    std::vector<Kinds> possible;
    try_all(position, seat, open, 0, position.all_kinds(), possible);
    REQUIRE(!possible.empty());
    const Determinizations determinizations(view, puzzle);
    bound_ones += determinizations.hard_pieces() > 3;

    double sum = 0;
    double squares = 0;
    const int draws = 4000;
    for (int i = 0; i < draws; ++i) {
      const double weight = determinizations.draft(random).weight;
      sum += weight;
      squares += weight * weight;
    }
    const double mean = sum / draws;
    const double error = std::sqrt(std::max(squares / draws - mean * mean, 0.0) / draws);
    CHECK(std::abs(mean - double(possible.size())) <= 4.5 * error + 1e-9);

    double counted = 0;
    CHECK(determinizations.each_draft(
        [&](const Determinizations::Draft& draft) { counted += draft.weight; }, 1000000));
    CHECK(counted == doctest::Approx(double(possible.size())));

    // What a belief says, counted and drawn, against all determinizations.
    std::array<std::array<double, kinds>, pieces> shares{};
    for (const Kinds& kinds_of : possible)
      for (int piece = 0; piece < pieces; ++piece)
        shares[at(piece)][kinds_of[at(piece)]] += 1.0 / double(possible.size());
    for (const std::int64_t limit : {1000000, 0}) {
      const Belief belief(view, puzzle, game, 3000, limit);
      CHECK(belief.is_exact() == (limit > 0));
      for (int piece = 0; piece < pieces; ++piece)
        for (int kind = 0; kind < kinds; ++kind) {
          const double share = shares[at(piece)][at(kind)];
          REQUIRE((belief.candidates(piece) >> kind & 1) == (share > 0));
          REQUIRE(std::abs(belief.chances(piece)[at(kind)] - share) < 5 * belief.error() + 1e-5);
        }
    }

    const auto times = std::min<std::size_t>(20 * possible.size(), 6000);
    CHECK(come_equally_often(possible, times,
                             [&](std::size_t) { return determinizations.draw(random); }));
    // Exchanges alone, from each determinization in turn.
    CHECK(come_equally_often(possible, 20 * possible.size(), [&](std::size_t i) {
      Kinds mixed = possible[i % possible.size()];
      determinizations.mix(mixed, 30, random);
      return mixed;
    }));
  }
  CHECK(bound_ones >= 8);
}

TEST_CASE("siguo: the half turn is a symmetry") {
  Random random(3);
  Position position = after(Position::deal(plain, random), 300, random);
  const Position turned_round = position.transformed(1);
  CHECK(turned_round.check() == "");
  CHECK(turned_round.transformed(1) == position);
  CHECK(perft(turned_round, 2) == perft(position, 2));
}

}  // namespace test_siguo
