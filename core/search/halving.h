// Choosing among moves of a view by trying them on determinizations, for any game with hidden
// information: sequential halving (Karnin, Koren, Somekh 2013). Every remaining move is tried on
// every determinization with the same random numbers, so moves do not differ by chance; in rounds
// of equal shares of the budget, after each of which the better half goes on. What a move was
// thought to be worth before, its prior, counts a little too.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "../game.h"
#include "../random.h"
#include "../stop.h"

namespace tempo {

// The first budget that is used up ends the search, and 0 is none; one of the three is needed. A
// determinization is tried on all the moves that are left or not at all.
struct HalvingBudget {
  int determinizations = 0;
  int simulations = 0;  // moves tried, each once on every determinization
  double seconds = 0;   // looked at after every determinization, as are Stops
};

struct TriedMove {
  Move move = no_move;
  float prior = 0;
  int visits = 0;
  double weight = 0;
  double sum = 0;    // of weighted values
  double worth = 0;  // the mean value and a share of the prior: what decides

  [[nodiscard]] double value() const { return weight > 0 ? sum / weight : 0.0; }
};

struct Halved {
  std::vector<TriedMove> moves;  // best first
  int determinizations = 0;
  int simulations = 0;
  std::int64_t positions = 0;  // seen on the way, if the caller counts them
};

// A position that a view leaves open. It counts by its weight.
template <class Position>
struct Drawn {
  Position position;
  double weight = 1;
};

class Halving {
 public:
  // `anchor`: how much the prior counts beside the mean value; at most `most` moves are tried,
  // those with the highest priors.
  Halving(std::span<const TriedMove> moves, const HalvingBudget& budget, float anchor, int most)
      : budget_(budget), anchor_(anchor) {
    found_.moves.assign(moves.begin(), moves.end());
    for (TriedMove& tried : found_.moves) tried.worth = static_cast<double>(tried.prior);
    sort(static_cast<int>(found_.moves.size()));
    if (static_cast<int>(found_.moves.size()) > most)
      found_.moves.resize(static_cast<std::size_t>(most));
  }

  // draw(random) is a Drawn<Position>, or nothing when the search was stopped meanwhile.
  // try_move(drawn, move, random) is what the move is worth there to the seat that chooses.
  template <class Draw, class TryMove>
  Halved operator()(Random& random, Draw&& draw, TryMove&& try_move) {
    const auto count = static_cast<int>(found_.moves.size());
    if (count < 2) return found_;
    const int rounds = std::bit_width(static_cast<unsigned>(count - 1));
    int left = count;
    for (int round = 1; round <= rounds; ++round) {
      while (may_go_on(static_cast<double>(round) / rounds, left)) {
        const auto drawn = draw(random);
        if (!drawn) break;
        const std::uint64_t seed = random.next();  // one for all moves: chance hits them alike
        ++found_.determinizations;
        found_.simulations += left;
        for (TriedMove& tried : first(left)) {
          Random stream(seed);
          ++tried.visits;
          tried.weight += drawn->weight;
          tried.sum += drawn->weight * static_cast<double>(try_move(*drawn, tried.move, stream));
        }
      }
      for (TriedMove& tried : first(left))
        tried.worth = tried.value() + static_cast<double>(anchor_ * tried.prior);
      sort(left);
      left = (left + 1) / 2;
    }
    return found_;
  }

 private:
  [[nodiscard]] std::span<TriedMove> first(int count) {
    return std::span(found_.moves).first(static_cast<std::size_t>(count));
  }
  // Whether a round may go on, which has this share of every budget together with those before it.
  [[nodiscard]] bool may_go_on(double share, int left) const {
    const auto is_left = [&](double used, double budget) {
      return budget == 0 || used < share * budget;
    };
    if (budget_.simulations > 0 && found_.simulations + left > budget_.simulations) return false;
    if (should_stop()) return false;
    return is_left(found_.determinizations, budget_.determinizations) &&
           is_left(found_.simulations, budget_.simulations) &&
           (budget_.seconds == 0 || is_left(ThreadTime::now() - began_, budget_.seconds));
  }
  void sort(int count) {
    std::stable_sort(found_.moves.begin(), found_.moves.begin() + count,
                     [](const auto& a, const auto& b) { return a.worth > b.worth; });
  }

  double began_ = ThreadTime::now();
  HalvingBudget budget_;
  float anchor_;
  Halved found_;
};

}  // namespace tempo
