// Gumbel's choice of moves: schedules, completed values and policies worked out by hand, and
// searches.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "doctest/doctest.h"
#include "monte_carlo_tests.h"
#include "search/monte_carlo_gumbel.h"

namespace test_monte_carlo_gumbel {

using namespace tempo;
using namespace tempo::monte_carlo_tests;

using Tree = MonteCarloTree<2>;
using Counts = std::vector<std::uint32_t>;

struct Child {
  double prior;
  std::uint32_t visits;
  double score;  // mean, for the team to move at the root
};

// A root that team 1 moves at, with its own value, and children in the order given.
void plant(Tree& tree, float own, const std::vector<Child>& children) {
  tree.clear();
  auto& root = tree[tree.add_node(Team{1})];
  root.end = {-own, own};
  root.visits = 1;
  std::vector<Move> moves;
  for (std::size_t i = 0; i < children.size(); ++i) moves.push_back(Move(i));
  tree.add_edges(root, moves);
  auto* edges = tree.edges(root);
  for (std::size_t i = 0; i < children.size(); ++i) {
    edges[i].prior = static_cast<std::uint16_t>(children[i].prior * 65535 + 0.5);
    if (children[i].visits == 0) continue;
    edges[i].child = tree.add_node(Team{0});
    auto& child = tree[edges[i].child];
    child.visits = children[i].visits;
    child.totals = {-children[i].score * children[i].visits,
                    children[i].score * children[i].visits};
    root.visits += child.visits;
    ++root.tried;
  }
}

MonteCarloSettings gumbel(std::int64_t simulations, int considered = 16, double noise = 0) {
  MonteCarloSettings settings = guided(simulations);
  settings.selection = Selection::Gumbel;
  settings.considered = considered;
  settings.noise_fraction = noise;
  return settings;
}

// Knows what every position of the toy is worth, and nothing of moves.
struct ExactEvaluator {
  static constexpr bool prefers_batches = false;
  toy::Solved* solved = nullptr;
  void operator()(std::span<const toy::Position> positions, std::span<Scores> values) const {
    for (std::size_t i = 0; i < positions.size(); ++i)
      values[i] = team_scores<toy::Position>(toy::solve(positions[i], *solved));
  }
};

TEST_CASE("gumbel: halving shares out visits evenly over the rounds") {
  CHECK(halving_schedule(4, 16) == Counts{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(halving_schedule(3, 5) == Counts{0, 0, 0, 1, 1});
  CHECK(halving_schedule(1, 3) == Counts{0, 1, 2});
  CHECK(halving_schedule(8, 3) == Counts{0, 0, 0});
  CHECK(halving_schedule(5, 0).empty());
  // 16 moves, then 8, then 4, then 2 as long as there are visits.
  const Counts usual = halving_schedule(16, 31);
  CHECK(std::count(usual.begin(), usual.end(), 0U) == 16);
  CHECK(std::count(usual.begin(), usual.end(), 1U) == 8);
  CHECK(std::count(usual.begin(), usual.end(), 2U) == 4);
  CHECK(Counts(usual.end() - 3, usual.end()) == Counts{3, 3, 4});
}

TEST_CASE("gumbel: moves without visits are worth the mixed value") {
  CHECK(mixed_value(0.5, 0, 0, 0) == 0.5);
  // Children with priors 1/2 and 1/4 and values 1 and -1, three visits: their mean is 1/3.
  CHECK(mixed_value(0.5, 0.25, 0.75, 3) == doctest::Approx((0.5 + 3 * (1.0 / 3)) / 4));
}

TEST_CASE("gumbel: the improved policy by hand") {
  Tree tree(1 << 16);
  plant(tree, 0.5F, {{0.5, 2, 1.0}, {0.25, 1, -1.0}, {0.25, 0, 0.0}});
  auto settings = gumbel(8);
  settings.visit_offset = 1;
  settings.value_scale = 0.5;
  const GumbelChoice<2> choice(settings);
  std::vector<float> policy(3);
  const double worth = choice.improved(tree, policy);
  // The mixed value is 0.375, its reward 0.6875; sigma(r) = (1 + 2) / 2 * r.
  const double a = 0.5 * std::exp(1.5 * 1.0);
  const double b = 0.25 * std::exp(1.5 * 0.0);
  const double c = 0.25 * std::exp(1.5 * 0.6875);
  CHECK(policy[0] == doctest::Approx(a / (a + b + c)).epsilon(1e-3));
  CHECK(policy[1] == doctest::Approx(b / (a + b + c)).epsilon(1e-3));
  CHECK(policy[2] == doctest::Approx(c / (a + b + c)).epsilon(1e-3));
  CHECK(worth == doctest::Approx((a - b + 0.375 * c) / (a + b + c)).epsilon(1e-3));
  CHECK(choice.final_choice(tree) == 0);
  // Below the root, or where nobody said how many simulations there will be: the shares wanted less
  // those had are .70 - .5, .08 - .25 and .22 - 0.
  CHECK(choice.choose(tree, tree[Tree::root], true) == 2);
  CHECK(choice.choose(tree, tree[Tree::root], false) == 0);
}

TEST_CASE("gumbel: a policy improved by exact values is not worse") {
  Random random(seed);
  Tree tree(1 << 16);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Child> children(2 + random.below(7));
    double sum = 0;
    for (Child& child : children) sum += child.prior = 0.01 + random.uniform();
    double value = 0;
    for (Child& child : children) {
      child.prior /= sum;
      child.visits = 1 + random.below(9);
      child.score = 2 * random.uniform() - 1;
      value += child.prior * child.score;
    }
    plant(tree, static_cast<float>(value), children);
    std::vector<float> policy(children.size());
    const double improved = GumbelChoice<2>(gumbel(8)).improved(tree, policy);
    CAPTURE(trial);
    CHECK(improved >= value - 1e-3);  // priors are kept in 16 bits
  }
}

TEST_CASE("gumbel: noise draws moves by their priors") {
  Tree tree(1 << 16);
  GumbelChoice<2> choice(gumbel(2, 1, 1.0));
  int likeliest = 0;
  constexpr int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    plant(tree, 0.0F, {{0.2, 0, 0}, {0.7, 0, 0}, {0.1, 0, 0}});
    Random random(seed, static_cast<std::uint64_t>(i));
    choice.begin(2);
    choice.expanded(tree, random);
    likeliest += tree.edges(tree[Tree::root])[0].move == Move{1};
  }
  CHECK(std::abs(likeliest - 0.7 * draws) < 4 * std::sqrt(draws * 0.7 * 0.3));
}

TEST_CASE("gumbel: searches visit as the schedule says") {
  const auto position = gomoku_start(7);
  const auto result = search(position, gumbel(32), HashEvaluator<gomoku::Position>());
  Counts visits;
  for (const auto& move : result.root) visits.push_back(static_cast<std::uint32_t>(move.visits));
  std::sort(visits.begin(), visits.end(), std::greater<>());
  CHECK(sum_of_visits(result) == 31);
  visits.resize(17);
  CHECK(visits == Counts{5, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0});
  CHECK(result.root.front().visits == 5);
  CHECK(result.root.front().move == result.move);
}

TEST_CASE("gumbel: finds the best move of four seats with turns of two moves") {
  toy::Solved solved;
  Random random(seed);
  for (int game = 0; game < 20; ++game) {
    toy::Position position = toy::Position::deal({.tokens = 2, .turns = 5}, random);
    while (!position.outcome()) {
      toy::Moves moves;
      position.legal_moves(moves);
      // Every move is looked at once, so that its value is exact.
      auto settings = gumbel(1 + moves.size());
      settings.memory = 1 << 20;
      const auto result = search(position, settings, ExactEvaluator{&solved});
      toy::Position next = position;
      next.play(result.move);
      CHECK(toy::solve(next, solved) == toy::solve(position, solved));
      position.play(moves[static_cast<int>(random.below(moves.size()))]);
    }
  }
}

TEST_CASE("gumbel: many searches depend on their seeds alone") {
  using P = gomoku::Position;
  const std::vector<P> positions(6, gomoku_start(5));
  const std::vector<std::int64_t> budgets{9, 9, 20, 0, 9, 9};
  const std::vector<std::uint64_t> seeds{1, 2, 3, 4, 1, 5};
  const HashEvaluator<P> hash;
  const auto found = [&](int threads, int times) {
    auto settings = gumbel(9, 4, 1.0);
    settings.threads = threads;
    ManySearch<P> many(settings, 6);
    std::vector<std::uint64_t> prints;
    for (int i = 0; i < times; ++i) {
      many.begin(positions, {}, budgets, seeds);
      while (const std::size_t open = many.open()) {
        std::vector<P> leaves;
        for (const auto owner : many.owners())
          leaves.push_back(as<P>(many.tree(static_cast<std::size_t>(owner)).leaf()));
        std::vector<Scores> values(open);
        std::vector<float> priors(many.rows().moves.size());
        hash(leaves, values, many.rows(), priors);
        many.apply(values, priors);
      }
      prints.clear();
      for (int g = 0; g < 6; ++g) prints.push_back(many.fingerprint(g));
    }
    CHECK(many.tree(2).visits() == 20);
    CHECK(many.tree(3).visits() == 0);
    return prints;
  };
  const auto once = found(1, 1);
  CHECK(once == found(3, 2));
  CHECK(once[0] == once[4]);
  CHECK(once[0] != once[1]);
}

TEST_CASE("gumbel: answers to an earlier question are refused") {
  ManySearch<toy::Position> many(gumbel(5), 1);
  const std::vector<toy::Position> positions(1, toy::Position::start({}));
  const std::vector<std::int64_t> budgets{std::int64_t{1} << 40};  // too many to be scheduled
  const std::vector<Scores> values(1);
  CHECK(many.open() == 0);  // it has not begun
  many.begin(positions, {}, budgets);
  REQUIRE(many.open() == 1);
  many.begin(positions, {}, budgets);
  CHECK_THROWS_AS(many.apply(values), std::invalid_argument);
  REQUIRE(many.open() == 1);
  many.apply(values);
  CHECK_THROWS_AS(many.apply(values), std::invalid_argument);
  CHECK(many.open() == 1);
}

TEST_CASE("gumbel: refuses rollouts") {
  auto settings = gumbel(9);
  settings.rollout_moves = 3;
  CHECK_THROWS_AS(ManySearch<toy::Position>(settings, 2), std::invalid_argument);
}

}  // namespace test_monte_carlo_gumbel
