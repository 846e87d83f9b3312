#include "experience.h"

#include <algorithm>

namespace tempo {
namespace {

constexpr std::int64_t games_together = 16;  // what a thread takes at a time

// What scores say to the team of `seat`: of two teams, the value to the seat to move, signed.
float value_to(const AnyGame& game, Seat seat, const void* position, const Scores& scores) {
  if (game.teams > 2) return scores[static_cast<std::size_t>(index(seat))];
  const Seat turn = game.turn(position);
  const float value = scores[static_cast<std::size_t>(index(turn))];
  return game.team_of(seat) == game.team_of(turn) ? value : -value;
}

}  // namespace

Standings::Standings(AnyBatch& batch, bool draw) : positions_(batch.game()) {
  const auto games = static_cast<std::size_t>(batch.size());
  positions_.reserve(games);
  pasts_.reserve(games);
  for (int i = 0; i < batch.size(); ++i) {
    positions_.push_back(batch.at(i));
    pasts_.push_back(batch.past(i));
    if (game().draw == nullptr || !draw) continue;
    Random stream = batch.random(i);
    seeds_.push_back(stream.next());
    batch.set_random(i, stream.state());
  }
}

void Standings::each_world(std::size_t i, int samples, Visit visit) const {
  if (game().draw == nullptr || outcome(i)) return visit(position(i), past(i));
  Random random(seeds_.empty() ? 0 : seeds_[i]);
  game().draw(position(i), random, samples, [&](const void* drawn) { visit(drawn, {}); });
}

void Questions::add(const void* position, Seat mover, float* place) {
  positions_.push_back(position);
  movers_.push_back(mover);
  places_.push_back(place);
}

void Questions::append(const Questions& more) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    add(more.positions_[i], more.movers_[i], more.places_[i]);
  }
}

void Questions::clear() {
  positions_.clear();
  movers_.clear();
  places_.clear();
}

void Questions::ask(AskMany evaluator, std::size_t most, bool whole) {
  const AnyGame& game = positions_.game();
  std::size_t done = 0;
  std::vector<Scores> scores;
  while (done < size() && (!whole || size() - done >= most)) {
    const std::size_t count = std::min(most, size() - done);
    scores.assign(count, {});
    evaluator(positions_[done], count, scores);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = done + i;
      *places_[k] += value_to(game, movers_[k], positions_[k], scores[i]);
    }
    done += count;
    if (whole) throw_if_stopped();
  }
  Questions rest(game);
  for (; done < size(); ++done) rest.add(positions_[done], movers_[done], places_[done]);
  *this = std::move(rest);
}

void Questions::add_moves(const void* position, const History& past, std::span<const Move> moves,
                          float* values) {
  const AnyGame& game = positions_.game();
  const Seat mover = game.turn(position);
  History after = past;
  game.remember(position, after);
  AnyPosition next(game);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    next.set(position);
    game.play(next.get(), moves[i]);
    if (const auto end = game.outcome(next.get(), after)) {
      values[i] += end->scores[static_cast<std::size_t>(index(mover))];
    } else {
      add(next.get(), mover, &values[i]);
    }
  }
}

void Questions::add_position(const void* position, const History& past, float* value) {
  const AnyGame& game = positions_.game();
  const Seat mover = game.turn(position);
  if (const auto end = game.outcome(position, past)) {
    *value += end->scores[static_cast<std::size_t>(index(mover))];
  } else {
    add(position, mover, value);
  }
}

void answer_by_threads(const Standings& games,
                       FunctionRef<void(FunctionRef<void(AskMany)>)> with_own, Pool& pool,
                       Question question) {
  const auto count = static_cast<std::int64_t>(games.size());
  const std::int64_t blocks = (count + games_together - 1) / games_together;
  pool.run(
      blocks,
      [&](std::int64_t block) {
        with_own([&](AskMany ask) {
          Questions questions(games.game());
          StopPoll poll;
          const auto flush = [&] {
            questions.ask(ask, std::max<std::size_t>(questions.size(), 1), false);
            poll.check();
          };
          const auto end = std::min((block + 1) * games_together, count);
          for (std::int64_t i = block * games_together; i < end; ++i) {
            question(static_cast<std::size_t>(i), questions, flush);
            flush();
          }
        });
      },
      1);
}

void answer_together(const Standings& games, AskMany ask, std::size_t most, int together,
                     Pool& pool, Question question) {
  Questions waiting(games.game());
  const auto step = static_cast<std::size_t>(together);
  for (std::size_t begin = 0; begin < games.size(); begin += step) {
    std::vector<Questions> parts;
    while (parts.size() < std::min(step, games.size() - begin)) parts.emplace_back(games.game());
    pool.run(
        static_cast<std::int64_t>(parts.size()),
        [&](std::int64_t i) {
          const auto part = static_cast<std::size_t>(i);
          question(begin + part, parts[part], [] {});
        },
        games_together / 4);
    for (const Questions& part : parts) waiting.append(part);
    waiting.ask(ask, most, true);
  }
  waiting.ask(ask, most, false);
}

}  // namespace tempo
