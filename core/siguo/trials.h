// Siguo by trials: the moves that the rules of thumb like best are tried on truths drawn from the
// view, the same truths for all of them, each followed by a few plies of a quick policy and valued
// by what is left on the board. What the trials say is added to what the rules of thumb say.
#pragma once

#include <chrono>
#include <vector>

#include "heuristic.h"

namespace tempo::siguo {

// A move for the seat to move of a truth: mostly the best capture, else anything. Cheap, and as if
// all ranks were open, as is usual for policies that play drawn truths on.
inline Move quick_move(const Position& truth, Random& random) {
  static constexpr float least = 0.05F;  // a capture worth noticing
  static constexpr double noticed = 0.85;
  const Table& table = truth.table();
  const int seat = table.turn();
  const Set foes = (table.stations_of((seat + 1) & 3) | table.stations_of((seat + 3) & 3)) - camps;
  const bool mine_goes_too = table.options().mine_hit != 0;
  Move best = no_move;
  float highest = least;
  (table.stations_of(seat) - headquarters_of(table.options())).each([&](int from) {
    const Kind own = truth.kind(table.occupant(from));
    if ((movable & set_of(own)) == 0) return;
    table.targets(from, own, foes).each([&](int to) {
      const Kind foe = truth.kind(table.occupant(to));
      const Battle result = battle(own, foe, mine_goes_too);
      const float gain = (result != Battle::Loses ? piece_worths[foe] : 0.0F) -
                         (result != Battle::Wins ? piece_worths[own] : 0.0F);
      if (gain <= highest) return;
      highest = gain;
      best = move_of(from, to);
    });
  });
  if (best != no_move && random.uniform() < noticed) return best;
  return truth.random_move(random);
}

// What the seats of a team have on the board less what the others have, flags included: for seat 0.
inline float material(const Position& truth) {
  const Table& table = truth.table();
  float lead = 0;
  for (int seat = 0; seat < 4; ++seat) {
    float held = 0;
    table.stations_of(seat).each(
        [&](int station) { held += piece_worths[truth.kind(table.occupant(station))]; });
    lead += seat % 2 == 0 ? held : -held;
  }
  return lead;
}

// The first bound that is reached ends the trials, and 0 is no bound; one of the two is needed.
struct TrialSettings {
  int truths = 100;     // drawn; each move is tried once on every one of them
  double seconds = 0;   // looked at after every truth
  int moves = 16;       // that are tried: those that the rules of thumb score highest
  int plies = 8;        // played on after a move
  float anchor = 1.0F;  // how much the score of the rules of thumb counts
};

struct TriedMove {
  Move move = no_move;
  float score = 0;   // by the rules of thumb
  double worth = 0;  // the mean lead of the seat's team after it, and the score
};

struct Trials {
  std::vector<TriedMove> moves;  // best first
  int truths = 0;
  std::int64_t positions = 0;
};

class Trying {
 public:
  Trying(const View& view, const TrialSettings& settings) : view_(view), settings_(settings) {}

  [[nodiscard]] Trials operator()(Random& random) const {
    Trials trials;
    trials.moves = candidates();
    double weights = 0;
    if (trials.moves.size() > 1) weights = try_all(trials, random);
    for (TriedMove& tried : trials.moves)
      tried.worth = (weights > 0 ? tried.worth / weights : 0.0) +
                    static_cast<double>(settings_.anchor * tried.score);
    std::stable_sort(trials.moves.begin(), trials.moves.end(),
                     [](const auto& a, const auto& b) { return a.worth > b.worth; });
    return trials;
  }

 private:
  [[nodiscard]] std::vector<TriedMove> candidates() const {
    Moves moves;
    view_.legal_moves(moves);
    const Heuristic heuristic(view_);
    std::vector<TriedMove> all;
    for (const Move move : moves) all.push_back({move, heuristic.score(move), 0});
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.score > b.score; });
    if (all.size() > at(settings_.moves)) all.resize(at(settings_.moves));
    return all;
  }

  // Draws are weighed instead of chosen among (Worlds::draft): a truth then costs microseconds.
  double try_all(Trials& trials, Random& random) const {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const Worlds worlds(view_);
    double weights = 0;
    for (int i = 0; settings_.truths == 0 || i < settings_.truths; ++i) {
      const std::chrono::duration<double> spent = Clock::now() - begin;
      if (settings_.seconds > 0 && i > 0 && spent.count() >= settings_.seconds) break;
      Worlds::Draft draft = worlds.draft(random);
      ++trials.truths;
      if (draft.weight <= 0) continue;
      worlds.complete(draft, random);
      weights += draft.weight;
      const Position truth = Position::of_view(view_, draft.kinds_of);
      const std::uint64_t seed = random.next();  // one for all moves: chance hits them alike
      for (TriedMove& tried : trials.moves)
        tried.worth += draft.weight * lead_after(truth, tried.move, seed, trials.positions);
    }
    return weights;
  }

  [[nodiscard]] double lead_after(Position position, Move move, std::uint64_t seed,
                                  std::int64_t& positions) const {
    Random random(seed);
    position.play(move);
    ++positions;
    for (int ply = 0; ply < settings_.plies && !position.outcome(); ++ply, ++positions)
      position.play(quick_move(position, random));
    const float lead = material(position);
    return tempo::index(view_.seat()) % 2 == 0 ? lead : -lead;
  }

  const View& view_;
  TrialSettings settings_;
};

}  // namespace tempo::siguo
