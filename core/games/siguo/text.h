// Siguo in writing: positions, moves, notes, the drawn board; and what makes a position sound.
//
// A position is one line of words:
//   S=61573/7.4.5/82.B3/3.9.4/M26M2/1FM1B E=... N=... W=... turn=S ply=8 quiet=0
// and then, where there is something to tell: passes=0,1,0,0 out=W end=flag last=S:S11-S21:3,
// one word for each piece that has moved (home@where it is, '-' when gone; '~' after it: made a
// move that only a sapper can make; '*': attacked a headquarters), S12@stuck, S12@held, S13@absent,
// and one for each battle by the homes of the two, with the notes of a record: S15xE11=!S62. In a
// View's text '?' stands for kinds that the seat does not know.
#pragma once

#include <charconv>

#include "play.h"

namespace tempo::siguo {

inline constexpr std::array<std::string_view, 6> end_words{"",         "flag",      "nomove",
                                                           "resigned", "nocapture", "maxplies"};

namespace detail {

inline std::string home_text(int piece) { return station_text(homes[at(piece)]); }

// A battle in which `dead` died, with its notes. Two that died together share one.
inline std::string battle_text(const PublicState& state, int dead) {
  const int foe = state.foe(dead);
  const bool both = state.died_together(dead);
  const bool attacked = state.has(dead, Attacked);
  const int attacker = attacked ? dead : foe;
  const int defender = attacked ? foe : dead;
  std::string text = home_text(attacker) + "x" + home_text(defender);
  text += both ? '=' : attacked ? '-' : '+';
  if (state.has(defender, Taken)) text += '#';
  for (const int piece : {attacker, defender})
    if (state.foe(piece) != none && (piece == dead || both) && state.has(piece, Uncovered))
      text += "!" + station_text(state.public_flag(seat_of(piece)));
  return text;
}

}  // namespace detail

inline std::string PublicState::text(const Kinds& kinds_of) const {
  std::string text;
  for (int seat = 0; seat < 4; ++seat) {
    text += seat_letters[at(seat)];
    text += '=';
    text += deployment_text({kinds_of.data() + slots * seat, slots});
    text += ' ';
  }
  text += std::string("turn=") + seat_letters[turn_] + " ply=" + std::to_string(ply_) +
          " quiet=" + std::to_string(quiet_);
  if (options_.pass_limit > 0) {
    text += " passes=";
    for (int seat = 0; seat < 4; ++seat)
      text += (seat > 0 ? "," : "") + std::to_string(passes_[at(seat)]);
  }
  if (out_ != 0) {
    text += " out=";
    for (int seat = 0; seat < 4; ++seat)
      if (!in_play(seat)) text += seat_letters[at(seat)];
  }
  if (end_ != End::None) text += " end=" + std::string(end_words[static_cast<std::size_t>(end_)]);
  for (int seat = 0; seat < 4; ++seat) {
    const Shuttle& last = shuttles_[at(seat)];
    if (last.from == none) continue;
    text += std::string(" last=") + seat_letters[at(seat)] + ":" + station_text(last.from) + "-" +
            station_text(last.to) + ":" + std::to_string(last.times);
  }
  for (int piece = 0; piece < pieces; ++piece) {
    if (has(piece, Absent)) text += " " + detail::home_text(piece) + "@absent";
    if (has(piece, Stuck))
      text += " " + detail::home_text(piece) + (has(piece, Stormed) ? "@held" : "@stuck");
    if (!has(piece, Moved)) continue;
    text += " " + detail::home_text(piece) + "@";
    text += on_board(piece) ? station_text(station(piece)) : "-";
    if (has(piece, Ran)) text += '~';
    if (has(piece, Stormed) && !has(piece, Stuck)) text += '*';
  }
  for (int piece = 0; piece < pieces; ++piece) {
    if (foe(piece) == none || (died_together(piece) && !has(piece, Attacked))) continue;
    text += " " + detail::battle_text(*this, piece);
  }
  return text;
}

// Reads a position's words one by one.
struct PublicState::Reader {
  PublicState& state;
  Kinds& kinds_of;
  int setups = 0;

  static ParseError fault(std::string_view word, const std::string& what) {
    return ParseError("siguo position, '" + std::string(word.substr(0, 60)) + "': " + what);
  }
  static int number(std::string_view word, std::string_view digits, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0 || value > most ||
        (digits.size() > 1 && digits[0] == '0'))
      throw fault(word, "expected a number up to " + std::to_string(most));
    return value;
  }
  static int seat(std::string_view word, char letter) {
    const std::size_t found = seat_letters.find(letter);
    if (found == std::string_view::npos) throw fault(word, "a seat is one of S, E, N, W");
    return static_cast<int>(found);
  }
  static int piece(std::string_view word, std::string_view& rest) {
    const auto [station, letters] = read_station(rest);
    if (letters == 0 || residents[at(station)] == none)
      throw fault(word, "expected the home of a piece, such as S11");
    rest.remove_prefix(letters);
    return residents[at(station)];
  }

  void read(std::string_view word) {
    if (word.find('@') != std::string_view::npos) return place(word);
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals == std::string_view::npos ? 0 : equals);
    if (key.find('x') != std::string_view::npos || key.empty()) return battle(word);
    const std::string_view value = word.substr(equals + 1);
    const auto small = [&](int most) { return number(word, value, most); };
    if (key.size() == 1) {
      setup(word, value);
    } else if (key == "turn" && value.size() == 1) {
      state.turn_ = static_cast<std::uint8_t>(seat(word, value[0]));
    } else if (key == "ply") {
      state.ply_ = static_cast<std::uint16_t>(small(state.options_.max_plies));
    } else if (key == "quiet") {
      state.quiet_ = static_cast<std::uint16_t>(small(state.options_.max_plies));
    } else if (key == "passes") {
      passes(word, value);
    } else if (key == "out" && !value.empty()) {
      for (const char letter : value)
        state.out_ = static_cast<std::uint8_t>(state.out_ | 1U << seat(word, letter));
    } else if (key == "end" && !value.empty()) {
      const auto* found = std::find(end_words.begin(), end_words.end(), value);
      if (found == end_words.end()) throw fault(word, "no game ends like that");
      state.end_ = static_cast<End>(found - end_words.begin());
    } else if (key == "last" && value.size() > 2 && value[1] == ':') {
      last(word, value);
    } else {
      throw fault(word,
                  "expected a setup, turn=, ply=, quiet=, passes=, out=, end=, last=, a piece such "
                  "as S11@C7 or a battle such as S15xE11=");
    }
  }

  void setup(std::string_view word, std::string_view value) {
    if (seat(word, word[0]) != setups) throw fault(word, "setups come as S=, E=, N=, W=");
    const Deployment own = read_deployment(value);
    std::copy(own.begin(), own.end(), kinds_of.begin() + slots * setups++);
  }

  void passes(std::string_view word, std::string_view list) {
    for (int seat = 0; seat < 4; ++seat) {
      const std::size_t end = std::min(list.find(','), list.size());
      const int made = number(word, list.substr(0, end), state.options_.pass_limit);
      state.passes_[at(seat)] = static_cast<std::uint8_t>(made);
      if ((end == list.size()) != (seat == 3)) throw fault(word, "expected four numbers");
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  }

  // last=S:S11-S21:3
  void last(std::string_view word, std::string_view value) {
    Shuttle& last = state.shuttles_[at(seat(word, value[0]))];
    value.remove_prefix(2);
    for (const bool first : {true, false}) {
      const auto [station, letters] = read_station(value);
      if (letters == 0 || value.size() <= letters || value[letters] != (first ? '-' : ':'))
        throw fault(word, "expected two stations, as in last=S:S11-S21:3");
      (first ? last.from : last.to) = static_cast<std::uint8_t>(station);
      value.remove_prefix(letters + 1);
    }
    last.times = static_cast<std::uint8_t>(number(word, value, most_shuttles));
  }

  // S11@C7~*, S11@-, S12@absent
  void place(std::string_view word) {
    std::string_view rest = word;
    const int who = piece(word, rest);
    if (rest.empty() || rest[0] != '@') throw fault(word, "expected '@' after the home");
    rest.remove_prefix(1);
    int marks = state.marks_[at(who)];
    if (rest == "absent" || rest == "stuck" || rest == "held") {
      if (rest == "absent") state.stations_[at(who)] = none;
      marks |= rest == "absent" ? Absent : rest == "stuck" ? Stuck : Stuck | Stormed;
    } else {
      const auto [where, letters] = read_station(rest);
      if (letters == 0 && (rest.empty() || rest[0] != '-'))
        throw fault(word, "expected a station or '-' after '@'");
      state.stations_[at(who)] = static_cast<std::uint8_t>(letters == 0 ? none : where);
      rest.remove_prefix(std::max<std::size_t>(letters, 1));
      marks |= Moved;
      for (const auto& [letter, mark] : {std::pair('~', Ran), std::pair('*', Stormed)}) {
        if (rest.empty() || rest[0] != letter) continue;
        marks |= mark;
        rest.remove_prefix(1);
      }
      if (!rest.empty()) throw fault(word, "expected nothing after the station but '~' and '*'");
    }
    state.marks_[at(who)] = static_cast<std::uint8_t>(marks);
  }

  // S15xE11=!S62; the notes are looked at in the end.
  void battle(std::string_view word) {
    std::string_view rest = word;
    const int attacker = piece(word, rest);
    if (rest.empty() || rest[0] != 'x') throw fault(word, "expected 'x' between two homes");
    rest.remove_prefix(1);
    const int defender = piece(word, rest);
    const char sign = rest.empty() ? '?' : rest[0];
    if (sign != '+' && sign != '-' && sign != '=') throw fault(word, "expected +, - or =");
    const auto die = [&](int dead, int foe, int marks) {
      if (state.foes_[at(dead)] != none) throw fault(word, "a piece dies once");
      state.foes_[at(dead)] = static_cast<std::uint8_t>(foe);
      state.stations_[at(dead)] = none;
      state.marks_[at(dead)] = static_cast<std::uint8_t>(state.marks_[at(dead)] | marks);
    };
    if (sign != '+') die(attacker, defender, Attacked);
    if (sign != '-') die(defender, attacker, 0);
  }

  // What follows from the words: lost flags and Generals, and who left with the seat.
  void conclude() {
    if (setups != 4) throw fault("", "expected the setups of S, E, N and W");
    Set taken;
    for (int who = 0; who < pieces; ++who) {
      const int seat = seat_of(who);
      if (!state.in_play(seat)) state.stations_[at(who)] = none;
      if (state.on_board(who)) {
        // Two pieces on one station would hide each other.
        if (taken.has(state.station(who)))
          throw fault(station_text(state.station(who)), "two pieces stand there");
        taken.add(state.station(who));
      }
      if (state.foe(who) == none) continue;
      int marks = state.marks_[at(who)];
      if (kinds_of[at(who)] == Flag) marks |= Taken;
      if (kinds_of[at(who)] == General && state.options_.flag_reveal == 0) {
        marks |= Uncovered;
        for (int own = slots * seat; own < slots * (seat + 1); ++own)
          if (kinds_of[at(own)] == Flag) state.flags_[at(seat)] = homes[at(own)];
      }
      state.marks_[at(who)] = static_cast<std::uint8_t>(marks);
    }
    state.settle();
  }

  // Notes are redundant; they must be right all the same.
  void check_notes(std::string_view word) const {
    const std::size_t x = word.find('x');
    const StationRead first = read_station(word);
    if (first.letters == 0 || x != first.letters) return;
    const int attacker = residents[at(first.station)];
    const int defender = residents[at(read_station(word.substr(x + 1)).station)];
    const bool lost = state.has(attacker, Attacked) && state.foe(attacker) == defender;
    const std::string right = detail::battle_text(state, lost ? attacker : defender);
    if (right != word) throw fault(word, "this battle is written " + right);
  }
};

inline void PublicState::read(std::string_view text, Kinds& kinds_of) {
  Reader reader{*this, kinds_of};
  const auto each_word = [&](auto&& visit) {
    for (std::size_t i = 0; i <= text.size();) {
      const std::size_t end = std::min(text.find(' ', i), text.size());
      visit(text.substr(i, end - i));
      i = end + 1;
    }
  };
  each_word([&](std::string_view word) { reader.read(word); });
  reader.conclude();
  each_word([&](std::string_view word) { reader.check_notes(word); });
}

inline std::string PublicState::move_text(Move move) const {
  if (move == pass_move) return "skip";
  const bool attacks = occupant(to_of(move)) != none;
  return station_text(from_of(move)) + (attacks ? "x" : "-") + station_text(to_of(move));
}

inline std::string Position::noted_text(Move move) const {
  std::string text = move_text(move);
  if (move == pass_move) return text;
  const int piece = state_.occupant(from_of(move));
  const int target = state_.occupant(to_of(move));
  Position after = *this;
  after.play(move);
  if (target != none) {
    const bool lost = after.state_.foe(piece) == target;
    const bool won = after.state_.foe(target) == piece;
    text += lost && won ? '=' : lost ? '-' : '+';
  }
  std::string notes;
  if (target != none && after.state_.has(target, Taken)) notes += " #";
  for (int step = 0; step < 4; ++step) {
    const int seat = (state_.turn() + step * options().step()) % 4;
    if (state_.in_play(seat) && !after.state_.in_play(seat))
      notes += std::string(" /") + seat_letters[at(seat)];
  }
  for (int step = 0; step < 4; ++step) {
    const int seat = (state_.turn() + step * options().step()) % 4;
    if (state_.public_flag(seat) == none && after.state_.public_flag(seat) != none)
      notes += " !" + station_text(after.state_.public_flag(seat));
  }
  if (after.state_.has(piece, Ran) && state_.shows_sapper(from_of(move), to_of(move)))
    notes += " ~";
  return text + notes;
}

// `S15-E25`, `S15xE11`; the result and the notes may follow, and must then be right.
inline Move Position::parse_move(std::string_view text) const {
  const auto fail = [&](const std::string& what) {
    return ParseError("siguo move '" + std::string(text) + "': " + what);
  };
  if (text == "skip") {
    if (const std::string why = why_illegal(pass_move); !why.empty()) throw IllegalMove(why);
    return pass_move;
  }
  const auto [from, first] = read_station(text);
  const auto [to, second] =
      text.size() > first ? read_station(text.substr(first + 1)) : StationRead{};
  if (first == 0 || second == 0 || (text[first] != '-' && text[first] != 'x'))
    throw fail("expected two stations with '-' or 'x' between them, as in S15xE11");
  const Move move = move_of(from, to);
  if (const std::string why = why_illegal(move); !why.empty()) throw IllegalMove(why);
  const std::string plain = move_text(move);
  if (text != plain) {
    const std::string noted = noted_text(move);
    if (text != noted) throw fail("expected " + plain + (noted == plain ? "" : " or " + noted));
  }
  return move;
}

inline Position Position::parse(std::string_view text, const Options& options) {
  PublicState state(options);
  Kinds kinds_of{};
  kinds_of.fill(Unknown);
  if (text.size() > 1 && text[1] == '.') {
    state.read_by_hand(text, kinds_of);
  } else {
    state.read(text, kinds_of);
  }
  const std::string fault = state.check(kinds_of);
  Position position(state, kinds_of);
  if (fault.empty() && state.end() == End::None && !position.has_move(state.turn()) &&
      !state.can_pass(state.turn()))
    throw ParseError("siguo position: the seat to move has no move");
  if (!fault.empty()) throw ParseError("siguo position: " + fault);
  return position;
}

inline std::string Position::check() const {
  if (key() != scratch_key()) return "the key is stale";
  PublicState again = state_;
  again.settle();
  if (!(again == state_)) return "what is kept beside the pieces is stale";
  if (state_.end() == End::None && !has_move(state_.turn()) && !state_.can_pass(state_.turn()))
    return "the seat to move has no move";
  return state_.check(kinds_);
}

}  // namespace tempo::siguo
