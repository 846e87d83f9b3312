// Games that gomoku-strong plays against itself, and training examples from them: positions that
// nothing decides at once, each with the value that a search gave it and, where the rest of the
// game was played as well as could be, with the game's result.
//
// A search evaluates leaves that no good game comes to, so half of the positions lie off the line:
// a few moves among the likely ones, and a search of its own to value what comes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../parallel/pool.h"
#include "../../random.h"
#include "../../stop.h"
#include "strong.h"

namespace tempo::gomoku {

struct Example {
  NetworkInputs::Row inputs;
  float value;   // of a search, for the seat to move: from -1 to 1
  float result;  // for the same seat; NaN where there is none
};

struct TrainingGame {
  std::vector<Example> examples;
  double won = 0;  // by seat 0; a draw is half a game
  std::int64_t moves = 0;
  std::int64_t positions = 0;    // visited by all searches
  std::int64_t evaluations = 0;  // leaves that were evaluated
};

class TrainingPlayer {
 public:
  static constexpr float no_result = std::numeric_limits<float>::quiet_NaN();

  TrainingPlayer(const LeafEvaluation& evaluation, std::int64_t positions)
      : search_(evaluation, settings(positions), fours, fours) {}

  // One game on the board of `start`, a position without stones. What is drawn decides all.
  TrainingGame play(const Position& start, Random random) {
    game_ = {};
    Position position = opening(start, random);
    std::vector<Taken> line;
    while (!position.is_over()) {
      const SearchResult found = search(position);
      const float value = found.scores[seat(position)];
      if (is_example(position)) line.push_back({position, value});
      if (random.below(2) == 0) take_detour(position, random);
      Move move = found.move;
      if (value > -1 && value < 1 && random.below(slips) == 0) {
        move = likely_move(position, random);
        keep(line, nullptr);  // from here on the result speaks of another game
      }
      position.play(move);
      ++game_.moves;
    }
    const Scores scores = position.outcome()->scores;
    keep(line, &scores);
    game_.won = (1 + static_cast<double>(scores[0])) / 2;
    return std::move(game_);
  }

 private:
  static constexpr int fours = 60;
  static constexpr int slips = 14;       // one move in 14
  static constexpr int likely = 10;      // moves that a slip or a detour is drawn from
  static constexpr int longest = 4;      // moves of a detour
  static constexpr float even = 0.6F;    // openings valued beyond this are not played
  static constexpr int reach = 4;        // points from the middle of an opening's stones
  static constexpr int most_stones = 7;  // of an opening

  struct Taken {
    Position position;
    float value;
  };

  static AlphaBetaSettings settings(std::int64_t positions) {
    AlphaBetaSettings chosen;
    chosen.positions = positions;
    chosen.table_bytes = std::size_t{1} << 20;
    chosen.reduce = chosen.steep = true;
    return chosen;
  }
  static std::size_t seat(const Position& position) {
    return static_cast<std::size_t>(index(position.turn()));
  }

  SearchResult search(const Position& position) {
    SearchResult found = search_.search(position);
    throw_if_stopped();
    game_.positions += found.positions;
    game_.evaluations += found.evaluations;
    return found;
  }

  Position opening(const Position& start, Random& random) {
    const int size = start.size();
    const int low = std::max(size / 2 - reach, 0);
    const int high = std::min(size / 2 + reach, size - 1);
    const auto draw = [&] { return low + static_cast<int>(random.below(high - low + 1)); };
    while (true) {
      Position position = start;
      for (int stones = 2 + static_cast<int>(random.below(most_stones - 1)); stones > 0;) {
        const int y = draw();
        const Move move{static_cast<std::uint16_t>(y * size + draw())};
        if (!position.is_legal(move)) continue;
        position.play(move);
        --stones;
      }
      if (position.is_over()) continue;
      const float value = search(position).scores[0];
      if (value <= even && value >= -even) return position;
    }
  }

  static Move likely_move(const Position& position, Random& random) {
    Counted::Moves moves;
    Counted(position).legal_moves(moves);
    return moves[static_cast<int>(random.below(std::min(moves.size(), likely)))];
  }

  // Whether a leaf like this would be evaluated: nobody completes five, and the mover has no fours
  // that win.
  bool is_example(const Position& position) {
    const Counted counted(position);
    return is_open(counted) && !counted.in_check() &&
           fours_.search(position, fours) != Verdict::Win;
  }

  void take_detour(Position position, Random& random) {
    for (int n = 1 + static_cast<int>(random.below(longest)); n > 0 && !position.is_over(); --n) {
      position.play(likely_move(position, random));
    }
    if (position.is_over() || !is_example(position)) return;
    const float value = search(position).scores[seat(position)];
    game_.examples.push_back({NetworkInputs::of(Counted(position)), value, no_result});
  }

  void keep(std::vector<Taken>& line, const Scores* result) {
    for (const Taken& taken : line) {
      const float got = result != nullptr ? (*result)[seat(taken.position)] : no_result;
      game_.examples.push_back({NetworkInputs::of(Counted(taken.position)), taken.value, got});
    }
    line.clear();
  }

  StrongSearch search_;
  FourSearch fours_;
  TrainingGame game_;
};

// Games `begin` to `begin + games` on the board of `start`, each by a random stream of its own, so
// that threads change nothing.
inline std::vector<TrainingGame> play_training_games(const LeafEvaluation& evaluation,
                                                     const Position& start, int games,
                                                     std::uint64_t seed, std::uint64_t begin,
                                                     std::int64_t positions, int threads) {
  std::vector<TrainingGame> played(static_cast<std::size_t>(games));
  Pool(threads).run(
      games,
      [&](std::int64_t i) {
        TrainingPlayer player(evaluation, positions);
        played[static_cast<std::size_t>(i)] =
            player.play(start, Random(seed, begin + static_cast<std::uint64_t>(i)));
      },
      1);
  return played;
}

}  // namespace tempo::gomoku
