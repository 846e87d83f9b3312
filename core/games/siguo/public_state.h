// What everyone at the table sees: where the pieces stand, who moved, who died by whom, whose turn
// it is. Kinds are not in here: a Position adds all of them, a View those that its seat may know.
//
// The past of a piece that matters to what can be deduced is small. It dies once, so the piece it
// met then is one number; pieces that died together are each other's foe; and the rest are marks.
// The battles are edges between pieces, and as every battle ends a life they form a forest.
#pragma once

#include <optional>

#include "../../game.h"
#include "board.h"
#include "pieces.h"

namespace tempo::siguo {

// What everyone has seen of a piece.
enum Mark : std::uint8_t {
  Moved = 1,
  Ran = 2,         // made a move that only a sapper can make
  Stuck = 4,       // could have moved, were it no mine, when its seat had no move; with Stormed:
                   // could have attacked a headquarters, were it of a kind that may
  Stormed = 8,     // attacked a headquarters
  Attacked = 16,   // died attacking
  Uncovered = 32,  // its death made a flag public: it was the General
  Taken = 64,      // was the flag, and lost
  Absent = 128     // gone before the story begins; only positions made by hand have such pieces
};

enum class End : std::uint8_t { None, Flag, NoMove, Resigned, NoCapture, MaxPlies };

inline constexpr int pass_number = stations * stations;
inline constexpr int most_moves = 760;  // three sappers at 76, the others at 24
using Moves = MoveList<most_moves>;

constexpr int from_of(Move move) { return index(move) / stations; }
constexpr int to_of(Move move) { return index(move) % stations; }
constexpr Move move_of(int from, int to) {
  return Move{static_cast<std::uint16_t>(stations * from + to)};
}
inline constexpr Move pass_move{pass_number};

// The stations that lock the piece on them.
inline const Set& headquarters_of(const Options& options) {
  static constexpr Set one =
      stations_that([](int i) { return !is_centre(i) && offset_of(i) == headquarters_offsets[0]; });
  return options.one_headquarters() ? one : headquarters;
}
// Whether a kind may attack a headquarters; Unknown stands for the least able kind.
inline bool may_storm(const Options& options, Kind kind) {
  if (!options.guards_headquarters()) return true;
  if (kind == Unknown || (kind == Bomb && options.bomb_flag != 0)) return false;
  const auto taker = static_cast<FlagTaker>(options.flag_taker);
  if (taker == FlagTaker::NotGeneral) return kind != General;
  return taker == FlagTaker::Any || kind == Sapper;
}

class PublicState {
 public:
  explicit PublicState(const Options& options) : options_(options) {
    for (int piece = 0; piece < pieces; ++piece) {
      occupants_[homes[at(piece)]] = static_cast<std::uint8_t>(piece);
      stations_[at(piece)] = homes[at(piece)];
    }
    turn_ = static_cast<std::uint8_t>(options.first);
    settle();
  }

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Board& board() const { return boards[at(options_.board())]; }
  [[nodiscard]] int turn() const { return turn_; }
  [[nodiscard]] int ply() const { return ply_; }
  [[nodiscard]] int quiet() const { return quiet_; }  // plies since a piece left the board
  [[nodiscard]] int passes(int seat) const { return passes_[at(seat)]; }
  [[nodiscard]] bool in_play(int seat) const { return (out_ >> seat & 1) == 0; }
  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] int occupant(int station) const { return occupants_[at(station)]; }
  [[nodiscard]] int station(int piece) const { return stations_[at(piece)]; }  // none: gone
  [[nodiscard]] bool on_board(int piece) const { return station(piece) != none; }
  [[nodiscard]] int foe(int piece) const { return foes_[at(piece)]; }  // of its last battle
  [[nodiscard]] bool has(int piece, Mark mark) const { return (marks_[at(piece)] & mark) != 0; }
  [[nodiscard]] int marks(int piece) const { return marks_[at(piece)]; }
  [[nodiscard]] bool died_together(int piece) const {
    return foe(piece) != none && foe(foe(piece)) == piece;
  }
  [[nodiscard]] const Set& stations_of(int seat) const { return seats_[at(seat)]; }
  [[nodiscard]] Set occupied() const { return (seats_[0] | seats_[2]) | (seats_[1] | seats_[3]); }
  // Where a seat's flag stands, once everyone knows; none before.
  [[nodiscard]] int public_flag(int seat) const { return flags_[at(seat)]; }
  [[nodiscard]] std::optional<Outcome> outcome() const;

  // Moving. What a piece of `kind` may be moved to from `from` by the seat that owns it.
  [[nodiscard]] Set open_to(int seat) const;
  [[nodiscard]] Set targets(int from, Kind kind, const Set& open) const;
  // What one move of an ordinary piece joins to a station, occupied ones at the ends of runs too.
  [[nodiscard]] Set joined(int station) const;
  [[nodiscard]] bool shows_sapper(int from, int to) const;  // nobody else could run there
  [[nodiscard]] bool can_pass(int seat) const { return passes_[at(seat)] < options_.pass_limit; }

  // Playing, one effect at a time; the Position knows which and in which order.
  void shift(int piece, int to);
  void mark(int piece, int marks) {
    toggle(piece);
    marks_[at(piece)] = static_cast<std::uint8_t>(marks_[at(piece)] | marks);
    toggle(piece);
  }
  void kill(int piece, int foe);
  void reveal(int seat, int flag) { flags_[at(seat)] = static_cast<std::uint8_t>(flag); }
  void eliminate(int seat);
  void note_pass() { ++passes_[turn_]; }
  void note_shuttle(int from, int to);
  void count_ply(bool quiet) {
    ++ply_;
    quiet_ = quiet ? static_cast<std::uint16_t>(quiet_ + 1) : std::uint16_t{0};
  }
  void break_quiet() { quiet_ = 0; }
  void pass_turn(int seat) { turn_ = static_cast<std::uint8_t>(seat); }
  void finish(End end) { end_ = end; }
  [[nodiscard]] int next_seat(int seat) const { return (seat + options_.step()) % 4; }

  // Identity: all that == compares but the options.
  [[nodiscard]] std::uint64_t key() const {
    std::uint64_t word = std::uint64_t{turn_} | std::uint64_t{out_} << 8 |
                         std::uint64_t{ply_} << 16 | std::uint64_t{quiet_} << 32 |
                         static_cast<std::uint64_t>(end_) << 48;
    std::uint64_t key = key_ ^ split_mix(word);
    for (int seat = 0; seat < 4; ++seat) {
      word = std::uint64_t{passes_[at(seat)]} | std::uint64_t{flags_[at(seat)]} << 8 |
             std::uint64_t{shuttles_[at(seat)].from} << 16 |
             std::uint64_t{shuttles_[at(seat)].to} << 24 |
             std::uint64_t{shuttles_[at(seat)].times} << 32 | std::uint64_t(seat) << 40;
      key ^= split_mix(~word);
    }
    return key;
  }
  // Recomputes what is kept beside the pieces' stations, marks and foes.
  void settle();
  [[nodiscard]] PublicState half_turn() const;
  [[nodiscard]] std::string check(const Kinds& kinds_of) const;

  // text.h
  [[nodiscard]] std::string text(const Kinds& kinds_of) const;
  void read(std::string_view text, Kinds& kinds_of);
  void read_by_hand(std::string_view text, Kinds& kinds_of);
  [[nodiscard]] std::string board_text(const Kinds& kinds_of) const;
  [[nodiscard]] std::string move_text(Move move) const;

  friend bool operator==(const PublicState&, const PublicState&) = default;

 private:
  struct Reader;
  struct HandReader;
  struct Shuttle {  // a seat's last move, and how often in a row it only took back the one before
    std::uint8_t from = none;
    std::uint8_t to = none;
    std::uint8_t times = 0;
    friend bool operator==(const Shuttle&, const Shuttle&) = default;
  };
  static constexpr int most_shuttles = 7;  // back and forth four times

  // Puts a piece's part of the key in or out.
  void toggle(int piece) {
    key_ ^= split_mix(static_cast<std::uint64_t>(piece + 1) << 32 |
                      std::uint64_t{stations_[at(piece)]} | std::uint64_t{foes_[at(piece)]} << 8 |
                      std::uint64_t{marks_[at(piece)]} << 16);
  }
  void flip(int piece, int station) {
    seats_[seats_of[at(piece)]].flip(station);
    const Board& b = board();
    for (int i = 0; i < b.line_count[at(station)]; ++i) {
      const auto [line, position] = b.on_lines[at(station)][at(i)];
      lines_[line] = static_cast<std::uint16_t>(lines_[line] ^ 1U << position);
    }
  }
  void lift(int piece) {
    const int station = stations_[at(piece)];
    flip(piece, station);
    occupants_[at(station)] = none;
    stations_[at(piece)] = none;
  }

  std::uint64_t key_ = 0;  // of the pieces
  std::array<Set, 4> seats_{};
  std::array<std::uint16_t, most_lines> lines_{};  // occupied positions of each line
  std::uint16_t ply_ = 0;
  std::uint16_t quiet_ = 0;
  Options options_;
  std::array<std::uint8_t, stations> occupants_ = filled<stations>();
  std::array<std::uint8_t, pieces> stations_ = filled<pieces>();
  std::array<std::uint8_t, pieces> foes_ = filled<pieces>();
  std::array<std::uint8_t, pieces> marks_{};
  std::array<std::uint8_t, 4> flags_ = filled<4>();
  std::array<std::uint8_t, 4> passes_{};
  std::array<Shuttle, 4> shuttles_{};
  std::uint8_t turn_ = 0;
  std::uint8_t out_ = 0;  // seats that are out of the game, one bit each
  End end_ = End::None;

  template <int Size>
  static constexpr std::array<std::uint8_t, Size> filled() {
    std::array<std::uint8_t, Size> all{};
    all.fill(none);
    return all;
  }
};

inline std::optional<Outcome> PublicState::outcome() const {
  constexpr std::array<std::string_view, 6> reasons{"",         "flag taken", "no move",
                                                    "resigned", "no capture", "ply limit"};
  if (end_ == End::None) return std::nullopt;
  Outcome outcome{reasons[static_cast<std::size_t>(end_)], {}};
  if (end_ == End::NoCapture || end_ == End::MaxPlies) return outcome;
  const float south = in_play(0) || in_play(2) ? 1.0F : -1.0F;
  outcome.scores = {south, -south, south, -south};
  return outcome;
}

inline Set PublicState::open_to(int seat) const {
  Set blocked = seats_[at(seat)] | seats_[at(seat ^ 2)];
  blocked |= (seats_[at((seat + 1) & 3)] | seats_[at((seat + 3) & 3)]) & camps;
  if (options_.camps != 0) blocked |= camps - arm_camps[at(seat)];
  if (options_.c5_stop == 0) blocked.add(centre_first + 4);
  if (options_.one_headquarters()) blocked |= headquarters_of(options_) - occupied();
  return Set::all() - blocked;
}

inline Set PublicState::targets(int from, Kind kind, const Set& open) const {
  const Board& b = board();
  Set reach = b.road[at(from)];
  if (b.line_count[at(from)] > 0 || !b.rail[at(from)].empty()) {
    if (kind == Sapper) {
      reach |= b.flood(from, Set::all() - occupied(), stations);
    } else if (b.lines.empty()) {
      reach |= b.flood(from, Set::all() - occupied(), 3);
    } else {
      reach |= b.runs(from, lines_) | b.rail[at(from)];
      reach -= Set::of(from);
    }
  }
  reach &= open;
  if (options_.guards_headquarters() && !may_storm(options_, kind))
    reach -= headquarters_of(options_) & occupied();
  // A search may ask about a station that is still empty.
  if (options_.repetition != 0 && occupant(from) != none) {
    const Shuttle& last = shuttles_[seats_of[at(occupant(from))]];
    if (last.times >= most_shuttles && last.to == from) reach -= Set::of(last.from);
  }
  return reach;
}

inline Set PublicState::joined(int station) const {
  const Board& b = board();
  const Set railway =
      b.lines.empty() ? b.flood(station, Set::all() - occupied(), 3) : b.runs(station, lines_);
  return (b.road[at(station)] | b.rail[at(station)] | railway) - Set::of(station);
}

inline bool PublicState::shows_sapper(int from, int to) const {
  return !board().road[at(from)].has(to) && !targets(from, Unknown, Set::of(to)).has(to);
}

inline void PublicState::shift(int piece, int to) {
  toggle(piece);
  lift(piece);
  stations_[at(piece)] = static_cast<std::uint8_t>(to);
  occupants_[at(to)] = static_cast<std::uint8_t>(piece);
  flip(piece, to);
  toggle(piece);
}

inline void PublicState::kill(int piece, int foe) {
  toggle(piece);
  lift(piece);
  foes_[at(piece)] = static_cast<std::uint8_t>(foe);
  toggle(piece);
}

inline void PublicState::eliminate(int seat) {
  out_ = static_cast<std::uint8_t>(out_ | 1U << seat);
  for (int piece = slots * seat; piece < slots * (seat + 1); ++piece) {
    if (!on_board(piece)) continue;
    toggle(piece);
    lift(piece);
    toggle(piece);
  }
}

inline void PublicState::note_shuttle(int from, int to) {
  if (options_.repetition == 0) return;
  Shuttle& last = shuttles_[turn_];
  const bool back = last.to == from && last.from == to;
  last = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to),
          static_cast<std::uint8_t>(back ? last.times + 1 : 0)};
}

inline void PublicState::settle() {
  occupants_.fill(none);
  seats_ = {};
  lines_ = {};
  key_ = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    toggle(piece);
    if (!on_board(piece)) continue;
    occupants_[stations_[at(piece)]] = static_cast<std::uint8_t>(piece);
    flip(piece, stations_[at(piece)]);
  }
}

inline PublicState PublicState::half_turn() const {
  const auto other = [](int piece) { return (piece + 2 * slots) % pieces; };
  const auto round = [](std::uint8_t station) {
    return station == none ? none : static_cast<std::uint8_t>(turned(station, 2));
  };
  PublicState state = *this;
  for (int piece = 0; piece < pieces; ++piece) {
    const auto image = at(other(piece));
    state.stations_[image] = round(stations_[at(piece)]);
    state.foes_[image] = foe(piece) == none ? none : static_cast<std::uint8_t>(other(foe(piece)));
    state.marks_[image] = marks_[at(piece)];
  }
  for (int seat = 0; seat < 4; ++seat) {
    const auto image = at(seat ^ 2);
    state.flags_[image] = round(flags_[at(seat)]);
    state.passes_[image] = passes_[at(seat)];
    state.shuttles_[image] = shuttles_[at(seat)];
    state.shuttles_[image].from = round(shuttles_[at(seat)].from);
    state.shuttles_[image].to = round(shuttles_[at(seat)].to);
  }
  state.turn_ = turn_ ^ 2;
  state.out_ = static_cast<std::uint8_t>((out_ << 2 | out_ >> 2) & 15);
  state.settle();
  return state;
}

}  // namespace tempo::siguo
