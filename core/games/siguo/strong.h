// Siguo by search on determinizations. The moves that the rules of thumb like best are tried on
// determinizations drawn from the view, the same ones for all of them; in rounds, after each of
// which the better half goes on (sequential halving; Karnin, Koren, Somekh 2013). Below a move
// there is a tree over what everyone has seen (information_tree.h). What the rules of thumb say
// counts a little too.
#pragma once

#include <bit>
#include <chrono>
#include <stdexcept>

#include "../../stop.h"
#include "heuristic.h"
#include "information_tree.h"

namespace tempo::siguo {

// The first budget that is used up ends the search, and 0 is none; one of the three is needed. A
// determinization is tried on all the moves that are left or not at all.
struct StrongSettings {
  int determinizations = 0;
  int simulations = 0;   // moves tried, each once on every determinization
  double seconds = 0;    // looked at after every determinization, as are Stops
  int moves = 16;        // that are tried: those that the rules of thumb score highest
  float anchor = 0.33F;  // how much the score of the rules of thumb counts
  TreeSettings tree;
};

struct TriedMove {
  Move move = no_move;
  float score = 0;  // by the rules of thumb
  int visits = 0;
  double weight = 0;
  double sum = 0;    // of weighted values of the seat's team
  double worth = 0;  // the mean value and a share of the score: what decides

  [[nodiscard]] double value() const { return weight > 0 ? sum / weight : 0.0; }
};

struct Tried {
  std::vector<TriedMove> moves;  // best first
  int determinizations = 0;
  int simulations = 0;
  std::int64_t positions = 0;
  std::size_t nodes = 0;
};

class Strong {
 public:
  Strong(const View& view, const Judgement& judgement, const StrongSettings& settings)
      : view_(view), settings_(settings), tree_(judgement, settings.tree) {}

  [[nodiscard]] Tried operator()(Random& random) {
    find_candidates();
    const auto count = static_cast<int>(tried_.moves.size());
    if (count > 1) {
      const Determinizations determinizations(view_);
      const int rounds = std::bit_width(static_cast<unsigned>(count - 1));
      int left = count;
      for (int round = 1; round <= rounds; ++round) {
        while (may_go_on(static_cast<double>(round) / rounds, left))
          try_one(determinizations, left, random);
        rank(left);
        left = (left + 1) / 2;
      }
    }
    tried_.positions = tree_.positions();
    tried_.nodes = tree_.nodes();
    return tried_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int most_draws = 400000;  // some lead nowhere; a view made by play has one

  void find_candidates() {
    Moves moves;
    view_.legal_moves(moves);
    const Heuristic heuristic(view_);
    for (const Move move : moves)
      tried_.moves.push_back({.move = move, .score = heuristic.score(move)});
    const auto all = static_cast<int>(tried_.moves.size());
    for (TriedMove& tried : tried_.moves) tried.worth = static_cast<double>(tried.score);
    sort_by_worth(all);
    if (all > settings_.moves) tried_.moves.resize(at(settings_.moves));
  }

  // Whether a round may go on, which has this share of every budget together with those before it.
  [[nodiscard]] bool may_go_on(double share, int left) const {
    const auto is_left = [&](double used, double budget) {
      return budget == 0 || used < share * budget;
    };
    const int simulations = settings_.simulations;
    if (simulations > 0 && tried_.simulations + left > simulations) return false;
    const auto now = Clock::now();
    if (should_stop(now)) return false;
    const std::chrono::duration<double> spent = now - began_;
    return is_left(tried_.determinizations, settings_.determinizations) &&
           is_left(tried_.simulations, simulations) && is_left(spent.count(), settings_.seconds);
  }

  // One determinization on the first `left` moves. Draws are weighted instead of chosen among
  // (Determinizations::draft): one then costs microseconds.
  void try_one(const Determinizations& determinizations, int left, Random& random) {
    Determinizations::Draft draft = determinizations.draft(random);
    StopPoll poll(16);
    for (int i = 0; i < most_draws && draft.weight <= 0; ++i) {
      if (poll()) return;
      draft = determinizations.draft(random);
    }
    if (draft.weight <= 0) throw std::logic_error("no position fits this view of siguo");
    ++tried_.determinizations;
    tried_.simulations += left;
    determinizations.complete(draft, random);
    const Position drawn = Position::of_view(view_, draft.kinds_of);
    const std::uint64_t seed = random.next();  // one for all moves: chance hits them alike
    const double sign = tempo::index(view_.seat()) % 2 == 0 ? 1 : -1;
    for (TriedMove& tried : std::span(tried_.moves).first(at(left))) {
      Position position = drawn;
      Random stream(seed);
      position.play(tried.move);
      const float value = tree_.visit(position, draft.weight, stream);
      ++tried.visits;
      tried.weight += draft.weight;
      tried.sum += sign * draft.weight * static_cast<double>(value);
    }
  }

  void rank(int left) {
    for (TriedMove& tried : std::span(tried_.moves).first(at(left)))
      tried.worth = tried.value() + static_cast<double>(settings_.anchor * tried.score);
    sort_by_worth(left);
  }
  void sort_by_worth(int count) {
    std::stable_sort(tried_.moves.begin(), tried_.moves.begin() + count,
                     [](const auto& a, const auto& b) { return a.worth > b.worth; });
  }

  Clock::time_point began_ = Clock::now();
  View view_;
  StrongSettings settings_;
  InformationTree tree_;
  Tried tried_;
};

}  // namespace tempo::siguo
