#include "monte_carlo_descent.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "monte_carlo_result.h"

namespace tempo {

std::unique_ptr<SearchTree> SearchTree::make(const TreeGame& game,
                                             const MonteCarloSettings& settings,
                                             std::uint64_t stream, std::size_t bytes) {
  switch (game.rules.teams) {
    case 2:
      return std::make_unique<MonteCarloDescent<2>>(game, settings, stream, bytes);
    case 3:
      return std::make_unique<MonteCarloDescent<3>>(game, settings, stream, bytes);
    default:
      return std::make_unique<MonteCarloDescent<4>>(game, settings, stream, bytes);
  }
}

template <int Teams>
MonteCarloDescent<Teams>::MonteCarloDescent(const TreeGame& game,
                                            const MonteCarloSettings& settings,
                                            std::uint64_t stream, std::size_t bytes)
    : SearchTree(game), Base(settings, stream, bytes, game.rules) {
  if (game.play_counted == nullptr && settings.cut_value != CutValue::Evaluator)
    throw std::invalid_argument("moves of " + std::string(game.rules.name) +
                                " have no values; a cut rollout takes the evaluator's");
}

template <int Teams>
void MonteCarloDescent<Teams>::reset(std::uint64_t seed, std::uint64_t stream) {
  settings_.seed = seed;
  this->random_ = Random(seed, stream);
  root_.reset();
}

template <int Teams>
void MonteCarloDescent<Teams>::start(const void* position, const History& past,
                                     std::int64_t simulations) {
  full_ = lingers_ = false;
  past_.truncate(root_past_);
  this->give_up();
  gumbel_.begin(simulations);
  if (this->is_gumbel() || !root_.has_value() || !game_->rules.equal(root_.get(), position) ||
      !same_past(position, past)) {
    root_.set(position);
    past_ = past;
    plant();
  }
  this->add_noise();
}

template <int Teams>
void MonteCarloDescent<Teams>::advance(Move move) {
  if (!root_.has_value()) return;
  past_.truncate(root_past_);
  this->give_up();
  game_->rules.advance(root_.get(), past_, move);
  if (!this->keep_child(move)) return plant();
  root_past_ = past_.size();
}

template <int Teams>
bool MonteCarloDescent<Teams>::same_past(const void* position, const History& past) const {
  if (!game_->rules.remembers) return true;
  const auto reach = at(game_->rules.reversible_moves(position));
  const std::size_t mine = std::min(reach, root_past_);
  if (mine != std::min(reach, past.size())) return false;
  for (std::size_t i = 0; i < mine; ++i) {
    if (past_.newest(i).key != past.newest(i).key) return false;
  }
  return true;
}

template <int Teams>
void MonteCarloDescent<Teams>::plant() {
  tree_.clear();
  this->noised_ = false;
  root_past_ = past_.size();
  position_.set(root_.get());
  add_node();
}

// A node for the position of the descent.
template <int Teams>
typename MonteCarloDescent<Teams>::Index MonteCarloDescent<Teams>::add_node() {
  const AnyGame& rules = game_->rules;
  const Index index = tree_.add_node(rules.team_of(rules.turn(leaf())));
  if (const auto end = rules.outcome(leaf(), past_)) this->set_end(tree_[index], end->scores);
  return index;
}

template <int Teams>
std::optional<Scores> MonteCarloDescent<Teams>::descend() {
  position_.set(root_.get());
  past_.truncate(root_past_);  // a simulation may have been given up by an evaluator that threw
  leaf_moves_ = {};
  winnings_.clear();
  path_.assign(1, Tree::root);
  for (Index index = Tree::root;;) {
    Node& node = tree_[index];
    if (node.state == Tree::State::Over) return this->scores_at_end(node);
    if (node.state == Tree::State::Leaf) {
      if (this->guided()) {
        leaf_moves_ = game_->rules.legal_moves(leaf(), room_.get());
        return std::nullopt;
      }
      const bool first = index != Tree::root && node.visits == 0;
      const bool ripe = index == Tree::root || node.visits >= at(settings_.expand_after);
      if (!ripe || !expand(node) || first) return roll_out();
    }
    const int choice = this->choose(node);
    if (choice == Base::stay) return roll_out();
    Edge& edge = tree_.edges(node)[choice];
    play_on(edge.move);
    if (edge.child == Tree::none) {
      edge.child = add_node();
      ++node.tried;
      const bool sorted = this->is_gumbel() && index == Tree::root;
      if (this->has_priors() && !sorted) this->bring_likeliest(node);
    }
    index = edge.child;
    path_.push_back(index);
  }
}

template <int Teams>
void MonteCarloDescent<Teams>::play_on(Move move) {
  void* position = position_.get();
  if (game_->rules.remembers) game_->rules.remember(position, past_);
  ++positions_;
  if (settings_.cut_value == CutValue::Path) return game_->play_counted(position, move, winnings_);
  game_->rules.play(position, move);
}

template <int Teams>
bool MonteCarloDescent<Teams>::expand(Node& node) {
  return this->list(node, game_->rules.legal_moves(leaf(), room_.get()));
}

template <int Teams>
std::optional<Scores> MonteCarloDescent<Teams>::roll_out() {
  if (settings_.rollout_moves == 0) return value_of_moves();
  const auto end =
      game_->roll_out({position_.get(), past_, this->random_, settings_.rollout_moves,
                       settings_.cut_value != CutValue::Evaluator, winnings_, positions_});
  return end ? end : value_of_moves();
}

// What was won on the way; none when the evaluator is to be asked.
template <int Teams>
std::optional<Scores> MonteCarloDescent<Teams>::value_of_moves() const {
  if (settings_.cut_value == CutValue::Evaluator) return std::nullopt;
  return winnings_.scores(game_->rules, game_->won);
}

// The moves of the root with the visits and scores of all trees, in the order of legal_moves.
template <int Teams>
std::vector<RootMove> MonteCarloDescent<Teams>::merged_root(Trees trees) const {
  MoveRoom room(game_->rules);
  const auto moves = game_->rules.legal_moves(root_position(), room.get());
  std::vector<RootMove> merged(moves.size());
  std::vector<std::size_t> row(at(game_->rules.move_numbers(root_position())));
  for (std::size_t i = 0; i < merged.size(); ++i) {
    merged[i].move = moves[i];
    row[static_cast<std::size_t>(moves[i])] = i;
  }
  std::vector<std::array<double, Teams>> totals(merged.size());
  for (const auto& one : trees) {
    const auto& tree = static_cast<const MonteCarloDescent&>(*one);
    const Edge* edges = tree.tree_.edges(tree.root());
    for (int e = 0; e < tree.root().tried; ++e) {
      const std::size_t i = row[static_cast<std::size_t>(edges[e].move)];
      const Node& child = tree.tree_[edges[e].child];
      merged[i].visits += child.visits;
      for (std::size_t t = 0; t < totals[i].size(); ++t) totals[i][t] += child.totals[t];
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (merged[i].visits == 0) continue;
    merged[i].scores = this->scores_of(totals[i], double(merged[i].visits));
  }
  return merged;
}

namespace {

// The most visited moves from the root, after `first`.
template <int Teams>
std::vector<Move> line_of(const MonteCarloTree<Teams>& tree, Move first) {
  std::vector<Move> line;
  const auto* node = &tree[tree.root];
  while (node->tried > 0) {
    const auto* edges = tree.edges(*node);
    const auto* end = edges + node->tried;
    const auto* next =
        line.empty()
            ? std::find_if(edges, end, [&](const auto& edge) { return edge.move == first; })
            : std::max_element(edges, end, [&](const auto& a, const auto& b) {
                return tree[a.child].visits < tree[b.child].visits;
              });
    if (next == end) break;
    line.push_back(next->move);
    node = &tree[next->child];
  }
  return line;
}

}  // namespace

template <int Teams>
SearchResult MonteCarloDescent<Teams>::result(Trees trees) const {
  SearchResult result;
  for (const auto& tree : trees) result.positions += tree->positions();
  if (is_over()) {
    result.scores = this->scores_at_end(root());
    return result;
  }
  result.root = merged_root(trees);
  rank_root(result.root, game_->rules.turn(root_position()), settings_.final_choice,
            settings_.security);
  if (const int chosen = gumbel_.final_choice(tree_);
      this->is_gumbel() && trees.size() == 1 && chosen >= 0) {
    const Move move = tree_.edges(root())[chosen].move;
    const auto found = std::find_if(result.root.begin(), result.root.end(),
                                    [&](const RootMove& m) { return m.move == move; });
    std::rotate(result.root.begin(), found, found + 1);
  }
  result.move = result.root.front().move;
  result.scores = result.root.front().scores;
  for (const auto& one : trees) {
    const auto& tree = static_cast<const MonteCarloDescent&>(*one).tree_;
    const std::vector<Move> line = line_of<Teams>(tree, result.move);
    if (line.size() > result.line.size()) result.line = line;
  }
  if (result.line.empty()) result.line.push_back(result.move);
  result.depth = static_cast<int>(result.line.size());
  return result;
}

template <int Teams>
bool MonteCarloDescent<Teams>::is_robust_max(Trees trees) const {
  return tempo::is_robust_max(merged_root(trees), game_->rules.turn(root_position()));
}

template <int Teams>
SearchTree::Improved MonteCarloDescent<Teams>::improved(std::span<Move> moves,
                                                        std::span<float> policy) const {
  const Edge* edges = tree_.edges(root());
  std::transform(edges, edges + root().count, moves.begin(),
                 [](const Edge& edge) { return edge.move; });
  return {edges[gumbel_.final_choice(tree_)].move, gumbel_.improved(tree_, policy)};
}

template <int Teams>
std::string MonteCarloDescent<Teams>::text(int depth, std::uint32_t least_visits) const {
  std::string text;
  const auto print = [&](const auto& self, const Node& node, const void* position,
                         int level) -> void {
    std::vector<Edge> edges(tree_.edges(node), tree_.edges(node) + node.tried);
    std::stable_sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
      return tree_[a.child].visits > tree_[b.child].visits;
    });
    for (const Edge& edge : edges) {
      const Node& child = tree_[edge.child];
      if (child.visits < least_visits) break;
      text += std::string(at(2 * level), ' ') + game_->rules.move_text(position, edge.move) + " " +
              std::to_string(child.visits);
      const Scores scores = this->scores_of(child.totals, child.visits);
      for (int s = 0; s < game_->rules.seats; ++s) {
        char value[16];
        std::snprintf(value, sizeof value, " %+.3f", double(scores[at(s)]));
        text += value;
      }
      text += child.state == Tree::State::Over ? " end\n" : "\n";
      AnyPosition next(game_->rules);
      next.set(position);
      game_->rules.play(next.get(), edge.move);
      if (level + 1 < depth) self(self, child, next.get(), level + 1);
    }
  };
  print(print, root(), root_position(), 0);
  return text;
}

template class MonteCarloDescent<2>;
template class MonteCarloDescent<3>;
template class MonteCarloDescent<4>;

}  // namespace tempo
