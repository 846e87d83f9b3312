#include "monte_carlo_many.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tempo {

void LeafGatherer::begin(std::span<const std::int64_t> budgets) {
  left_.assign(budgets.begin(), budgets.end());
  open_.assign(budgets.size(), 0);
  asked_.assign(budgets.size(), 0);
  forget();  // what was gathered is not asked any more
}

void LeafGatherer::forget() {
  leaves_.clear();
  owners_.clear();
  moves_.clear();
  offsets_.assign(1, 0);
}

bool LeafGatherer::to_leaf(SearchTree& tree, std::int64_t& left) {
  StopPoll poll(16);
  while (left != 0 && !tree.is_over() && !tree.is_spent()) {
    left -= left > 0;
    const auto scores = tree.descend();
    if (!scores) return true;
    tree.back_up(*scores);
    if (poll()) break;
  }
  return false;
}

std::size_t LeafGatherer::open(SearchTree::Trees trees, Pool& pool) {
  pool.run_anytime(static_cast<std::int64_t>(trees.size()), [&](std::int64_t i) {
    const auto t = static_cast<std::size_t>(i);
    open_[t] = to_leaf(*trees[t], left_[t]);
  });
  forget();
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (!open_[t]) continue;
    owners_.push_back(static_cast<std::int32_t>(t));
    const auto moves = static_cast<std::uint32_t>(trees[t]->leaf_moves().size());
    offsets_.push_back(offsets_.back() + moves);
  }
  moves_.resize(offsets_.back());
  pool.run_whole(static_cast<std::int64_t>(owners_.size()), [&](std::int64_t i) {
    const auto l = static_cast<std::size_t>(i);
    const auto moves = trees[static_cast<std::size_t>(owners_[l])]->leaf_moves();
    std::copy(moves.begin(), moves.end(), moves_.begin() + offsets_[l]);
  });
  return owners_.size();
}

const AnyPositions& LeafGatherer::gather(SearchTree::Trees trees, Pool& pool) {
  open(trees, pool);
  for (const std::int32_t tree : owners_) {
    leaves_.push_back(trees[static_cast<std::size_t>(tree)]->leaf());
  }
  return leaves_;
}

void LeafGatherer::apply(SearchTree::Trees trees, Pool& pool, std::span<const Scores> values,
                         std::span<const float> priors) {
  if (values.size() != owners_.size())
    throw std::invalid_argument(std::to_string(values.size()) + " values for " +
                                std::to_string(owners_.size()) + " leaves");
  if (!priors.empty() && priors.size() != moves_.size())
    throw std::invalid_argument(std::to_string(priors.size()) + " priors for " +
                                std::to_string(moves_.size()) + " moves");
  pool.run_anytime(static_cast<std::int64_t>(owners_.size()), [&](std::int64_t i) {
    const auto l = static_cast<std::size_t>(i);
    const std::size_t first = offsets_[l];
    const std::size_t count = priors.empty() ? 0 : offsets_[l + 1] - first;
    trees[static_cast<std::size_t>(owners_[l])]->back_up(
        values[l], priors.subspan(first * (count > 0), count));
  });
  for (const std::int32_t tree : owners_) ++asked_[static_cast<std::size_t>(tree)];
  evaluations_ += static_cast<std::int64_t>(owners_.size());
  forget();
}

AnyManySearch::AnyManySearch(const TreeGame& game, const MonteCarloSettings& settings, int games)
    : game_(&game.rules),
      settings_(settings),
      pool_(std::make_unique<Pool>(
          game.rules.useful_threads(std::clamp(games, 1, std::max(settings.threads, 1))))),
      gatherer_(game.rules) {
  require_sound(settings);
  if (games < 1) throw std::invalid_argument("a search of many games needs at least one");
  if (settings.simulations < 1)
    throw std::invalid_argument("a search of many games needs a number of simulations");
  const std::size_t bytes = settings.memory / static_cast<std::size_t>(games);
  trees_.reserve(static_cast<std::size_t>(games));
  for (int i = 0; i < games; ++i) {
    const std::uint64_t stream = settings.stream + static_cast<std::uint64_t>(i);
    trees_.push_back(SearchTree::make(game, settings, stream, bytes));
  }
  gatherer_.begin(std::vector<std::int64_t>(trees_.size(), 0));  // nothing to do yet
}

void AnyManySearch::begin(const void* positions, std::span<const History> pasts) {
  begin(positions, pasts, std::vector<std::int64_t>(trees_.size(), settings_.simulations));
}

void AnyManySearch::begin(const void* positions, std::span<const History> pasts,
                          std::span<const std::int64_t> budgets,
                          std::span<const std::uint64_t> seeds) {
  if (!pasts.empty() && pasts.size() != trees_.size())
    throw std::invalid_argument(std::to_string(pasts.size()) + " pasts for " +
                                std::to_string(trees_.size()) + " games");
  const History nothing;
  before_.resize(trees_.size());
  pool_->run_whole(games(), [&](std::int64_t game) {
    const auto i = static_cast<std::size_t>(game);
    if (!seeds.empty()) trees_[i]->reset(seeds[i], 0);
    trees_[i]->start(static_cast<const std::byte*>(positions) + i * game_->size,
                     pasts.empty() ? nothing : pasts[i], budgets[i]);
    before_[i] = trees_[i]->positions();
  });
  gatherer_.begin(budgets);
}

SearchResult AnyManySearch::result(int game) const {
  const auto i = static_cast<std::size_t>(game);
  SearchResult found = trees_[i]->result({&trees_[i], 1});
  found.positions -= before_[i];
  found.evaluations = gatherer_.evaluations(i);
  return found;
}

}  // namespace tempo
