// The searches of Siguo: what they value, what they learn from, and how they keep to their budgets.
#include "games/siguo/strong.h"

#include <doctest/doctest.h>

#include "games/siguo/first_strong.h"
#include "games/siguo/rules.h"
#include "games/siguo/training_games.h"

namespace test_siguo_strong {

using namespace tempo;
using namespace tempo::siguo;

const Options plain;

Position after(Position position, int plies, Random& random) {
  while (plies-- > 0 && !position.outcome()) position.play(position.random_move(random));
  return position;
}

std::vector<float> some_weights(Random& random) {
  std::vector<float> weights(at(Judgement::terms));
  for (float& weight : weights) weight = static_cast<float>(random.uniform()) / 8;
  return weights;
}

TEST_CASE("siguo: a judgement is the sum of its terms, and the same with partners swapped") {
  Random random(4);
  const std::vector<float> weights = some_weights(random);
  const Judgement judgement(weights);
  for (std::uint64_t game = 0; game < 6; ++game) {
    Random stream(8, game);
    const Position position = after(Position::deal(plain, stream), 40 * int(game), stream);
    double sum = 0;
    Judgement::each_term(
        position, [&](int term, float value) { sum += double(weights[at(term)]) * double(value); });
    CHECK(double(judgement.sum(position)) == doctest::Approx(sum).epsilon(1e-4).scale(1));
    // Partners swapped: the same team stands the same.
    CHECK(judgement.sum(position.transformed(1)) ==
          doctest::Approx(judgement.sum(position)).epsilon(1e-4).scale(1));
  }
  // All armies alike: only the turn counts.
  const std::string army = "61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B";
  const Position even =
      Position::parse("S=" + army + " E=" + army + " N=" + army + " W=" + army, plain);
  CHECK(judgement.sum(even) ==
        doctest::Approx(weights[Judgement::turn_term]).epsilon(1e-3).scale(1));
}

TEST_CASE("siguo: the gradients of results and of tells are those of the losses") {
  Random random(5);
  std::vector<float> weights = some_weights(random);
  std::vector<float> tells(at(Tells::terms));
  for (float& weight : tells) weight = static_cast<float>(random.uniform()) / 4;
  Random dealt(3, 7);
  const TaughtGame game({}, plain, dealt);
  REQUIRE(game.taken.size() > 3);
  const auto check = [&](std::vector<float>& all, int term, auto&& gradient) {
    const GamesGradient here = gradient();
    const float step = 0.02F;
    all[at(term)] += step;
    const double above = gradient().loss;
    all[at(term)] -= 2 * step;
    const double below = gradient().loss;
    all[at(term)] += step;
    CHECK((above - below) / double(2 * step) ==
          doctest::Approx(here.gradient[at(term)]).epsilon(0.02).scale(1));
  };
  const int captains = static_cast<int>(Captain);
  const int centre = Judgement::by_zone + Judgement::zones * captains;
  for (const int term : {captains, centre, Judgement::turn_term})
    check(weights, term, [&] {
      Random stream(1);
      return result_gradient(Judgement(weights), game, stream);
    });
  for (const int feature : {0, Tells::by_kills, Tells::by_stage, Tells::by_aims})
    check(tells, kinds * feature + captains, [&] {
      Random stream(1);
      return tell_gradient(Tells(tells), game, stream);
    });
}

TEST_CASE("siguo: the policy scores the legal moves, by what its seat may know") {
  for (std::uint64_t game = 0; game < 12; ++game) {
    Random stream(31, game);
    const Position position = after(Position::deal(plain, stream), 30 * int(game), stream);
    if (position.outcome()) continue;
    const View view = position.view(position.turn());
    const PolicyTables tables(view, policy_of(tuned_policy));
    const auto scores = [&](const Position& whole) {
      std::vector<std::pair<Move, float>> found;
      const Playout playout(whole);
      PlayoutPolicy(playout, tables).each_score([&](Move move, float score) {
        found.emplace_back(move, score);
      });
      std::sort(found.begin(), found.end());
      return found;
    };
    const auto found = scores(position);
    Moves moves;
    position.legal_moves(moves);
    REQUIRE(found.size() == at(moves.size()));
    for (const auto& [move, score] : found) CHECK(position.is_legal(move));
    CHECK(scores(Position::sample(view, stream)) == found);
  }
}

TEST_CASE("siguo: tells tilt what is drawn, within what fits the view") {
  Random random(6);
  const Position position = after(Position::deal(plain, random), 120, random);
  REQUIRE(!position.outcome());
  const View view = position.view(position.turn());
  const Determinizations determinizations(view);
  // Generals among the pieces that still stand where they were deployed.
  const auto unmoved_generals = [&](float logit) {
    std::vector<float> weights(at(Tells::terms));
    for (int slot = 0; slot < slots; ++slot)
      weights[at(kinds * (Tells::by_home + slot) + General)] = logit;
    const Tilt tilt(view.public_state(), Tells(weights));
    int found = 0;
    for (int i = 0; i < 200; ++i) {
      Kinds drawn = determinizations.draw(random);
      tilt.apply(determinizations, drawn, Tells::exchanges, random);
      const Position whole = Position::of_view(view, drawn);
      CHECK(whole.view(view.seat()) == view);
      CHECK(whole.check().empty());
      for (int piece = 0; piece < pieces; ++piece)
        found += drawn[at(piece)] == General && view.public_state().on_board(piece) &&
                 !view.public_state().has(piece, Moved);
    }
    return found;
  };
  const int less = unmoved_generals(-2);
  const int usual = unmoved_generals(0);
  const int more = unmoved_generals(2);
  CHECK(less < usual - 40);
  CHECK(more > usual + 40);
}

TEST_CASE("siguo: budgets of the searches are kept, and seeds decide all") {
  const Judgement judgement(Judgement::hand_tuned());
  for (std::uint64_t game = 0; game < 4; ++game) {
    Random stream(21, game);
    const Position position = after(Position::deal(plain, stream), 90 * int(game), stream);
    REQUIRE(!position.outcome());
    const View view = position.view(position.turn());
    for (const bool first : {false, true})
      for (const auto& [most, simulations] : {std::pair(1, 0), {7, 0}, {0, 100}, {0, 5}, {9, 60}}) {
        const auto search = [&, most = most, simulations = simulations] {
          Random random(game);
          const HalvingBudget budget{most, simulations, 0};
          return first ? search_first(view, judgement, {.budget = budget}, random)
                       : search_strong(view, {&judgement}, {.budget = budget}, random);
        };
        const Halved tried = search();
        if (most > 0) CHECK(tried.determinizations <= most);
        if (simulations > 0) CHECK(tried.simulations <= simulations);
        if (most > 0 && simulations == 0) CHECK(tried.determinizations == most);
        int visits = 0;
        for (const TriedMove& move : tried.moves) {
          CHECK(position.is_legal(move.move));
          CHECK(std::abs(move.value()) <= 1);
          visits += move.visits;
        }
        CHECK(visits == tried.simulations);
        // The better half of the moves went on: the first has as many visits as any.
        for (const TriedMove& move : tried.moves) CHECK(move.visits <= tried.moves[0].visits);
        const Halved again = search();
        REQUIRE(again.moves.size() == tried.moves.size());
        for (std::size_t i = 0; i < tried.moves.size(); ++i) {
          CHECK(again.moves[i].move == tried.moves[i].move);
          CHECK(again.moves[i].worth == tried.moves[i].worth);
        }
      }
  }
}

TEST_CASE("siguo: the tree finds the reply that refutes a move") {
  // All ranks open. South's General may take a captain next to a bomb; then the bomb takes it.
  Options open;
  open.info = 2;
  const Position position = Position::parse(
      "S.F@S62 S.2@S61 E.F@E62 E.2@E61 N.F@N62 N.2@N61 W.F@W62 W.2@W61 "
      "S.9@C5 W.3@C4 W.B@W13 turn=S",
      open);
  const Judgement judgement(Judgement::hand_tuned());
  InformationTree tree(judgement, {.depth = 3, .plies = 3, .explore = 0.1});
  double first = 0;
  double last = 0;
  for (int i = 0; i < 600; ++i) {
    Position next = position;
    next.play(next.parse_move("C5xC4"));
    Random random(2, static_cast<std::uint64_t>(i));
    const double value = static_cast<double>(tree.visit(next, 1, random));
    (i < 100 ? first : last) += value / (i < 100 ? 100 : 500);
  }
  CHECK(tree.nodes() == 3);  // east and north have one move each
  Position refuted = position;
  for (const char* move : {"C5xC4", "E61-E51", "N61-N51", "W13xC4"})
    refuted.play(refuted.parse_move(move));
  CHECK(last <= first + 0.02);
  CHECK(last == doctest::Approx(double(judgement.value(refuted))).epsilon(0.15).scale(1));
}

}  // namespace test_siguo_strong
