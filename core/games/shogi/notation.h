// SFEN, the text of shogi's computer programs, and the printed board. SFEN is read strictly:
// whatever it says must be able to stand on a board, or the reason is given. It is written
// canonically: hands from rook to pawn, Black's first.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "../../errors.h"
#include "check.h"
#include "position.h"

namespace tempo::shogi {

inline constexpr std::string_view kind_letters = "PLNSGBRK";  // in the order of the kinds
inline constexpr Kind hand_order[] = {rook, bishop, gold, silver, knight, lance, pawn};

inline char lower(char letter) { return static_cast<char>(letter - 'A' + 'a'); }
inline char letter_of(Colour side, Kind kind) {
  const char letter = kind_letters[static_cast<std::size_t>(unpromoted(kind))];
  return side == black ? letter : lower(letter);
}
// A piece as SFEN writes it: P, +p.
inline std::string piece_text(Colour side, Kind kind) {
  return (is_promoted(kind) ? "+" : "") + std::string(1, letter_of(side, kind));
}

namespace sfen {

[[noreturn]] inline void fail(std::string_view text, const std::string& why) {
  throw ParseError(why + " (in the SFEN '" + std::string(text) + "')");
}

inline std::array<std::string_view, 4> fields(std::string_view text) {
  std::array<std::string_view, 4> found;
  std::size_t size = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) {
      if (size < found.size()) found[size] = text.substr(at, end - at);
      ++size;
    }
    at = end + 1;
  }
  if (size != found.size()) {
    fail(text,
         "an SFEN has 4 fields (pieces, turn, hands, move number), not " + std::to_string(size));
  }
  return found;
}

// The kind and colour of a letter; no_kind for any other character.
template <class Board>
std::pair<Colour, Kind> piece_of(char letter) {
  for (int kind = pawn; kind <= king; ++kind) {
    const char upper = kind_letters[static_cast<std::size_t>(kind)];
    const bool known = kind == king || Board::pieces[static_cast<std::size_t>(kind % king)] != 0;
    if (known && letter == upper) return {black, static_cast<Kind>(kind)};
    if (known && letter == lower(upper)) return {white, static_cast<Kind>(kind)};
  }
  return {black, no_kind};
}

template <class Board>
class BoardReader {
 public:
  BoardReader(std::string_view text, Pieces<Board>& men) : text_(text), men_(men) {}

  void read(std::string_view field) {
    for (const char c : field) one(c);
    end_rank();
    if (rank_ != size - 1) {
      fail(text_, "there are " + std::to_string(rank_ + 1) + " ranks, not " + std::to_string(size));
    }
  }

 private:
  static constexpr int size = Board::size;

  [[nodiscard]] std::string rank() const {
    return std::string("rank ") + static_cast<char>('a' + rank_);
  }
  void one(char c) {
    const auto [side, kind] = piece_of<Board>(c);
    if (plus_ && kind == no_kind) fail(text_, "after + a piece must come, not '" + quoted(c) + "'");
    if (c == '/') {
      end_rank();
      if (rank_ == size - 1) fail(text_, "there are more than " + std::to_string(size) + " ranks");
      ++rank_;
      column_ = 0;
    } else if (c >= '1' && c <= '0' + size) {
      if (after_gap_) fail(text_, rank() + " has two numbers in a row");
      column_ += c - '0';
    } else if (c == '+') {
      plus_ = true;
    } else if (kind != no_kind) {
      put(side, kind);
    } else {
      fail(text_, "'" + quoted(c) + "' is no piece; pieces are " + std::string(kind_letters) +
                      " for black and the small letters for white, + before those that promoted");
    }
    after_gap_ = c >= '1' && c <= '9';
  }
  static std::string quoted(char c) { return {c}; }

  void put(Colour side, Kind kind) {
    if (plus_ && !can_promote(kind))
      fail(text_, "a " + std::string(kind_name(kind)) + " cannot promote");
    const Kind whole = plus_ ? promoted(kind) : kind;
    plus_ = false;
    if (kind == king && men_.has_king(side)) fail(text_, colour_name(side) + " has two kings");
    if (column_ < size) men_.put(side, whole, Grid<Board>::square_at(rank_, column_));
    ++column_;
  }
  void end_rank() const {
    if (plus_) fail(text_, "after + a piece must come, not the end of " + rank());
    if (column_ == size) return;
    fail(text_,
         rank() + " has " + std::to_string(column_) + " squares, not " + std::to_string(size));
  }

  std::string_view text_;
  Pieces<Board>& men_;
  int rank_ = 0;
  int column_ = 0;
  bool plus_ = false;
  bool after_gap_ = false;
};

inline int read_number(std::string_view text, std::string_view field, int high) {
  int number = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number);
  if (error != std::errc{} || stop != end || number < 1 || number > high) {
    fail(text, "the move number '" + std::string(field) + "' is not a number from 1 to " +
                   std::to_string(high));
  }
  return number;
}

template <class Board>
void read_hands(std::string_view text, std::string_view field, Pieces<Board>& men) {
  if (field == "-") return;
  int times = 0;  // 0: no number before the letter
  for (const char c : field) {
    if (c >= '0' && c <= '9') {
      times = 10 * times + (c - '0');
      if (times == 0 || times > 18)
        fail(text, "a hand holds 1 to 18 of a kind, not as many as '" + std::string(field) + "'");
      continue;
    }
    const auto [side, kind] = piece_of<Board>(c);
    if (kind == no_kind || kind == king) {
      fail(text, std::string("'") + c + "' cannot be in hand; hands are - or pieces of " +
                     std::string(kind_letters.substr(0, hand_kinds)) +
                     " with a number before them where there are several");
    }
    if (men.hands[side][kind] != 0)
      fail(text, std::string("'") + c + "' is twice in the hands '" + std::string(field) + "'");
    if (times == 1) fail(text, std::string("a single ") + c + " in hand is written without the 1");
    men.hands[side][kind] = static_cast<std::uint8_t>(std::max(times, 1));
    times = 0;
  }
  if (times != 0) fail(text, "the hands '" + std::string(field) + "' end with a number");
}

}  // namespace sfen

template <class Board>
PositionOf<Board> PositionOf<Board>::read(std::string_view text, const Options& options,
                                          Door door) {
  const auto field = sfen::fields(text);
  Men men = no_pieces<Board>();
  sfen::BoardReader<Board>(text, men).read(field[0]);
  if (field[1] != "b" && field[1] != "w")
    sfen::fail(text, "the side to move '" + std::string(field[1]) + "' is neither b nor w");
  const Colour turn = field[1] == "b" ? black : white;
  sfen::read_hands(text, field[2], men);
  const int number = sfen::read_number(text, field[3], last_number);
  try {
    return of(men, turn, number, options, door);
  } catch (const ParseError& bad) {
    sfen::fail(text, bad.what());
  }
}

template <class Board>
PositionOf<Board> PositionOf<Board>::parse(std::string_view text, const Options& options) {
  return read(text, options, Door::game);
}

template <class Board>
PositionOf<Board> PositionOf<Board>::parse_problem(std::string_view text, const Options& options) {
  return read(text, options, Door::problem);
}

namespace sfen {

template <class Board>
std::string hand_text(const Pieces<Board>& men, Colour side, std::string_view between = "") {
  std::string text;
  for (const Kind kind : hand_order) {
    const int held = men.hands[side][kind];
    if (held == 0) continue;
    if (!text.empty()) text += between;
    if (held > 1) text += std::to_string(held);
    text += letter_of(side, kind);
  }
  return text;
}

}  // namespace sfen

template <class Board>
std::string PositionOf<Board>::text() const {
  std::string text;
  for (int rank = 0; rank < size; ++rank) {
    if (rank > 0) text += '/';
    int gap = 0;
    for (int column = 0; column < size; ++column) {
      const auto piece = piece_at(Grid<Board>::square_at(rank, column));
      if (!piece) {
        ++gap;
        continue;
      }
      if (gap > 0) text += std::to_string(gap);
      gap = 0;
      text += piece_text(static_cast<Colour>(index(piece->seat)), piece->kind);
    }
    if (gap > 0) text += std::to_string(gap);
  }
  const std::string hands = sfen::hand_text(men_, black) + sfen::hand_text(men_, white);
  return text + (turn_ == black ? " b " : " w ") + (hands.empty() ? "-" : hands) + ' ' +
         std::to_string(number_);
}

template <class Board>
std::string PositionOf<Board>::board() const {
  const auto hand = [&](Colour side) {
    const std::string held = sfen::hand_text(men_, side, " ");
    return colour_name(side) + " in hand: " + (held.empty() ? "nothing" : held) + "\n";
  };
  std::string lines = hand(white);
  for (int file = size; file >= 1; --file) lines += "  " + std::to_string(file);
  lines += '\n';
  for (int rank = 0; rank < size; ++rank) {
    for (int column = 0; column < size; ++column) {
      const auto piece = piece_at(Grid<Board>::square_at(rank, column));
      const std::string mark =
          piece ? piece_text(static_cast<Colour>(index(piece->seat)), piece->kind) : ".";
      lines += std::string(3 - mark.size(), ' ') + mark;
    }
    lines += std::string("  ") + static_cast<char>('a' + rank) + "\n";
  }
  return lines + hand(black) + colour_name(colour()) + " to move\n";
}

}  // namespace tempo::shogi
