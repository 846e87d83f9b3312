// Forsyth-Edwards notation, and the printed board. FEN is read strictly: whatever it says must be
// able to happen, or the reason is given. It is written canonically: an en passant square appears
// only when some pawn may really capture there.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "../../errors.h"
#include "check.h"
#include "position.h"

namespace tempo::chess {

inline constexpr std::string_view piece_letters = "PNBRQKpnbrqk";

inline char letter_at(const Board& board, Square square) {
  const Kind kind = board.kind_at(square);
  if (kind == no_kind) return '.';
  const bool dark = (board.sides[black] & bit(square)) != 0;
  return piece_letters[static_cast<std::size_t>(kind + (dark ? 6 : 0))];
}

inline std::string Position::text() const {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int gap = 0;
    for (int file = 0; file < 8; ++file) {
      const char letter = letter_at(board_, square_at(file, rank));
      if (letter == '.') {
        ++gap;
        continue;
      }
      if (gap > 0) text += std::to_string(gap);
      gap = 0;
      text += letter;
    }
    if (gap > 0) text += std::to_string(gap);
    if (rank > 0) text += '/';
  }
  text += turn_ == white ? " w " : " b ";
  for (int right = 0; right < 4; ++right) {
    if (board_.castling >> right & 1) text += "KQkq"[right];
  }
  if (board_.castling == 0) text += '-';
  text += ' ' + (board_.en_passant == 0 ? "-" : square_text(board_.en_passant));
  return text + ' ' + std::to_string(clock_) + ' ' + std::to_string(number_);
}

inline std::string Position::board() const {
  std::string lines;
  for (int rank = 7; rank >= 0; --rank) {
    lines += static_cast<char>('1' + rank);
    lines += ' ';
    for (int file = 0; file < 8; ++file) {
      lines += ' ';
      lines += letter_at(board_, square_at(file, rank));
    }
    lines += '\n';
  }
  return lines + "\n   a b c d e f g h\n" + colour_name(colour()) + " to move\n";
}

namespace fen {

[[noreturn]] inline void fail(std::string_view text, const std::string& why) {
  throw ParseError(why + " (in the FEN '" + std::string(text) + "')");
}

inline std::array<std::string_view, 6> fields(std::string_view text) {
  std::array<std::string_view, 6> found;
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
    fail(text, "a FEN has 6 fields (pieces, turn, castling, en passant, clock, move number), not " +
                   std::to_string(size));
  }
  return found;
}

inline void read_pieces(std::string_view text, std::string_view field, Board& board) {
  int rank = 7;
  int file = 0;
  const auto end_rank = [&] {
    if (file == 8) return;
    fail(text,
         "rank " + std::to_string(rank + 1) + " has " + std::to_string(file) + " squares, not 8");
  };
  bool after_gap = false;
  for (const char c : field) {
    const std::size_t piece = piece_letters.find(c);
    if (c == '/') {
      end_rank();
      if (rank == 0) fail(text, "there are more than 8 ranks");
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      if (after_gap) fail(text, "rank " + std::to_string(rank + 1) + " has two numbers in a row");
      file += c - '0';
    } else if (piece != std::string_view::npos) {
      if (file < 8) {
        board.toggle(piece < 6 ? white : black, static_cast<Kind>(piece % 6),
                     bit(square_at(file, rank)));
      }
      ++file;
    } else {
      fail(text, std::string("'") + c + "' is no piece; pieces are " + std::string(piece_letters));
    }
    after_gap = c >= '1' && c <= '8';
  }
  end_rank();
  if (rank != 0) fail(text, "there are " + std::to_string(8 - rank) + " ranks, not 8");
}

inline std::uint8_t read_castling(std::string_view text, std::string_view field) {
  if (field == "-") return 0;
  int rights = 0;
  for (const char c : field) {
    const std::size_t right = std::string_view("KQkq").find(c);
    if (right == std::string_view::npos || rights >> right != 0) {
      fail(text, "castling rights '" + std::string(field) +
                     "' are neither - nor letters of KQkq in that order");
    }
    rights |= 1 << right;
  }
  return static_cast<std::uint8_t>(rights);
}

inline std::uint8_t read_en_passant(std::string_view text, std::string_view field) {
  if (field == "-") return 0;
  if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || field[1] < '1' || field[1] > '8')
    fail(text, "en passant square '" + std::string(field) + "' is neither - nor a square");
  const Square square = square_at(field[0] - 'a', field[1] - '1');
  if (rank_of(square) != 2 && rank_of(square) != 5)
    fail(text, "en passant square " + std::string(field) + " is not on rank 3 or 6");
  return static_cast<std::uint8_t>(square);
}

inline int read_number(std::string_view text, std::string_view field, std::string_view what,
                       int low, int high) {
  int number = 0;
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number);
  if (error != std::errc{} || stop != end || number < low || number > high) {
    fail(text, std::string(what) + " '" + std::string(field) + "' is not a number from " +
                   std::to_string(low) + " to " + std::to_string(high));
  }
  return number;
}

}  // namespace fen

inline Position Position::parse(std::string_view text, const Options& options) {
  const auto field = fen::fields(text);
  Board board{};
  fen::read_pieces(text, field[0], board);
  if (field[1] != "w" && field[1] != "b")
    fen::fail(text, "the side to move '" + std::string(field[1]) + "' is neither w nor b");
  const Colour turn = field[1] == "w" ? white : black;
  board.castling = fen::read_castling(text, field[2]);
  board.en_passant = fen::read_en_passant(text, field[3]);
  const int clock = fen::read_number(text, field[4], "the clock of quiet plies", 0, longest_clock);
  const int number = fen::read_number(text, field[5], "the move number", 1, last_number);
  try {
    return of(board, turn, clock, number, options);
  } catch (const ParseError& bad) {
    fen::fail(text, bad.what());
  }
}

}  // namespace tempo::chess
