// What learners ask of a batch of games: what positions and moves are worth. In a hidden game
// nobody looks at the truth: every answer comes from the view of the seat to move, or from worlds
// drawn from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../evaluator.h"
#include "../function_ref.h"
#include "../parallel/batch.h"
#include "../stop.h"
#include "table_evaluator.h"

namespace tempo {

// A game of a batch, and in a hidden game a seed for what its seat to move may imagine.
template <Game P>
struct Standing {
  P position;
  History past;
  std::uint64_t seed = 0;

  [[nodiscard]] std::optional<Outcome> outcome() const { return tempo::outcome(position, past); }
};

// The games of a batch. With `draw`, hidden ones take a seed from their own streams.
template <Game P>
std::vector<Standing<P>> standings(Batch<P>& batch, bool draw) {
  std::vector<Standing<P>> all;
  all.reserve(static_cast<std::size_t>(batch.size()));
  for (int i = 0; i < batch.size(); ++i) {
    all.push_back({batch.position(i), batch.past(i)});
    if (!Hidden<P> || !draw) continue;
    Random stream = batch.random(i);
    all.back().seed = stream.next();
    batch.set_random(i, stream.state());
  }
  return all;
}

// Calls visit(standing) for what the seat to move may imagine: the game itself, or `samples`
// positions drawn from that seat's view, whose past is not known.
template <Game P, class Visit>
void each_world(const Standing<P>& game, int samples, const Visit& visit) {
  if constexpr (Hidden<P>) {
    if (!game.outcome()) {
      Random random(game.seed);
      const auto view = game.position.view(game.position.turn());
      for (int k = 0; k < samples; ++k) visit(Standing<P>{P::sample(view, random), {}});
      return;
    }
  }
  visit(game);
}

// What scores say to the team of `seat`: of two teams, the value to the seat to move, signed.
template <Game P>
float value_to(Seat seat, const P& position, const Scores& scores) {
  if constexpr (teams_of<P>() > 2) return scores[static_cast<std::size_t>(index(seat))];
  const float value = scores[static_cast<std::size_t>(index(position.turn()))];
  return P::team_of(seat) == P::team_of(position.turn()) ? value : -value;
}

// The moves of a game as the seat to move knows them, none when it is over.
template <Game P>
void list_moves(const Standing<P>& game, typename P::Moves& moves) {
  moves.clear();
  if (game.outcome()) return;
  if constexpr (Hidden<P>) {
    game.position.view(game.position.turn()).legal_moves(moves);
  } else {
    game.position.legal_moves(moves);
  }
}

// Positions that an evaluator is to be asked about, and where the answers are to be added.
template <Game P>
struct Questions {
  std::vector<P> positions;
  std::vector<Seat> movers;  // whose value is wanted
  std::vector<float*> places;

  [[nodiscard]] std::size_t size() const { return positions.size(); }
  void add(const P& position, Seat mover, float* place) {
    positions.push_back(position);
    movers.push_back(mover);
    places.push_back(place);
  }
  void append(const Questions& more) {
    positions.insert(positions.end(), more.positions.begin(), more.positions.end());
    movers.insert(movers.end(), more.movers.begin(), more.movers.end());
    places.insert(places.end(), more.places.begin(), more.places.end());
  }
  void clear() { drop(size()); }
  // Forgets the first `count` of them.
  void drop(std::size_t count) {
    const auto n = static_cast<std::ptrdiff_t>(count);
    positions.erase(positions.begin(), positions.begin() + n);
    movers.erase(movers.begin(), movers.begin() + n);
    places.erase(places.begin(), places.begin() + n);
  }
  // Asks about the first `count` of them.
  void ask(std::size_t count, FunctionRef<void(std::span<const P>, std::span<Scores>)> evaluator) {
    if (count == 0) return;
    std::vector<Scores> scores(count);
    evaluator(std::span<const P>(positions.data(), count), std::span<Scores>(scores));
    for (std::size_t i = 0; i < count; ++i) {
      *places[i] += value_to(movers[i], positions[i], scores[i]);
    }
  }
};

// Adds what each move is worth to the team of its player: the score where the game ends, else a
// question.
template <Game P>
void question_moves(const Standing<P>& game, std::span<const std::uint16_t> moves, float* values,
                    Questions<P>& questions) {
  const Seat mover = game.position.turn();
  History past = game.past;
  remember(game.position, past);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    P next = game.position;
    next.play(Move{moves[i]});
    if (const auto end = outcome(next, past)) {
      values[i] += end->scores[static_cast<std::size_t>(index(mover))];
    } else {
      questions.add(next, mover, &values[i]);
    }
  }
}

// The value of a position to its seat to move: its score if it is over, else a question.
template <Game P>
void question_position(const Standing<P>& game, float* value, Questions<P>& questions) {
  const Seat mover = game.position.turn();
  if (const auto end = game.outcome()) {
    *value += end->scores[static_cast<std::size_t>(index(mover))];
  } else {
    questions.add(game.position, mover, value);
  }
}

inline constexpr std::int64_t games_together = 16;  // what a thread takes at a time

// question(i, questions, flush) adds the questions of game i, and may call flush() in between.
template <Game P>
using Question = FunctionRef<void(int game, Questions<P>& questions, FunctionRef<void()> flush)>;

// Has the questions of all games answered by an evaluator of the core, on all threads.
template <Game P, class E>
void answer_by_threads(int games, const E& evaluator, Pool& pool, Question<P> question) {
  const std::int64_t blocks = (games + games_together - 1) / games_together;
  pool.run(
      blocks,
      [&](std::int64_t block) {
        auto own = evaluator;  // a network has room for one evaluation at a time
        const auto ask = [&own](std::span<const P> positions, std::span<Scores> values) {
          own(positions, values);
        };
        Questions<P> questions;
        StopPoll poll;
        const auto flush = [&] {
          questions.ask(questions.size(), ask);
          questions.clear();
          poll.check();
        };
        const auto end = std::min<std::int64_t>((block + 1) * games_together, games);
        for (std::int64_t i = block * games_together; i < end; ++i) {
          question(static_cast<int>(i), questions, flush);
          flush();
        }
      },
      1);
}

// The same by one that likes to be asked about `most` positions at once, and never about more. The
// questions of `together` games are gathered at a time.
template <Game P>
void answer_together(int games, FunctionRef<void(std::span<const P>, std::span<Scores>)> ask,
                     std::size_t most, int together, Pool& pool, Question<P> question) {
  Questions<P> waiting;
  for (int begin = 0; begin < games; begin += together) {
    std::vector<Questions<P>> parts(static_cast<std::size_t>(std::min(together, games - begin)));
    pool.run(
        static_cast<std::int64_t>(parts.size()),
        [&](std::int64_t i) {
          question(begin + static_cast<int>(i), parts[static_cast<std::size_t>(i)], [] {});
        },
        games_together / 4);
    for (const Questions<P>& part : parts) waiting.append(part);
    while (waiting.size() >= most) {
      waiting.ask(most, ask);
      waiting.drop(most);
      throw_if_stopped();
    }
  }
  waiting.ask(waiting.size(), ask);
}

}  // namespace tempo
