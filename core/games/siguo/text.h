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

#include "play.h"

namespace tempo::siguo {

inline constexpr std::array<std::string_view, 6> end_words{"",         "flag",      "nomove",
                                                           "resigned", "nocapture", "maxplies"};

namespace detail {

inline std::string home_text(int piece) { return station_text(homes[at(piece)]); }

// A battle in which `dead` died, with its notes. Two that died together share one.
inline std::string battle_text(const Table& table, int dead) {
  const int foe = table.foe(dead);
  const bool both = table.died_together(dead);
  const bool attacked = table.has(dead, Attacked);
  const int attacker = attacked ? dead : foe;
  const int defender = attacked ? foe : dead;
  std::string text = home_text(attacker) + "x" + home_text(defender);
  text += both ? '=' : attacked ? '-' : '+';
  if (table.has(defender, Taken)) text += '#';
  for (const int piece : {attacker, defender})
    if (table.foe(piece) != none && (piece == dead || both) && table.has(piece, Uncovered))
      text += "!" + station_text(table.public_flag(seat_of(piece)));
  return text;
}

}  // namespace detail

inline std::string Table::text(const Kinds& kinds_of) const {
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

inline void Table::read(std::string_view text, Kinds& kinds_of) {
  const auto fail = [](const std::string& word, const std::string& what) {
    return ParseError("siguo position, '" + word.substr(0, 60) + "': " + what);
  };
  std::vector<std::string> words;
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find(' ', i), text.size());
    words.emplace_back(text.substr(i, end - i));
    if (words.back().empty()) throw fail("", "expected words with one blank between them");
    i = end + 1;
  }
  const auto number = [&](const std::string& word, std::string_view digits, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0 || value > most ||
        (digits.size() > 1 && digits[0] == '0'))
      throw fail(word, "expected a number up to " + std::to_string(most));
    return value;
  };
  const auto seat_in = [&](const std::string& word, char letter) {
    const std::size_t seat = seat_letters.find(letter);
    if (seat == std::string_view::npos || letter == '\0')
      throw fail(word, "a seat is one of S, E, N, W");
    return static_cast<int>(seat);
  };
  const auto piece_in = [&](const std::string& word, std::string_view& rest) {
    const auto [station, letters] = read_station(rest);
    if (letters == 0 || residents[at(station)] == none)
      throw fail(word, "expected the home of a piece, such as S11");
    rest.remove_prefix(letters);
    return int{residents[at(station)]};
  };

  int setups = 0;
  for (const std::string& word : words) {
    std::string_view rest = word;
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals == std::string::npos ? 0 : equals);
    const std::string_view value =
        equals == std::string::npos ? std::string_view{} : rest.substr(equals + 1);
    if (key.size() == 1 && seat_letters.find(key[0]) != std::string_view::npos) {
      if (seat_in(word, key[0]) != setups) throw fail(word, "setups come as S=, E=, N=, W=");
      const Deployment own = read_deployment(value);
      std::copy(own.begin(), own.end(), kinds_of.begin() + slots * setups++);
    } else if (key == "turn" && value.size() == 1) {
      turn_ = static_cast<std::uint8_t>(seat_in(word, value[0]));
    } else if (key == "ply") {
      ply_ = static_cast<std::uint16_t>(number(word, value, options_.max_plies));
    } else if (key == "quiet") {
      quiet_ = static_cast<std::uint16_t>(number(word, value, options_.max_plies));
    } else if (key == "passes") {
      std::string_view list = value;
      for (int seat = 0; seat < 4; ++seat) {
        const std::size_t end = std::min(list.find(','), list.size());
        passes_[at(seat)] =
            static_cast<std::uint8_t>(number(word, list.substr(0, end), options_.pass_limit));
        if ((end == list.size()) != (seat == 3)) throw fail(word, "expected four numbers");
        list.remove_prefix(std::min(end + 1, list.size()));
      }
    } else if (key == "out" && !value.empty()) {
      for (const char letter : value)
        out_ = static_cast<std::uint8_t>(out_ | 1U << seat_in(word, letter));
    } else if (key == "end" && !value.empty()) {
      const auto* found = std::find(end_words.begin(), end_words.end(), value);
      if (found == end_words.end()) throw fail(word, "no game ends like that");
      end_ = static_cast<End>(found - end_words.begin());
    } else if (key == "last" && value.size() > 2 && value[1] == ':') {
      Shuttle& last = shuttles_[at(seat_in(word, value[0]))];
      std::string_view move = value.substr(2);
      for (std::uint8_t* station : {&last.from, &last.to}) {
        const auto [read, letters] = read_station(move);
        if (letters == 0) throw fail(word, "expected two stations, as in last=S:S11-S21:3");
        *station = static_cast<std::uint8_t>(read);
        if (move.size() <= letters || move[letters] != (station == &last.to ? ':' : '-'))
          throw fail(word, "expected two stations, as in last=S:S11-S21:3");
        move.remove_prefix(letters + 1);
      }
      last.times = static_cast<std::uint8_t>(number(word, move, most_shuttles));
    } else if (word.find('@') != std::string::npos) {
      const int piece = piece_in(word, rest);
      if (rest.empty() || rest[0] != '@') throw fail(word, "expected '@' after the home");
      rest.remove_prefix(1);
      if (rest == "absent" || rest == "stuck" || rest == "held") {
        const int seen = rest == "absent" ? Absent : rest == "stuck" ? Stuck : Stuck | Stormed;
        marks_[at(piece)] = static_cast<std::uint8_t>(marks_[at(piece)] | seen);
        if (rest == "absent") stations_[at(piece)] = none;
        continue;
      }
      marks_[at(piece)] |= Moved;
      const auto [where, letters] = read_station(rest);
      if (letters == 0 && (rest.empty() || rest[0] != '-'))
        throw fail(word, "expected a station or '-' after '@'");
      stations_[at(piece)] = static_cast<std::uint8_t>(letters == 0 ? none : where);
      rest.remove_prefix(std::max<std::size_t>(letters, 1));
      if (!rest.empty() && rest[0] == '~') marks_[at(piece)] |= Ran, rest.remove_prefix(1);
      if (!rest.empty() && rest[0] == '*') marks_[at(piece)] |= Stormed, rest.remove_prefix(1);
      if (!rest.empty()) throw fail(word, "expected nothing after the station but '~' and '*'");
    } else if (word.find('x') != std::string::npos) {
      const int attacker = piece_in(word, rest);
      if (rest.empty() || rest[0] != 'x') throw fail(word, "expected 'x' between two homes");
      rest.remove_prefix(1);
      const int defender = piece_in(word, rest);
      const char sign = rest.empty() ? '\0' : rest[0];
      if (sign != '+' && sign != '-' && sign != '=') throw fail(word, "expected +, - or =");
      for (const auto& [dead, foe] :
           {std::pair(attacker, defender), std::pair(defender, attacker)}) {
        if (sign == (dead == attacker ? '+' : '-')) continue;
        if (foes_[at(dead)] != none) throw fail(word, "a piece dies once");
        foes_[at(dead)] = static_cast<std::uint8_t>(foe);
        stations_[at(dead)] = none;
        if (dead == attacker) marks_[at(dead)] |= Attacked;
      }
    } else {
      throw fail(word,
                 "expected a setup, turn=, ply=, quiet=, a piece such as S11@C7 or a battle "
                 "such as S15xE11=");
    }
  }
  if (setups != 4) throw fail("", "expected the setups of S, E, N and W");
  for (int piece = 0; piece < pieces; ++piece) {
    if (!in_play(seat_of(piece))) stations_[at(piece)] = none;
    if (foe(piece) == none) continue;
    if (kinds_of[at(piece)] == Flag) marks_[at(piece)] |= Taken;
    if (kinds_of[at(piece)] == General && options_.flag_reveal == 0) {
      marks_[at(piece)] |= Uncovered;
      for (int slot = 0; slot < slots; ++slot) {
        const int own = slots * seat_of(piece) + slot;
        if (kinds_of[at(own)] == Flag) flags_[at(seat_of(piece))] = homes[at(own)];
      }
    }
  }
  // Two pieces on one station would hide each other: look before anything is derived.
  Set taken;
  for (int piece = 0; piece < pieces; ++piece) {
    if (!on_board(piece)) continue;
    if (taken.has(station(piece)))
      throw fail(station_text(station(piece)), "two pieces stand there");
    taken.add(station(piece));
  }
  settle();
  // Notes are redundant; they must be right all the same.
  for (const std::string& word : words) {
    if (word.find('x') == std::string::npos || word.find('@') != std::string::npos ||
        word.find("max") != std::string::npos)
      continue;
    const auto home = [&](std::size_t i) {
      return int{residents[at(read_station(std::string_view(word).substr(i)).station)]};
    };
    const int attacker = home(0);
    const int defender = home(word.find('x') + 1);
    const bool lost = has(attacker, Attacked) && foe(attacker) == defender;
    const std::string right = detail::battle_text(*this, lost ? attacker : defender);
    if (right != word) throw fail(word, "this battle is written " + right);
  }
}

inline std::string Table::move_text(Move move) const {
  if (move == pass_move) return "skip";
  const bool attacks = occupant(to_of(move)) != none;
  return station_text(from_of(move)) + (attacks ? "x" : "-") + station_text(to_of(move));
}

inline std::string Position::noted_text(Move move) const {
  std::string text = move_text(move);
  if (move == pass_move) return text;
  const int piece = table_.occupant(from_of(move));
  const int target = table_.occupant(to_of(move));
  Position after = *this;
  after.play(move);
  if (target != none) {
    const bool lost = after.table_.foe(piece) == target;
    const bool won = after.table_.foe(target) == piece;
    text += lost && won ? '=' : lost ? '-' : '+';
  }
  std::string notes;
  if (target != none && after.table_.has(target, Taken)) notes += " #";
  for (int step = 0; step < 4; ++step) {
    const int seat = (table_.turn() + step * options().step()) % 4;
    if (table_.in_play(seat) && !after.table_.in_play(seat))
      notes += std::string(" /") + seat_letters[at(seat)];
  }
  for (int step = 0; step < 4; ++step) {
    const int seat = (table_.turn() + step * options().step()) % 4;
    if (table_.public_flag(seat) == none && after.table_.public_flag(seat) != none)
      notes += " !" + station_text(after.table_.public_flag(seat));
  }
  if (after.table_.has(piece, Ran) && table_.shows_sapper(from_of(move), to_of(move)))
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
  Table table(options);
  Kinds kinds_of{};
  kinds_of.fill(Unknown);
  if (text.size() > 1 && text[1] == '.') {
    table.read_by_hand(text, kinds_of);
  } else {
    table.read(text, kinds_of);
  }
  const std::string fault = table.check(kinds_of);
  Position position(table, kinds_of);
  if (fault.empty() && table.end() == End::None && !position.has_move(table.turn()) &&
      !table.can_pass(table.turn()))
    throw ParseError("siguo position: the seat to move has no move");
  if (!fault.empty()) throw ParseError("siguo position: " + fault);
  return position;
}

inline std::string Position::check() const {
  if (key() != scratch_key()) return "the key is stale";
  Table again = table_;
  again.settle();
  if (!(again == table_)) return "what is kept beside the pieces is stale";
  if (table_.end() == End::None && !has_move(table_.turn()) && !table_.can_pass(table_.turn()))
    return "the seat to move has no move";
  return table_.check(kinds_);
}

}  // namespace tempo::siguo
