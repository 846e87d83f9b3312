// What learners ask of a batch of games: what positions and moves are worth. In a hidden game
// nobody looks at the truth: every answer comes from the view of the seat to move, or from worlds
// drawn from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../any_game.h"
#include "../function_ref.h"
#include "../parallel/batch.h"
#include "../stop.h"

namespace tempo {

// The games of a batch as they stood, and in a hidden game a seed each for what its seat to move
// may imagine.
class Standings {
 public:
  // With `draw`, hidden games take their seeds from their own streams.
  Standings(AnyBatch& batch, bool draw);

  [[nodiscard]] const AnyGame& game() const { return positions_.game(); }
  [[nodiscard]] std::size_t size() const { return positions_.size(); }
  [[nodiscard]] const void* position(std::size_t i) const { return positions_[i]; }
  [[nodiscard]] const History& past(std::size_t i) const { return pasts_[i]; }
  [[nodiscard]] std::optional<Outcome> outcome(std::size_t i) const {
    return game().outcome(position(i), past(i));
  }
  // Calls visit for what the seat to move may imagine: the game itself, or `samples` positions
  // drawn from that seat's view, whose past is not known.
  using Visit = FunctionRef<void(const void* position, const History& past)>;
  void each_world(std::size_t i, int samples, Visit visit) const;

 private:
  AnyPositions positions_;
  std::vector<History> pasts_;
  std::vector<std::uint64_t> seeds_;
};

// Asks an evaluator about positions that lie side by side.
using AskMany = FunctionRef<void(const void* positions, std::size_t count, std::span<Scores>)>;

// Positions that an evaluator is to be asked about, and where the answers are to be added.
class Questions {
 public:
  explicit Questions(const AnyGame& game) : positions_(game) {}

  [[nodiscard]] std::size_t size() const { return positions_.size(); }
  void add(const void* position, Seat mover, float* place);  // whose value is wanted
  void append(const Questions& more);
  void clear();
  // Asks about all of them, `most` at a time, and forgets them; with `whole`, those that are not
  // enough for a call wait.
  void ask(AskMany evaluator, std::size_t most, bool whole);

  // Adds what each move is worth to the team of its player: the score where the game ends, else a
  // question.
  void add_moves(const void* position, const History& past, std::span<const Move> moves,
                 float* values);
  // The value of a position to its seat to move: its score if it is over, else a question.
  void add_position(const void* position, const History& past, float* value);

 private:
  AnyPositions positions_;
  std::vector<Seat> movers_;
  std::vector<float*> places_;
};

// question(i, questions, flush) adds the questions of game i, and may call flush() in between.
using Question =
    FunctionRef<void(std::size_t game, Questions& questions, FunctionRef<void()> flush)>;

// Has the questions of all games answered by an evaluator of the core, on all threads. `with_own`
// calls what it is given with an evaluator for this thread alone.
void answer_by_threads(const Standings& games,
                       FunctionRef<void(FunctionRef<void(AskMany)>)> with_own, Pool& pool,
                       Question question);

// The same by one that likes to be asked about `most` positions at once, and never about more. The
// questions of `together` games are gathered at a time.
void answer_together(const Standings& games, AskMany ask, std::size_t most, int together,
                     Pool& pool, Question question);

}  // namespace tempo
