// What is legal in Siguo, what a move does, and when the game ends.
#pragma once

#include "position.h"

namespace tempo::siguo {

template <class Visit>
void Position::each_mover(int seat, Visit&& visit) const {
  const Set open = state_.open_to(seat);
  const Set own = state_.stations_of(seat) - headquarters_of(options());
  bool more = true;
  own.each([&](int from) {
    if (!more) return;
    const Kind kind = kinds_[at(state_.occupant(from))];
    if ((movable & set_of(kind)) != 0) more = visit(from, state_.targets(from, kind, open));
  });
}

inline void Position::legal_moves(Moves& moves) const {
  moves.clear();
  if (state_.end() != End::None) return;
  each_mover(state_.turn(), [&](int from, const Set& targets) {
    targets.each([&](int to) { moves.push(move_of(from, to)); });
    return true;
  });
  if (state_.can_pass(state_.turn())) moves.push(pass_move);
}

inline int Position::count_moves() const {
  if (state_.end() != End::None) return 0;
  int count = state_.can_pass(state_.turn()) ? 1 : 0;
  each_mover(state_.turn(), [&](int, const Set& targets) {
    count += targets.count();
    return true;
  });
  return count;
}

inline Move Position::nth_move(int n) const {
  Move found = pass_move;
  each_mover(state_.turn(), [&](int from, const Set& targets) {
    const int here = targets.count();
    if (n < here) {
      found = move_of(from, targets.nth(n));
      return false;
    }
    n -= here;
    return true;
  });
  return found;
}

// Lists the pieces' targets once, draws, and looks the drawn one up.
inline Move Position::random_move(Random& random) const {
  if (state_.end() != End::None) return no_move;
  struct Mover {
    int from;
    int count;
    Set targets;
  };
  Mover movers[slots];
  int size = 0;
  int count = state_.can_pass(state_.turn()) ? 1 : 0;
  each_mover(state_.turn(), [&](int from, const Set& targets) {
    const int here = targets.count();
    movers[size++] = {from, here, targets};
    count += here;
    return true;
  });
  int n = static_cast<int>(random.below(count));
  for (int i = 0; i < size; ++i) {
    if (n < movers[i].count) return move_of(movers[i].from, movers[i].targets.nth(n));
    n -= movers[i].count;
  }
  return pass_move;
}

inline bool Position::has_move(int seat) const {
  const Set open = state_.open_to(seat);
  const Board& board = state_.board();
  // A step that is open decides it, unless a rule can bar it or lead on past a station without
  // stopping.
  const bool plain = !options().guards_headquarters() && options().repetition == 0;
  bool found = false;
  (state_.stations_of(seat) - headquarters_of(options())).each([&](int from) {
    if (found) return;
    const Kind kind = kinds_[at(state_.occupant(from))];
    if ((movable & set_of(kind)) == 0) return;
    const bool steps = !(board.step[at(from)] & open).empty();
    found = steps && plain;
    if (!found && (steps || options().c5_stop == 0))
      found = !state_.targets(from, kind, open).empty();
  });
  return found;
}

inline const char* Position::fault(Move move) const {
  if (state_.end() != End::None) return "the game is over";
  const int number = tempo::index(move);
  if (number >= move_numbers(options())) return "there is no such move";
  if (move == pass_move) return state_.can_pass(state_.turn()) ? nullptr : "no passes are left";
  const int piece = state_.occupant(from_of(move));
  if (piece == none) return "nothing stands there";
  if (seat_of(piece) != state_.turn()) return "that piece belongs to another seat";
  if (headquarters_of(options()).has(from_of(move))) return "nothing leaves a headquarters";
  if ((movable & set_of(kind(piece))) == 0) return "mines and flags do not move";
  const Set open = state_.open_to(state_.turn());
  if (state_.targets(from_of(move), kind(piece), open).has(to_of(move))) return nullptr;
  const int target = state_.occupant(to_of(move));
  if (target != none && !are_opposed(target, piece)) return "an own or allied piece stands there";
  if (target != none && camps.has(to_of(move))) return "a piece in a camp is safe";
  return "the piece cannot get there";
}

inline std::string Position::why_illegal(Move move) const {
  const char* why = fault(move);
  if (why == nullptr) return "";
  if (tempo::index(move) > pass_number) return std::string(why) + " (siguo)";
  return move_text(move) + ": " + why + " (siguo)";
}

inline int Position::flag_station(int seat) const {
  for (int piece = slots * seat; piece < slots * (seat + 1); ++piece)
    if (kind(piece) == Flag) return homes[at(piece)];  // flags never move
  return none;
}

inline void Position::play(Move move) {
  assert(is_legal(move));
  const int mover = state_.turn();
  if (move == pass_move) {
    state_.note_pass();
    state_.count_ply(true);
    pass_on(mover);
    return;
  }
  const int from = from_of(move);
  const int to = to_of(move);
  const int piece = state_.occupant(from);
  const int target = state_.occupant(to);
  int marks = Moved;
  if (kind(piece) == Sapper && state_.shows_sapper(from, to)) marks |= Ran;
  if (target != none && headquarters_of(options()).has(to)) marks |= Stormed;
  if ((state_.marks(piece) & marks) != marks) state_.mark(piece, marks);
  state_.note_shuttle(from, to);
  int attacked = none;
  if (target == none) {
    state_.shift(piece, to);
  } else {
    attacked = attack(piece, target, to);
  }
  state_.count_ply(target == none);
  if (state_.end() == End::None && options().no_move != 0) {
    for (const int seat : {mover, attacked})
      if (seat != none && state_.in_play(seat) && !has_move(seat) && !state_.can_pass(seat))
        put_out_stuck(seat);
  }
  if (state_.end() == End::None) pass_on(mover);
}

// Fights it out and returns the seat that was attacked.
inline int Position::attack(int attacker, int defender, int to) {
  const Battle result = battle(kind(attacker), kind(defender), options().mine_hit != 0);
  const bool flag_lost = kind(defender) == Flag;
  const auto lose = [&](int piece, int foe, int marks) {
    if (kind(piece) == General && options().flag_reveal == 0) {
      marks |= Uncovered;
      state_.reveal(seat_of(piece), flag_station(seat_of(piece)));
    }
    state_.kill(piece, foe);
    if (marks != 0) state_.mark(piece, marks);
  };
  if (result != Battle::Loses) lose(defender, attacker, flag_lost ? Taken : 0);
  if (result != Battle::Wins) lose(attacker, defender, Attacked);
  if (result == Battle::Wins) state_.shift(attacker, to);
  if (flag_lost) put_out(seat_of(defender), End::Flag);
  return seat_of(defender);
}

inline void Position::put_out(int seat, End end) {
  state_.eliminate(seat);
  state_.break_quiet();
  if (!state_.in_play(seat ^ 2)) state_.finish(end);
}

// A seat that cannot move is out, and everyone sees which of its pieces must therefore be mines,
// and, where not every kind may attack a headquarters, which only lacked a headquarters to attack.
inline void Position::put_out_stuck(int seat) {
  const Set open = state_.open_to(seat);
  const Set& locked = headquarters_of(options());
  (state_.stations_of(seat) - locked).each([&](int station) {
    const bool free = !state_.targets(station, Unknown, open).empty();
    const bool barred = !(state_.board().step[at(station)] & open & locked).empty();
    if (free || barred) state_.mark(state_.occupant(station), free ? Stuck : Stuck | Stormed);
  });
  put_out(seat, End::NoMove);
}

// Hands the turn to the next seat that can move; those on the way that cannot are out.
inline void Position::pass_on(int from_seat) {
  int seat = state_.next_seat(from_seat);
  for (;; seat = state_.next_seat(seat)) {
    if (!state_.in_play(seat)) continue;
    if (state_.can_pass(seat) || has_move(seat)) break;
    put_out_stuck(seat);
    if (state_.end() != End::None) return;
  }
  state_.pass_turn(seat);
  if (options().no_capture_draw > 0 && state_.quiet() >= options().no_capture_draw) {
    state_.finish(End::NoCapture);
  } else if (state_.ply() >= options().max_plies) {
    state_.finish(End::MaxPlies);
  }
}

inline void Position::resign(Seat seat) {
  const int who = tempo::index(seat);
  if (state_.end() != End::None || !state_.in_play(who)) return;
  put_out(who, End::Resigned);
  if (state_.end() == End::None && state_.turn() == who) pass_on(who);
}

}  // namespace tempo::siguo
