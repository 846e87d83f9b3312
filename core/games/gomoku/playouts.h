// Gomoku played out by rules of thumb, and what the playouts say of moves (Tang, Zhao, Shao, Lv
// 2016). In order: complete an own four; block an opposing four; extend an own three; block an
// opposing three; else any empty point. Of several points that a rule names, any.
//
// The paper does not define a three or a four. Here they are windows of five points in a line that
// hold three or four stones of one seat and none of the other; under the exactly-five rule a window
// beside which an own stone stands counts for nothing, since filling it would make six.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "../../parallel/pool.h"
#include "../../random.h"
#include "../../search/monte_carlo.h"
#include "self_teaching.h"
#include "threats.h"

namespace tempo::gomoku {

// The n-th point of a set, in the order of points.
inline Move nth_point(const Points& points, int size, int n) {
  for (int y = 0;; ++y) {
    const std::uint32_t row = points.rows[static_cast<std::size_t>(y)];
    const int here = std::popcount(row);
    if (n < here) return Move{static_cast<std::uint16_t>(y * size + select_bit(row, n))};
    n -= here;
  }
}

// The threes and fours of both seats, kept stone by stone. A stone touches 20 windows, 28 under the
// exactly-five rule, and hardly any of them becomes or was a three or a four.
class LiveWindows {
 public:
  enum Kind : std::uint8_t { Three, Four };

  explicit LiveWindows(const Options& options)
      : size_(options.size), exactly_five_(options.rule == 1) {
    stones_of_.fill(dead);
    for (std::size_t direction = 0; direction < steps.size(); ++direction) {
      for (int point = 0; point < size_ * size_; ++point) {
        if (on_board(point, direction)) word(direction, cell_of(point)) = 0;
      }
    }
  }

  // The empty points of a seat's windows of a kind.
  [[nodiscard]] const Points& points(Seat seat, Kind kind) const {
    return points_[place(index(seat), kind)];
  }
  [[nodiscard]] int count(Seat seat, Kind kind) const { return counts_[place(index(seat), kind)]; }

  void put(Seat seat, int point) {
    const int cell = cell_of(point);
    const int shift = 8 * index(seat);
    for (std::size_t direction = 0; direction < steps.size(); ++direction) {
      const int step = steps[direction];
      for (int k = 0; k < 5; ++k) add(direction, cell - k * step, 1U << shift, cell);
      if (!exactly_five_) continue;
      add(direction, cell + step, beside << shift, cell);
      add(direction, cell - 5 * step, beside << shift, cell);
    }
    taken_[static_cast<std::size_t>(cell)] = true;
  }

 private:
  // Five cells off the board on every side, so that no window needs an edge test.
  static constexpr int edge = 5;
  static constexpr int stride = 20 + 2 * edge;
  static constexpr int cells = stride * stride;
  static constexpr std::array<int, 4> steps{1, stride, stride + 1, stride - 1};

  // A window is known by its direction and its first cell. Its word has a byte for each seat: the
  // seat's stones in it, and `beside` for each that stands at its ends. Windows off the board are
  // dead from the start.
  static constexpr unsigned beside = 16;
  static constexpr std::uint16_t dead = 0x4040;

  static constexpr std::size_t place(int seat, int kind) {
    return static_cast<std::size_t>(2 * seat + kind);
  }
  [[nodiscard]] int cell_of(int point) const {
    const int y = point / size_;
    return (y + edge) * stride + point - y * size_ + edge;
  }
  [[nodiscard]] bool on_board(int point, std::size_t direction) const {
    const int x = point % size_ + 4 * (direction == 1 ? 0 : direction == 3 ? -1 : 1);
    const int y = point / size_ + 4 * (direction == 0 ? 0 : 1);
    return x >= 0 && x < size_ && y < size_;
  }
  std::uint16_t& word(std::size_t direction, int cell) {
    return stones_of_[direction * cells + static_cast<std::size_t>(cell)];
  }

  // Three, Four or neither (-1): what a window is to a seat.
  static int kind_of(unsigned word, int seat) {
    const unsigned own = seat == 0 ? word & 0xFFU : word >> 8;
    const unsigned others = seat == 0 ? word >> 8 & 7U : word & 7U;
    return others == 0 && (own == 3 || own == 4) ? static_cast<int>(own) - 3 : -1;
  }

  // Whether a byte has 3, 4 or 5 in its lowest three bits: most windows do not, and need no more.
  static bool holds_three(unsigned word) {
    return ((word | (word & word << 1) << 1) & 0x0404U) != 0;
  }

  void add(std::size_t direction, int first, unsigned stone, int cell) {
    std::uint16_t& held = word(direction, first);
    const unsigned before = held;
    const unsigned after = before + stone;
    held = static_cast<std::uint16_t>(after);
    if (!holds_three(after)) return;
    for (int seat = 0; seat < 2; ++seat) {
      const int was = kind_of(before, seat);
      const int is = kind_of(after, seat);
      if (was == is) continue;
      if (was >= 0) mark(direction, first, place(seat, was), -1, -1);
      if (is >= 0) mark(direction, first, place(seat, is), 1, cell);
    }
  }

  // Counts a window in or out at its empty points, but for the one that is being taken.
  void mark(std::size_t direction, int first, std::size_t at, int change, int but) {
    for (int k = 0; k < 5; ++k) {
      const int cell = first + k * steps[direction];
      if (cell == but || taken_[static_cast<std::size_t>(cell)]) continue;
      std::int8_t& windows = windows_at_[at][static_cast<std::size_t>(cell)];
      windows = static_cast<std::int8_t>(windows + change);
      if (windows != (change > 0 ? 1 : 0)) continue;  // neither the first nor the last there
      counts_[at] += change;
      points_[at].rows[static_cast<std::size_t>(cell / stride - edge)] ^= 1U
                                                                          << (cell % stride - edge);
    }
  }

  int size_;
  bool exactly_five_;
  std::array<int, 4> counts_{};  // by seat and kind, as all below
  std::array<Points, 4> points_{};
  std::array<std::array<std::int8_t, cells>, 4> windows_at_{};  // windows with this empty cell
  std::array<bool, cells> taken_{};
  std::array<std::uint16_t, 4 * cells> stones_of_;
};

// Which rule of a playout speaks.
enum class PlayoutRule : std::uint8_t { Complete, Block, Extend, Hinder, Any };

// A position that is played out by the rules, and whose moves in a tree are the points close to
// stones. What a game is stands in a concept, not in a base class: that these names hide those of
// the position is the point of it.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)
class PlayedOut : public Position {
 public:
  static constexpr int radius = 2;

  static PlayedOut start(const Options& options) { return PlayedOut(Position::start(options)); }
  static PlayedOut parse(std::string_view text, const Options& options) {
    return PlayedOut(Position::parse(text, options));
  }
  explicit PlayedOut(const Position& position) : Position(position), windows_(position.options()) {
    for (int y = 0; y < size(); ++y) {
      for (std::uint8_t seat = 0; seat < 2; ++seat) {
        for (std::uint32_t bits = row(Seat{seat}, y); bits != 0; bits &= bits - 1) {
          windows_.put(Seat{seat}, y * size() + std::countr_zero(bits) - margin);
        }
      }
    }
  }

  void legal_moves(Moves& moves) const {
    moves.clear();
    if (!is_over()) near_moves(*this, radius, moves);
  }
  void play(Move move) {
    windows_.put(turn(), index(move));
    Position::play(move);
  }

  // The points that the first rule with something to say names; none stands for all empty points.
  struct Named {
    PlayoutRule rule;
    const Points* points;
    int count;
  };
  [[nodiscard]] Named named() const {
    const Seat own = turn();
    const Seat enemy = other(own);
    const auto has = [&](Seat seat, LiveWindows::Kind kind) { return windows_.count(seat, kind); };
    const auto by = [&](PlayoutRule rule, Seat seat, LiveWindows::Kind kind) {
      return Named{rule, &windows_.points(seat, kind), has(seat, kind)};
    };
    if (has(own, LiveWindows::Four)) return by(PlayoutRule::Complete, own, LiveWindows::Four);
    if (has(enemy, LiveWindows::Four)) return by(PlayoutRule::Block, enemy, LiveWindows::Four);
    if (has(own, LiveWindows::Three)) return by(PlayoutRule::Extend, own, LiveWindows::Three);
    if (has(enemy, LiveWindows::Three)) return by(PlayoutRule::Hinder, enemy, LiveWindows::Three);
    return {PlayoutRule::Any, nullptr, count_moves()};
  }

  // Not uniform, as it is elsewhere: this is how a tree's rollouts come to play by the rules.
  [[nodiscard]] Move random_move(Random& random) const {
    if (is_over()) return no_move;
    const Named found = named();
    if (found.points == nullptr) return Position::random_move(random);
    return nth_point(*found.points, size(), static_cast<int>(random.below(found.count)));
  }

  friend bool operator==(const PlayedOut& a, const PlayedOut& b) {
    return static_cast<const Position&>(a) == static_cast<const Position&>(b);
  }

 private:
  LiveWindows windows_;
};
// NOLINTEND(bugprone-derived-method-shadowing-base-method)

// What was tried of one move, for the seat that plays it.
struct Tried {
  std::int64_t wins = 0;  // of playouts; a draw is none
  double reward = 0;      // mean of [0, 1]
  std::int64_t positions = 0;
};

// Plays a move, and from there whole games by the rules; when stopped, one at least.
inline Tried play_out(const PlayedOut& root, Move move, std::int64_t playouts, Random& random) {
  const auto seat = static_cast<std::size_t>(index(root.turn()));
  PlayedOut begin = root;
  begin.play(move);
  Tried tried;
  StopPoll poll;
  std::int64_t played = 0;
  while (played < playouts) {
    PlayedOut game = begin;
    for (++tried.positions; !game.is_over(); ++tried.positions) {
      game.play(game.random_move(random));
    }
    tried.wins += game.outcome()->scores[seat] > 0;
    ++played;
    if (poll()) break;
  }
  tried.reward = static_cast<double>(tried.wins) / static_cast<double>(played);
  return tried;
}

// Plays a move, and grows a tree from there. Values belong to seats, so that what is good for the
// reply is never taken for good for the move.
inline Tried grow_tree(const PlayedOut& root, Move move, const MonteCarloSettings& settings) {
  PlayedOut begin = root;
  begin.play(move);
  if (begin.is_over()) {
    const bool won = begin.outcome()->scores[static_cast<std::size_t>(index(root.turn()))] > 0;
    return {won ? settings.simulations : 0, won ? 1.0 : 0.0, settings.simulations};
  }
  MonteCarlo<PlayedOut> tree(settings);
  const SearchResult found = tree.search(begin);
  // The mean of the whole tree, which is what the paper backs up to its root; the best reply's
  // alone is in found.scores.
  double total = 0;
  double visits = 0;
  for (const RootMove& reply : found.root) {
    total += static_cast<double>(reply.visits) *
             reward_of(reply.scores[static_cast<std::size_t>(index(root.turn()))]);
    visits += static_cast<double>(reply.visits);
  }
  return {0, visits > 0 ? total / visits : 0.5, found.positions + 1};
}

// Tries several moves of a position, each with random numbers of its own.
inline std::vector<Tried> try_playouts(const Position& position, std::span<const Move> moves,
                                       std::int64_t playouts, std::uint64_t seed, Pool& pool) {
  const PlayedOut root(position);
  std::vector<Tried> tried(moves.size());
  const auto work = [&](std::int64_t i) {
    const Move move = moves[static_cast<std::size_t>(i)];
    Random random(seed, static_cast<std::uint64_t>(index(move)));
    tried[static_cast<std::size_t>(i)] = play_out(root, move, playouts, random);
  };
  pool.run_anytime(static_cast<std::int64_t>(moves.size()), work, 1);
  return tried;
}

inline std::vector<Tried> try_trees(const Position& position, std::span<const Move> moves,
                                    const MonteCarloSettings& settings, Pool& pool) {
  const PlayedOut root(position);
  std::vector<Tried> tried(moves.size());
  const auto work = [&](std::int64_t i) {
    const Move move = moves[static_cast<std::size_t>(i)];
    MonteCarloSettings own = settings;
    own.threads = 1;
    own.stream = settings.stream + static_cast<std::uint64_t>(index(move));
    tried[static_cast<std::size_t>(i)] = grow_tree(root, move, own);
  };
  pool.run_anytime(static_cast<std::int64_t>(moves.size()), work, 1);
  return tried;
}

}  // namespace tempo::gomoku

static_assert(tempo::Game<tempo::gomoku::PlayedOut>);
static_assert(tempo::QuickRandom<tempo::gomoku::PlayedOut>);
