// Jiu notation. A point is a row letter from the top and a column number: G7. Moves: a placement
// `G7`, a step `G9-G8`, a flight `G9~A1`, a jump `G9-G7` and its continuation `-G5`, `stop`, a
// capture `*E7`; the moves of a turn, written one after the other, are the turn.
//
// A position is its rows from the top, `x` Black and `o` White with numbers for runs of empty
// points, the seat to move, and `prep`, or `battle` with the plies since the last capture and the
// plies so far; then what else a position needs: `shuttle A1 A2 3` where trips are counted,
// `crossed` in a game ended by the turn that reached the threshold, and inside a turn
// `jump` or `take` with origin, moving stone, jumps, captures due, enemy stones at the beginning of
// the turn, and the points held and visited (`-` for none).
#pragma once

#include <charconv>
#include <vector>

#include "play.h"
#include "position.h"

namespace tempo::jiu {

inline std::string Position::point_text(Cell cell) const {
  return std::string(1, static_cast<char>('A' + row_of(cell))) +
         std::to_string(column_of(cell) + 1);
}

inline Cell Position::parse_point(std::string_view text) const {
  int column = 0;
  const char* end = text.data() + text.size();
  const bool letter = !text.empty() && text[0] >= 'A' && text[0] < 'A' + size();
  const bool number = letter && text.size() >= 2 && text.size() <= 3 && text[1] != '0' &&
                      std::from_chars(text.data() + 1, end, column).ptr == end;
  if (!number || column < 1 || column > size()) {
    throw ParseError("'" + std::string(text) + "' is not a point; expected a letter A to " +
                     std::string(1, static_cast<char>('A' + size() - 1)) + " and a number 1 to " +
                     std::to_string(size()) + ", as in " + point_text(centre_end(0)));
  }
  return cell_at(text[0] - 'A', column - 1);
}

inline std::string Position::move_text(Move move) const {
  const Action what = action(move);
  switch (what.kind) {
    case Kind::Place:
      return point_text(what.to);
    case Kind::Step: {
      bool near = false;
      for (int d = 0; d < step_directions(); ++d) {
        near = near || what.from + ways[static_cast<std::size_t>(d)] == what.to;
      }
      return point_text(what.from) + (near ? "-" : "~") + point_text(what.to);
    }
    case Kind::Jump:
      return (phase_ == Phase::Jumping ? "" : point_text(what.from)) + "-" + point_text(what.to);
    case Kind::Take:
      return "*" + point_text(what.to);
    case Kind::Stop:
      return "stop";
    case Kind::None:
      break;
  }
  return "?";
}

// A displacement between two points: the jump, the step or the flight that its text can mean.
inline Move Position::parse_move(std::string_view text) const {
  Action what;
  const std::size_t mark = text.find_first_of("-~");
  if (text == "stop") {
    what.kind = Kind::Stop;
  } else if (!text.empty() && text[0] == '*') {
    what = {Kind::Take, 0, parse_point(text.substr(1)), 0};
  } else if (mark == std::string_view::npos) {
    what = {Kind::Place, 0, parse_point(text), 0};
  } else {
    const bool goes_on = mark == 0 && phase_ == Phase::Jumping;
    const Cell from = goes_on ? mover_ : parse_point(text.substr(0, mark));
    what = {Kind::Step, from, parse_point(text.substr(mark + 1)), 0};
    for (int d = 0; d < directions && text[mark] == '-'; ++d) {
      if (from + 2 * ways[static_cast<std::size_t>(d)] == what.to) {
        what = {Kind::Jump, from, what.to, d};
        break;
      }
    }
    bool near = false;
    for (int d = 0; d < step_directions(); ++d) {
      near = near || from + ways[static_cast<std::size_t>(d)] == what.to;
    }
    if (what.kind == Kind::Step && near != (text[mark] == '-')) {
      throw IllegalMove("'" + std::string(text) + "': steps and jumps are written with -, " +
                        "flights with ~" + where());
    }
  }
  const Move move = move_of(what);
  if (!is_legal(move)) throw IllegalMove(why_illegal(move));
  return move;
}

inline std::string Position::where() const {
  if (stage_ == Stage::Preparation) {
    return " (jiu, placement " + std::to_string(placed() + 1) + ")";
  }
  return " (jiu, battle turn " + std::to_string(plies_ + 1) + ")";
}

inline std::string Position::why_illegal(Move move) const {
  if (is_legal(move)) return "";
  if (index(move) >= move_numbers(options_)) {
    return "move number " + std::to_string(index(move)) + " is none; numbers go from 0 to " +
           std::to_string(move_numbers(options_) - 1) + where();
  }
  if (const auto end = outcome()) return "the game is over: " + std::string(end->reason) + where();
  const Action what = action(move);
  const bool battle = stage_ == Stage::Battle;
  const auto wrong = [&](const std::string& text) { return text + where(); };
  if ((what.kind == Kind::Place) == battle) {
    return wrong(battle ? "the board is filled; stones now move" : "stones are still being placed");
  }
  const std::string side(seat_name(turn()));
  switch (what.kind) {
    case Kind::Place:
      if (!empty().has(what.to)) return wrong(point_text(what.to) + " is occupied");
      return wrong("the first two stones go to " + point_text(centre_end(0)) + " and " +
                   point_text(centre_end(1)));
    case Kind::Take:
      if (phase_ != Phase::Taking) return wrong("no square was completed, so nothing is taken");
      return wrong(point_text(what.to) + " cannot be taken: it is not an enemy stone that may be");
    case Kind::Stop:
      return wrong(in_turn() ? "the turn must go on" : "a turn begins with a stone that moves");
    default:
      break;
  }
  if (phase_ == Phase::Taking) {
    return wrong(side + " has " + std::to_string(due_) + " to take first, written *" +
                 point_text(free_targets().first()));
  }
  if (phase_ == Phase::Jumping) {
    return wrong("only the stone on " + point_text(mover_) + " may go on, by jumping");
  }
  if (!stones(turn_).has(what.from)) {
    return wrong(side + " has no stone on " + point_text(what.from));
  }
  if (what.kind == Kind::Step) {
    if (!empty().has(what.to)) return wrong(point_text(what.to) + " is occupied");
    if (is_displacement(what)) return wrong("this step is barred by the rules chosen");
    return wrong(point_text(what.from) + " is not next to " + point_text(what.to));
  }
  if (is_displacement(what)) return wrong("a single jump is barred");
  return wrong(point_text(what.from) + " cannot jump in that direction: it takes an enemy stone " +
               "and an empty point behind it");
}

inline std::string Position::list_text(const Board& points) const {
  std::string text;
  points.each([&](Cell cell) { text += (text.empty() ? "" : ",") + point_text(cell); });
  return text.empty() ? "-" : text;
}

inline Board Position::parse_list(std::string_view text) const {
  Board points;
  if (text == "-") return points;
  int last = -1;
  while (true) {
    const std::size_t comma = text.find(',');
    const Cell cell = parse_point(text.substr(0, comma));
    if (cell <= last) throw ParseError("points of a list must ascend");
    last = cell;
    points.add(cell);
    if (comma == std::string_view::npos) return points;
    text.remove_prefix(comma + 1);
  }
}

inline std::string Position::part_text() const {
  if (!in_turn()) return "";
  return std::string(phase_ == Phase::Jumping ? " jump " : " take ") + point_text(origin_) + " " +
         point_text(mover_) + " " + std::to_string(jumps_) + " " + std::to_string(due_) + " " +
         std::to_string(before_) + " " + list_text(held_) + " " + list_text(visited_);
}

inline std::string Position::text() const {
  std::string text;
  for (int row = 0; row < size(); ++row) {
    int run = 0;
    const auto close_run = [&] {
      if (run > 0) text += std::to_string(run);
      run = 0;
    };
    for (int column = 0; column < size(); ++column) {
      const Cell cell = cell_at(row, column);
      const bool is_black = stones(black).has(cell);
      if (!is_black && !stones(white).has(cell)) {
        ++run;
        continue;
      }
      close_run();
      text += is_black ? 'x' : 'o';
    }
    close_run();
    text += row + 1 < size() ? "/" : "";
  }
  text += turn_ == black ? " x" : " o";
  if (stage_ == Stage::Preparation) return text + " prep";
  text += " battle " + std::to_string(quiet_) + " " + std::to_string(plies_);
  if (trips_ != 0) {
    text += " shuttle " + point_text(edge_from_) + " " + point_text(edge_to_) + " " +
            std::to_string(trips_);
  }
  return text + (crossed_ ? " crossed" : "") + part_text();
}

inline int parse_count(std::string_view text, int high, std::string_view what) {
  int number = -1;
  const char* end = text.data() + text.size();
  const bool canonical = !text.empty() && (text == "0" || text[0] != '0');
  if (!canonical || std::from_chars(text.data(), end, number).ptr != end || number < 0 ||
      number > high) {
    throw ParseError("'" + std::string(text) + "' cannot be the number of " + std::string(what) +
                     "; expected 0 to " + std::to_string(high));
  }
  return number;
}

inline void Position::parse_rows(std::string_view rows) {
  for (int row = 0; row < size(); ++row) {
    const std::size_t slash = rows.find('/');
    if ((slash == std::string_view::npos) != (row + 1 == size())) {
      throw ParseError("expected " + std::to_string(size()) + " rows joined by '/'");
    }
    const std::string_view line = rows.substr(0, slash);
    const auto fail = [&](const std::string& what) {
      throw ParseError("row " + std::string(1, static_cast<char>('A' + row)) + " '" +
                       std::string(line) + "': " + what);
    };
    int column = 0;
    bool after_run = false;
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == 'x' || line[i] == 'o') {
        if (column < size()) put(line[i] == 'x' ? black : white, cell_at(row, column));
        ++column, ++i, after_run = false;
        continue;
      }
      int run = 0;
      const auto [end, error] = std::from_chars(line.data() + i, line.data() + line.size(), run);
      if (error != std::errc{} || run < 1 || run > size() || line[i] == '0' || after_run) {
        fail("expected x, o or the length of a run of empty points");
      }
      i = static_cast<std::size_t>(end - line.data());
      column += run;
      after_run = true;
    }
    if (column != size()) {
      fail("it has " + std::to_string(column) + " points; expected " + std::to_string(size()));
    }
    if (row + 1 < size()) rows.remove_prefix(slash + 1);
  }
}

inline void Position::parse_part(std::span<const std::string_view> words) {
  if (words.size() != 8 || (words[0] != "jump" && words[0] != "take")) {
    throw ParseError(
        "the part of a turn is 'jump' or 'take' and seven words: origin, stone, "
        "jumps, due, enemies before, points held, points visited");
  }
  phase_ = words[0] == "jump" ? Phase::Jumping : Phase::Taking;
  origin_ = parse_point(words[1]);
  mover_ = parse_point(words[2]);
  jumps_ = static_cast<std::uint8_t>(parse_count(words[3], 98, "jumps"));
  due_ = static_cast<std::uint8_t>(parse_count(words[4], 98, "captures due"));
  before_ = static_cast<std::uint8_t>(parse_count(words[5], 98, "enemies before"));
  held_ = parse_list(words[6]);
  visited_ = parse_list(words[7]);
}

inline void Position::parse_battle(std::span<const std::string_view> words) {
  if (words.size() < 2) throw ParseError("battle needs the quiet plies and the plies so far");
  quiet_ = static_cast<std::int16_t>(parse_count(words[0], 2000, "quiet plies"));
  plies_ = static_cast<std::int16_t>(parse_count(words[1], 2000, "plies"));
  words = words.subspan(2);
  if (words.size() >= 4 && words[0] == "shuttle") {
    edge_from_ = parse_point(words[1]);
    edge_to_ = parse_point(words[2]);
    trips_ = static_cast<std::uint8_t>(parse_count(words[3], 6, "trips"));
    words = words.subspan(4);
  }
  before_ = counts_[static_cast<std::size_t>(other())];
  if (!words.empty() && words[0] == "crossed") {
    if (words.size() > 1) throw ParseError("after 'crossed' nothing follows");
    judge(other(), true);
    if (!crossed_) throw ParseError("'crossed' stands only where the crossing ended the game");
    return;
  }
  if (!words.empty()) return parse_part(words);
  const int turn = turn_;
  judge(other(), false);
  if (turn_ != turn) {
    throw ParseError(std::string(seat_name(Seat{static_cast<std::uint8_t>(turn)})) +
                     " has no turn and passes");
  }
}

inline Position Position::parse(std::string_view text, const Options& options) {
  std::vector<std::string_view> words;
  for (std::string_view rest = text;;) {
    const std::size_t space = rest.find(' ');
    words.push_back(rest.substr(0, space));
    if (space == std::string_view::npos) break;
    rest.remove_prefix(space + 1);
  }
  const bool side = words.size() >= 3 && (words[1] == "x" || words[1] == "o");
  if (!side || (words[2] == "prep" ? words.size() != 3 : words[2] != "battle")) {
    throw ParseError(
        "a Jiu position is rows joined by '/', the seat to move (x or o), and 'prep' or 'battle' "
        "with the quiet plies and the plies so far");
  }
  Position position(options);
  position.parse_rows(words[0]);
  position.turn_ = static_cast<std::uint8_t>(words[1] == "x" ? black : white);
  if (words[2] == "prep") {
    position.plies_ = static_cast<std::int16_t>(position.count(white) + position.count(black));
  } else {
    position.stage_ = Stage::Battle;
    position.key_ ^= battle_key;
    position.parse_battle(std::span<const std::string_view>(words).subspan(3));
  }
  if (const std::string unsound = position.check(); !unsound.empty()) throw ParseError(unsound);
  return position;
}

inline std::string Position::check_preparation() const {
  const int first = options_.first_placer;
  const int placed = count(white) + count(black);
  if (placed >= size() * size()) return "a filled board is a battle";
  if (placed != plies_) return "the number of placements is wrong";
  if (count(first) - count(1 - first) != placed % 2) {
    return "white has " + std::to_string(count(white)) + " stones and black " +
           std::to_string(count(black)) + "; they place in turn";
  }
  if (turn_ != (placed % 2 == 0 ? first : 1 - first)) {
    return "the stones say that it is " +
           std::string(seat_name(Seat{static_cast<std::uint8_t>(1 - turn_)})) + "'s turn";
  }
  const Board ends = Board::of(centre_end(0)) | Board::of(centre_end(1));
  const bool fine = (placed < 1 || (stones(first) & ends).count() == 1) &&
                    (placed < 2 || (stones(1 - first) & ends).count() == 1);
  return fine ? ""
              : "the first two stones must stand on " + point_text(centre_end(0)) + " and " +
                    point_text(centre_end(1));
}

inline std::string Position::check_part() const {
  const int left = count(other());
  const int gone = before_ - left;
  if (!stones(turn_).has(mover_)) return "no stone is moving";
  if (origin_ != mover_ && !empty().has(origin_)) return "the moving stone's origin is occupied";
  if (((held_ - stones(other())) | (visited_ - field())).any()) return "a held stone is gone";
  if (phase_ == Phase::Jumping) {
    const int removed = options_.jumped_removed == 0 ? gone : gone + held_.count();
    bool on = false;
    for (int d = 0; d < jump_directions(); ++d) on = on || can_jump_on(d);
    if (jumps_ < 1 || removed != jumps_ || !on) return "no chain of jumps is under way";
    if (due_ != 0 && !counts_every_landing()) return "captures are due in the middle of a chain";
    if ((visited_.any() ? visited_.count() : 0) > jumps_) return "too many points were visited";
    return "";
  }
  const int taken = gone - jumps_;
  const int earned = squares_earned() + extra_earned();
  const int most = before_ - jumps_;
  const bool paid = due_ + taken == (earned < most ? earned : most);
  if (due_ < 1 || due_ > left || taken < 0 || (!paid && !counts_every_landing())) {
    return "the captures due are not those earned";
  }
  if (visited_.any() || (held_.any() && options_.square_targets == 0)) return "points are held";
  if (options_.square_targets != 0 && free_targets().count() < due_) return "too few can be taken";
  return "";
}

inline std::string Position::check() const {
  if ((stones_[0] & stones_[1]).any()) return "two stones on one point";
  if (((stones_[0] | stones_[1]) - field()).any()) return "a stone off the board";
  for (int seat = 0; seat < seats; ++seat) {
    if (stones(seat).count() != count(seat)) return "the stone count is wrong";
    if (count(seat) > size() * size() / 2) {
      return std::string(seat_name(Seat{static_cast<std::uint8_t>(seat)})) + " has " +
             std::to_string(count(seat)) + " stones; there are " +
             std::to_string(size() * size() / 2);
    }
  }
  if (scratch_key() != key()) return "the key is wrong";
  if (stage_ == Stage::Preparation) return check_preparation();
  if (!empty().any()) return "a battle needs an empty point";
  if (quiet_ > plies_) return "there are more quiet plies than plies";
  if (plies_ > options_.max_battle_plies) return "there are more plies than the limit";
  if ((trips_ != 0) && options_.shuttle_limit == 0) return "trips are not counted in these rules";
  if (in_turn()) {
    Position begun = *this;  // a turn is only under way in a game that is not over
    if (begun.is_over()) return "a turn is under way in a finished game";
    return check_part();
  }
  Position judged = *this;
  judged.finish(End::None, -1);
  judged.crossed_ = false;
  judged.judge(other(), crossed_);
  if (judged.end_ != end_ || judged.winner_ != winner_) return "the outcome is wrong";
  return "";
}

inline std::string Position::board() const {
  std::string text = "  ";
  for (int column = 0; column < size(); ++column) {
    text += (column < 9 ? " " : "") + std::to_string(column + 1) + " ";
  }
  text.back() = '\n';
  for (int row = 0; row < size(); ++row) {
    text += static_cast<char>('A' + row);
    text += ' ';
    for (int column = 0; column < size(); ++column) {
      const Cell cell = cell_at(row, column);
      const char stone = stones(black).has(cell) ? 'x' : stones(white).has(cell) ? 'o' : '.';
      text += std::string(" ") + stone + (column + 1 < size() ? " " : "\n");
    }
  }
  return text;
}

}  // namespace tempo::jiu
