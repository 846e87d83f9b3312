// Games of the critic: how it chooses, how it explores, and how it learns from every move of its
// own games or of games that it watches (Zhao, Zhang, Dai 2012).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../parallel/pool.h"
#include "../../random.h"
#include "../../stop.h"
#include "critic.h"

namespace tempo::gomoku {

// How games are played. The paper gives no radius, and does not say what becomes of the first stone
// when it is not random: it goes to the centre here.
struct PlayRule {
  double random_share = 0.1;    // ε: moves drawn from the candidates
  bool random_opening = false;  // player 2's first stone is drawn from all points; so is player
                                // 1's, unless he begins: then it goes to the centre
  bool forced = true;           // a move that makes five is played without asking the critic
  int radius = 2;               // candidates are the empty points so near to a stone
};

// A game as the critic plays it: the rules, the patterns, and who is who.
struct CriticGame {
  CriticGame(const Options& options, int first_player)
      : position(Position::start(options)), board(options.size), first(first_player) {}
  CriticGame(const Position& at, int first_player) : position(at), board(at), first(first_player) {}

  [[nodiscard]] int turn() const { return Encoder::player_of(position.turn(), first); }

  void play(Move move) {
    board.put(position.turn(), index(move));
    position.play(move);
  }
  // What player 1 made of a game that is over: 1 won, 1/2 drawn, 0 lost.
  [[nodiscard]] float result() const {
    const Scores scores = position.outcome()->scores;
    return (1 + scores[static_cast<std::size_t>(index(Encoder::seat_of(0, first)))]) / 2;
  }

  Position position;
  PatternBoard board;
  int first;  // the player who began
};

// The empty points at most `radius` away from a stone, diagonally too, in the order of points; all
// empty points where there is none.
inline void near_moves(const Position& position, int radius, Position::Moves& moves) {
  moves.clear();
  const int size = position.size();
  const std::uint32_t whole = ((1U << size) - 1) << Position::margin;
  const auto stones = [&](int y) { return position.row(Seat{0}, y) | position.row(Seat{1}, y); };
  for (int y = 0; y < size; ++y) {
    std::uint32_t near = 0;
    for (int dy = -radius; dy <= radius; ++dy) near |= stones(y + dy);
    for (int step = 0; step < radius; ++step) near |= near << 1 | near >> 1;
    for (std::uint32_t bits = near & whole & ~stones(y); bits != 0; bits &= bits - 1) {
      const int x = std::countr_zero(bits) - Position::margin;
      moves.push(Move{static_cast<std::uint16_t>(y * size + x)});
    }
  }
  if (moves.empty()) position.legal_moves(moves);
}

// The candidates of a position with what the critic thinks of each.
struct Judged {
  Position::Moves moves;
  std::array<PatternChange, Position::Moves::capacity> changes;
  std::array<float, Position::Moves::capacity> values;  // V after each
  int evaluated = 0;                                    // how many values there are
  std::optional<Move> five;                             // the last that wins at once
};

// The candidates, with what each changes, and a winning one if there is one.
inline void find_moves(const CriticGame& game, int radius, Judged& out) {
  out.five.reset();
  out.evaluated = 0;
  near_moves(game.position, radius, out.moves);
  const Seat seat = game.position.turn();
  const auto fives = static_cast<std::size_t>(pattern_place(seat, five_in_a_row));
  for (int i = 0; i < out.moves.size(); ++i) {
    const Move move = out.moves[i];
    PatternChange& change = out.changes[static_cast<std::size_t>(i)];
    change = game.board.change(seat, index(move));
    if (change[fives] <= 0) continue;
    Position after = game.position;  // an overline may not win; a pattern cannot tell
    after.play(move);
    const auto outcome = after.outcome();
    if (outcome && outcome->scores[static_cast<std::size_t>(index(seat))] > 0) out.five = move;
  }
}

// The same, with the value after each, unless a winning move settles it.
inline void judge(const Critic& critic, const CriticGame& game, int radius, bool stop_at_five,
                  Judged& out) {
  find_moves(game, radius, out);
  if (stop_at_five && out.five) return;
  out.evaluated = out.moves.size();
  const Seat seat = game.position.turn();
  const int next = 1 - game.turn();
  Inputs inputs;
  Critic::Sums sums;
  critic.encoder().write(game.board, game.first, next, inputs);
  critic.sum(inputs, sums);
  for (int i = 0; i < out.moves.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    critic.encoder().write_change(game.board, seat, index(out.moves[i]), out.changes[at],
                                  game.first, next, inputs);
    out.values[at] = critic.value_after(sums, inputs);
  }
}

// The best move for the player to move: player 1 wants V high, player 2 low; of equal ones
// the last.
inline Move best_move(const Critic& critic, const CriticGame& game, const PlayRule& rule,
                      Judged& judged) {
  judge(critic, game, rule.radius, rule.forced, judged);
  if (rule.forced && judged.five) return *judged.five;
  const bool wants_high = game.turn() == 0;
  std::size_t best = 0;
  for (std::size_t i = 1; i < static_cast<std::size_t>(judged.moves.size()); ++i) {
    const float value = judged.values[i];
    if (wants_high ? value >= judged.values[best] : value <= judged.values[best]) best = i;
  }
  return judged.moves[static_cast<int>(best)];
}

// One game as it was played, with how often the critic agreed with an expert by player.
struct CriticRecord {
  std::vector<std::int16_t> moves;
  std::vector<std::uint8_t> is_random;  // by move: drawn, not chosen
  float result = 0.5F;                  // of player 1
  float squares = 0;                    // how far values and targets were apart, squared, summed
  int first = 0;
  std::int64_t evaluated = 0;  // positions that the critic valued to choose its moves
  std::array<int, 2> asked{};
  std::array<int, 2> agreed{};
};

// Plays, or follows, one game at a time.
class SelfTeacher {
 public:
  // The expert may be absent.
  SelfTeacher(const Options& options, const PlayRule& rule, const Critic* expert)
      : options_(options), rule_(rule), expert_(expert) {}

  // The critic against itself. With a rule to learn by, it learns after every move.
  template <class C>  // Critic, or const Critic where nothing is learnt
  CriticRecord play(C& critic, const LearningRule* learning, int first, Random& random) {
    CriticRecord record;
    record.first = first;
    CriticGame game(options_, first);
    begin(critic, game);
    while (!game.position.is_over()) {
      const auto [move, is_random] = choose(critic, game, random);
      record.evaluated += judged_.evaluated;
      if (!is_random && counts(game)) ask(game, move, record);
      record.moves.push_back(static_cast<std::int16_t>(index(move)));
      record.is_random.push_back(static_cast<std::uint8_t>(is_random));
      game.play(move);
      if constexpr (!std::is_const_v<C>) record.squares += follow(critic, *learning, game);
    }
    record.result = game.result();
    return record;
  }

  // A game that others played; the critic is asked what it would have played, and learns.
  void watch(Critic& critic, const LearningRule& learning, CriticRecord& record) {
    CriticGame game(options_, record.first);
    begin(critic, game);
    for (std::size_t i = 0; i < record.moves.size(); ++i) {
      const Move move{static_cast<std::uint16_t>(record.moves[i])};
      if (record.is_random[i] == 0 && counts(game)) {
        const auto player = static_cast<std::size_t>(game.turn());
        ++record.asked[player];
        record.agreed[player] += best_move(critic, game, rule_, judged_) == move;
        record.evaluated += judged_.evaluated;
      }
      game.play(move);
      record.squares += follow(critic, learning, game);
    }
    record.result = game.position.is_over() ? game.result() : 0.5F;
  }

 private:
  // The first two moves of each side are too much alike to be counted (section 4 of the paper).
  static bool counts(const CriticGame& game) { return game.position.stones() >= 4; }

  void begin(const Critic& critic, const CriticGame& game) {
    critic.encoder().write(game.board, game.first, game.turn(), before_);
  }

  // Learns from the move that has just been played, and from the end when it was the last.
  float follow(Critic& critic, const LearningRule& rule, const CriticGame& game) {
    critic.encoder().write(game.board, game.first, game.turn(), after_);
    const float apart = critic.learn(rule, before_, after_);
    float squares = apart * apart;
    if (game.position.is_over()) {
      const float from_result = critic.learn(rule, after_, game.result());
      squares += from_result * from_result;
    }
    std::swap(before_, after_);
    return squares;
  }

  void ask(const CriticGame& game, Move move, CriticRecord& record) {
    if (expert_ == nullptr) return;
    const auto player = static_cast<std::size_t>(game.turn());
    ++record.asked[player];
    record.agreed[player] += best_move(*expert_, game, rule_, judged_) == move;
  }

  struct Chosen {
    Move move;
    bool is_random;
  };

  Chosen choose(const Critic& critic, const CriticGame& game, Random& random) {
    const int stones = game.position.stones();
    judged_.evaluated = 0;
    if (stones < 2) {
      const bool begins = stones == 0;
      const bool centred = begins && (game.turn() == 0 || !rule_.random_opening);
      if (centred) return {centre(), true};
      if (rule_.random_opening) return {game.position.random_move(random), true};
    }
    const bool explores = random.uniform() < rule_.random_share;
    if (!explores) return {best_move(critic, game, rule_, judged_), false};
    find_moves(game, rule_.radius, judged_);
    if (rule_.forced && judged_.five) return {*judged_.five, false};
    return {judged_.moves[static_cast<int>(random.below(judged_.moves.size()))], true};
  }

  [[nodiscard]] Move centre() const {
    const int middle = options_.size / 2;
    return Move{static_cast<std::uint16_t>(middle * options_.size + middle)};
  }

  Options options_;
  PlayRule rule_;
  const Critic* expert_;
  Judged judged_;
  Inputs before_;
  Inputs after_;
};

// Games begun by players `firsts`, game i by (seed, begin + i) alone: the critic against itself,
// learning after every move.
inline std::vector<CriticRecord> teach_games(Critic& critic, const Options& options,
                                             std::span<const std::uint8_t> firsts,
                                             std::uint64_t seed, std::uint64_t begin,
                                             const LearningRule& learning, const PlayRule& rule,
                                             const Critic* expert) {
  SelfTeacher teacher(options, rule, expert);
  std::vector<CriticRecord> records;
  StopPoll poll;
  for (std::size_t g = 0; g < firsts.size(); ++g) {
    poll.check();
    Random random(seed, begin + g);
    records.push_back(teacher.play(critic, &learning, firsts[g], random));
  }
  return records;
}

// The same, learning nothing.
inline std::vector<CriticRecord> play_games(const Critic& critic, const Options& options,
                                            std::span<const std::uint8_t> firsts,
                                            std::uint64_t seed, std::uint64_t begin,
                                            const PlayRule& rule, int threads) {
  std::vector<CriticRecord> records(firsts.size());
  Pool(threads).run(
      static_cast<std::int64_t>(firsts.size()),
      [&](std::int64_t i) {
        const auto g = static_cast<std::size_t>(i);
        SelfTeacher teacher(options, rule, nullptr);
        Random random(seed, begin + g);
        records[g] = teacher.play(critic, nullptr, firsts[g], random);
      },
      4);
  return records;
}

// Games that others played, one after the other.
inline void watch_games(Critic& critic, const Options& options, const LearningRule& learning,
                        const PlayRule& rule, std::vector<CriticRecord>& records) {
  SelfTeacher teacher(options, rule, nullptr);
  StopPoll poll;
  for (CriticRecord& record : records) {
    poll.check();
    teacher.watch(critic, learning, record);
  }
}

}  // namespace tempo::gomoku
