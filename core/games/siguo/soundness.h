// What makes a position sound, positions written by hand, and the drawn board.
#pragma once

#include "text.h"

namespace tempo::siguo {

namespace detail {

// Whether the fate of a piece is what its kind and its foe's say.
inline std::string fate_fault(const PublicState& state, const Kinds& kinds_of, int piece) {
  const auto told = [&](const std::string& what) { return home_text(piece) + " " + what; };
  const Kind kind = kinds_of[at(piece)];
  const int foe = state.foe(piece);
  const bool uncovers = foe != none && kind == General && state.options().flag_reveal == 0;
  if (state.has(piece, Uncovered) != uncovers) return told("shows a flag that it should not");
  if (state.has(piece, Taken) != (foe != none && kind == Flag)) return told("is no lost flag");
  if (foe == none) return state.has(piece, Attacked) ? told("died attacking nobody") : "";
  if (state.on_board(piece)) return told("is dead and stands on the board");
  if (state.has(piece, Absent)) return told("is absent and died");
  if (!are_opposed(piece, foe)) return told("died by its own team");
  const bool attacked = state.has(piece, Attacked);
  const bool both = state.died_together(piece);
  if (both && attacked == state.has(foe, Attacked))
    return told("died, and who attacked is unclear");
  const int attacker = attacked ? piece : foe;
  const int defender = attacked ? foe : piece;
  if (!state.has(attacker, Moved)) return home_text(attacker) + " attacked and never moved";
  const Battle result = both ? Battle::Both : attacked ? Battle::Loses : Battle::Wins;
  const KindSet beaten = battle_tables[at(state.options().mine_hit)]
                             .defenders[static_cast<std::size_t>(result)][kinds_of[at(attacker)]];
  if ((beaten & set_of(kinds_of[at(defender)])) == 0)
    return told("could not have died in its battle with " + home_text(foe));
  if (kind == Flag && state.in_play(seat_of(piece)))
    return told("is a lost flag of a seat in play");
  int next = piece;  // deaths lead on in time, so they end with the living or with two at once
  for (int steps = 0; state.foe(next) != none && !state.died_together(next); ++steps) {
    if (steps > pieces) return told("died in a circle");
    next = state.foe(next);
  }
  return "";
}

inline std::string mark_fault(const PublicState& state, const Kinds& kinds_of, int piece) {
  const auto told = [&](const std::string& what) { return home_text(piece) + " " + what; };
  const Kind kind = kinds_of[at(piece)];
  const bool moved = state.has(piece, Moved);
  const Set& locked = headquarters_of(state.options());
  if (moved && (movable & set_of(kind)) == 0) return told("moved, and is a mine or a flag");
  if (moved && locked.has(homes[at(piece)])) return told("moved out of a headquarters");
  if (moved && state.has(piece, Absent)) return told("is absent and moved");
  if (state.has(piece, Ran) && kind != Sapper) return told("ran as only a sapper can");
  const bool storms = (movable & set_of(kind)) != 0 && may_storm(state.options(), kind);
  if (state.has(piece, Stuck)) {
    if (state.in_play(seat_of(piece))) return told("is held, and its seat is in play");
    if (state.has(piece, Stormed) ? storms : kind != Mine)
      return told("is held, and could have moved");
  } else if (state.has(piece, Stormed) && !storms) {
    return told("attacked a headquarters, which its kind may not");
  }
  if (state.on_board(piece) && !moved && state.station(piece) != homes[at(piece)])
    return told("is away from home and never moved");
  if (state.on_board(piece) && !state.in_play(seat_of(piece)))
    return told("belongs to a seat that is out");
  const bool gone = state.foe(piece) != none || state.has(piece, Absent);
  if (state.in_play(seat_of(piece)) && state.on_board(piece) == gone)
    return told(gone ? "is gone and stands on the board" : "is missing");
  return "";
}

}  // namespace detail

inline std::string PublicState::check(const Kinds& kinds_of) const {
  for (int seat = 0; seat < 4; ++seat) {
    const std::string fault =
        deployment_fault({kinds_of.data() + slots * seat, slots}, options_.one_headquarters());
    if (!fault.empty()) return std::string("setup of ") + seat_letters[at(seat)] + ": " + fault;
  }
  for (int piece = 0; piece < pieces; ++piece) {
    std::string fault = detail::fate_fault(*this, kinds_of, piece);
    if (fault.empty()) fault = detail::mark_fault(*this, kinds_of, piece);
    if (!fault.empty()) return fault;
    if (kinds_of[at(piece)] != Flag) continue;
    const int seat = seat_of(piece);
    if (in_play(seat) && !on_board(piece))
      return std::string("the flag of ") + seat_letters[at(seat)] + " is missing";
    bool shown = false;
    for (int own = slots * seat; own < slots * (seat + 1); ++own) shown |= has(own, Uncovered);
    if (public_flag(seat) != (shown ? homes[at(piece)] : none))
      return std::string("the flag of ") + seat_letters[at(seat)] + " is shown wrongly";
  }
  for (int piece = 0; piece < pieces; ++piece)  // a survivor that attacked has moved too
    if (foe(piece) != none && !has(piece, Attacked) && !has(foe(piece), Moved))
      return detail::home_text(foe(piece)) + " attacked and never moved";
  const bool won = !((in_play(0) || in_play(2)) && (in_play(1) || in_play(3)));
  if (!(in_play(0) || in_play(2) || in_play(1) || in_play(3))) return "nobody is in play";
  const bool by_team = end_ == End::Flag || end_ == End::NoMove || end_ == End::Resigned;
  if (won != by_team) return won ? "a team is out and the game goes on" : "no team is out";
  const bool quiet_end = options_.no_capture_draw > 0 && quiet_ >= options_.no_capture_draw;
  if (!won && quiet_end != (end_ == End::NoCapture)) return "quiet= and end= disagree";
  if (!won && !quiet_end && (ply_ >= options_.max_plies) != (end_ == End::MaxPlies))
    return "ply= and end= disagree";
  if (quiet_ > ply_) return "more quiet plies than plies";
  if (end_ == End::None && !in_play(turn_)) return "the seat to move is out";
  return "";
}

// `S.F@S62 S.2@S61 ... turn=S`: pieces by kind and station, as rules are explained. What is not
// named is absent; homes are found for those that stand elsewhere.
struct PublicState::HandReader {
  struct Named {
    int seat;
    Kind kind;
    int station;
  };
  PublicState& state;
  Kinds& kinds_of;
  std::array<Counts, 4> left{inventory, inventory, inventory, inventory};
  std::vector<Named> displaced;
  Set taken;

  static ParseError fault(std::string_view word, const std::string& what) {
    return Reader::fault(word, what);
  }
  void put(int piece, const Named& named) {
    kinds_of[at(piece)] = named.kind;
    state.stations_[at(piece)] = static_cast<std::uint8_t>(named.station);
    if (homes[at(piece)] != named.station) state.marks_[at(piece)] |= Moved;
  }

  void read(std::string_view word) {
    if (word.size() == 6 && word.substr(0, 5) == "turn=") {
      state.turn_ = static_cast<std::uint8_t>(Reader::seat(word, word[5]));
      return;
    }
    const bool shaped = word.size() >= 6 && word[1] == '.' && word[3] == '@';
    const std::size_t seat = shaped ? seat_letters.find(word[0]) : std::string_view::npos;
    const std::size_t kind = shaped ? kind_letters.find(word[2]) : std::string_view::npos;
    const auto [station, letters] = shaped ? read_station(word.substr(4)) : StationRead{};
    if (seat == std::string_view::npos || kind >= kinds || letters + 4 != word.size())
      throw fault(word, "expected seat.kind@station, as in S.9@C5, or turn=S");
    if (taken.has(station)) throw fault(word, "two pieces stand there");
    taken.add(station);
    if (left[seat][kind]-- == 0) throw fault(word, "an army has fewer of these");
    settle_down(word, {static_cast<int>(seat), static_cast<Kind>(kind), station});
  }

  // At home where that is possible.
  void settle_down(std::string_view word, const Named& named) {
    const int resident = residents[at(named.station)];
    const bool one = state.options_.one_headquarters();
    if (resident != none && seat_of(resident) == named.seat &&
        (deployable(resident % slots, one) & set_of(named.kind)) != 0) {
      put(resident, named);
    } else if ((movable & set_of(named.kind)) != 0) {
      displaced.push_back(named);
    } else {
      throw fault(word, "mines and flags stay where they may be deployed");
    }
  }

  // A home that is still free: from the back for mines, from the front for others, so that mines
  // find room.
  [[nodiscard]] int vacant(int seat, Kind kind, bool moves) const {
    const bool backwards = kind == Mine;
    for (int i = 0; i < slots; ++i) {
      const int slot = backwards ? slots - 1 - i : i;
      const int piece = slots * seat + slot;
      const bool fits = (deployable(slot, state.options_.one_headquarters()) & set_of(kind)) != 0;
      const bool locked = moves && headquarters_of(state.options_).has(homes[at(piece)]);
      if (kinds_of[at(piece)] == Unknown && fits && !locked) return piece;
    }
    throw fault("", std::string("no room to deploy a ") + kind_letters[kind]);
  }

  void conclude() {
    for (const bool bombs : {true, false})  // bombs first: they need a home behind the front row
      for (const Named& named : displaced)
        if ((named.kind == Bomb) == bombs) put(vacant(named.seat, named.kind, true), named);
    for (int seat = 0; seat < 4; ++seat) {
      for (const Kind kind : {Flag, Mine, Bomb, General, LieutenantGeneral, MajorGeneral, Brigadier,
                              Colonel, LieutenantColonel, Captain, Lieutenant, Sapper}) {
        for (; left[at(seat)][kind] > 0; --left[at(seat)][kind]) {
          const int piece = vacant(seat, kind, false);
          kinds_of[at(piece)] = kind;
          state.marks_[at(piece)] |= Absent;
        }
      }
    }
    state.settle();
  }
};

inline void PublicState::read_by_hand(std::string_view text, Kinds& kinds_of) {
  std::fill(stations_.begin(), stations_.end(), none);
  HandReader reader{*this, kinds_of, {inventory, inventory, inventory, inventory}, {}, {}};
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    reader.read(text.substr(i, end - i));
    i = end + 1;
  }
  reader.conclude();
}

// Seventeen rows of seventeen places; camps in round brackets, headquarters in braces.
inline std::string PublicState::board_text(const Kinds& kinds_of) const {
  constexpr int size = 17;
  std::array<std::string, size * size> cells;
  cells.fill("    ");
  for (int i = 0; i < stations; ++i) {
    const auto [x, y] = place_of(i);
    const bool camp = camps.has(i);
    const bool locked = headquarters_of(options_).has(i);
    const int piece = occupant(i);
    std::string cell(1, camp ? '(' : locked ? '{' : ' ');
    if (piece == none) {
      cell += camp || locked ? "  " : " .";
    } else {
      cell += seat_letters[at(seat_of(piece))];
      cell += kind_letters[kinds_of[at(piece)]];
    }
    cell += camp ? ')' : locked ? '}' : ' ';
    cells[at(size * y + x)] = cell;
  }
  std::string text;
  for (int y = 0; y < size; ++y) {
    std::string line;
    for (int x = 0; x < size; ++x) line += cells[at(size * y + x)];
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  text += std::string("turn ") + seat_letters[turn_] + ", ply " + std::to_string(ply_) +
          ", quiet " + std::to_string(quiet_);
  for (int seat = 0; seat < 4; ++seat) {
    if (!in_play(seat)) text += std::string(", ") + seat_letters[at(seat)] + " out";
    if (public_flag(seat) != none) text += ", flag in " + station_text(public_flag(seat));
  }
  return text + "\n";
}

}  // namespace tempo::siguo
