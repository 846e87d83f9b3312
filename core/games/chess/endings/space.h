// The legal positions of an ending, numbered 0 .. size-1 without gaps. Positions that a symmetry of
// the board takes into each other share a number: the eight turns and mirrorings where no pawn
// stands, the mirroring left to right with pawns. White's turns come first, then Black's.
//
// Legal means what chess/check.h means: the side that has just moved is not in check, and no move
// of pieces alone could not have given the checks there are. Castling rights do not exist here.
//
// How it is numbered. The kings, reduced by symmetry, make a pair (462 of them, 1806 with pawns).
// Pair, turn and, in endings of four, the square of the first piece make a row; a row has the set
// of squares where the last piece may stand, and the number of positions in the rows before. So a
// number costs one row and one bit count, and all rows of a four-piece ending are 1 to 4 MB.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../../stop.h"
#include "../attacks.h"
#include "../check.h"
#include "../moves.h"
#include "material.h"

namespace tempo::endings {

// A position's number, or `none`.
using Number = std::int32_t;
inline constexpr Number none = -1;

// A board and whose turn it is.
struct Place {
  Board board;
  Colour turn;

  friend bool operator==(const Place&, const Place&) = default;
};

// Turn or mirroring t: bit 0 mirrors the files, bit 1 the ranks, then bit 2 swaps files and ranks.
constexpr Square turned(Square square, int t) {
  const Square mirrored = square ^ ((t & 1) != 0 ? 7 : 0) ^ ((t & 2) != 0 ? 56 : 0);
  return (t & 4) != 0 ? (mirrored & 7) << 3 | mirrored >> 3 : mirrored;
}

// The ways two kings may stand, up to symmetry.
class KingPairs {
 public:
  struct Entry {
    std::int16_t pair = -1;     // -1: too close
    std::uint8_t turn = 0;      // the symmetry that brings the kings to their standard squares
    std::uint8_t diagonal = 0;  // 1: both stand on a1-h8 then, so that mirroring there is left over
  };

  static const KingPairs& with(bool pawns) {
    static const KingPairs both[] = {KingPairs(false), KingPairs(true)};
    return both[pawns ? 1 : 0];
  }
  [[nodiscard]] int size() const { return static_cast<int>(squares_.size()); }
  [[nodiscard]] const Entry& at(Square white_king, Square black_king) const {
    return entries_[static_cast<std::size_t>(white_king << 6 | black_king)];
  }
  [[nodiscard]] std::pair<Square, Square> squares(int pair) const {
    return squares_[static_cast<std::size_t>(pair)];
  }

 private:
  explicit KingPairs(bool pawns) {
    for (Square white_king = 0; white_king < 64; ++white_king) {
      for (Square black_king = 0; black_king < 64; ++black_king) {
        if (standard(white_king, black_king, pawns)) add(white_king, black_king, pawns);
      }
    }
  }

  // White's king in the triangle a1-d1-d4 and Black's not above the diagonal when White's is on it;
  // with pawns, White's king on the files a to d.
  static bool standard(Square white_king, Square black_king, bool pawns) {
    if (white_king == black_king || (chess::king_attacks(white_king) & chess::bit(black_king)) != 0)
      return false;
    const int file = chess::file_of(white_king);
    const int rank = chess::rank_of(white_king);
    if (pawns || file > 3) return file <= 3;
    return rank < file ||
           (rank == file && chess::rank_of(black_king) <= chess::file_of(black_king));
  }
  void add(Square white_king, Square black_king, bool pawns) {
    const auto on_diagonal = [](Square s) { return chess::rank_of(s) == chess::file_of(s); };
    const bool left_over = !pawns && on_diagonal(white_king) && on_diagonal(black_king);
    const auto pair = static_cast<std::int16_t>(squares_.size());
    squares_.emplace_back(white_king, black_king);
    for (int t = pawns ? 1 : 7; t >= 0; --t) {
      // The inverse of t: the two mirrorings change places when files and ranks were swapped.
      const int back = (t & 4) != 0 ? 4 | (t & 1) << 1 | (t & 2) >> 1 : t;
      const auto at = turned(white_king, back) << 6 | turned(black_king, back);
      entries_[static_cast<std::size_t>(at)] = {pair, static_cast<std::uint8_t>(t),
                                                static_cast<std::uint8_t>(left_over)};
    }
  }

  std::array<Entry, 64 * 64> entries_{};
  std::vector<std::pair<Square, Square>> squares_;
};

class Space {
 public:
  explicit Space(const Material& material);

  [[nodiscard]] const Material& material() const { return material_; }
  [[nodiscard]] Number size() const { return static_cast<Number>(rows_.back().base); }
  // The first position with Black to move.
  [[nodiscard]] Number first_black() const {
    return static_cast<Number>(rows_[rows_per_turn_].base);
  }

  // The number of a position of this material, in any orientation; `none` if it is not legal.
  [[nodiscard]] Number number_of(const Board& board, Colour turn) const;
  // The position of a number, in its standard orientation.
  [[nodiscard]] Place place(Number number) const;
  // How many positions share the number: 8 or 4 without pawns, 2 with.
  [[nodiscard]] int orbit(Number number) const;

 private:
  struct Row {
    Bitboard squares = 0;
    std::uint32_t base = 0;
  };
  // The pieces besides the kings on one board; with one such piece, it is the last.
  struct Men {
    Square first;
    Square last;

    friend auto operator<=>(const Men&, const Men&) = default;
  };
  static constexpr Number stride = 32;

  [[nodiscard]] Men men_of(const Board& board) const;
  [[nodiscard]] Men standard(Men men, const KingPairs::Entry& kings) const;
  [[nodiscard]] Men ordered(Men men) const {
    return material_.twins() && men.first > men.last ? Men{men.last, men.first} : men;
  }
  [[nodiscard]] Men mirrored(Men men) const {
    return ordered({has_first() ? turned(men.first, 4) : 0, turned(men.last, 4)});
  }
  [[nodiscard]] bool has_first() const { return material_.size() == 2; }
  [[nodiscard]] std::size_t row_of(Colour turn, int pair, Square first_man) const {
    return static_cast<std::size_t>(turn) * rows_per_turn_ +
           static_cast<std::size_t>(pair * width_ + first_man);
  }
  [[nodiscard]] std::size_t passing_row(Colour turn, int pair) const {
    return static_cast<std::size_t>(turn) * rows_per_turn_ +
           static_cast<std::size_t>(pairs_->size() * width_ + pair);
  }
  [[nodiscard]] Board board_of(int pair, Men men) const;
  [[nodiscard]] Board passing_board(Colour turn, int pair, int which) const;
  [[nodiscard]] Number find(std::size_t row, Square square) const {
    const Row& found = rows_[row];
    if ((found.squares >> square & 1) == 0) return none;
    return static_cast<Number>(found.base) + chess::count(found.squares & (chess::bit(square) - 1));
  }
  void fill_row(Colour turn, int pair, Square first_man);
  void fill_passing_row(Colour turn, int pair);
  void number_rows();

  Material material_;
  const KingPairs* pairs_;
  int width_;  // rows for each pair of kings
  std::size_t rows_per_turn_;
  std::vector<Row> rows_;              // and one more, where the numbers end
  std::vector<std::uint32_t> row_at_;  // the row of every `stride`-th number
};

namespace detail {

inline bool is_legal(const Board& board, Colour turn) {
  const Bitboard occupied = board.occupied();
  if (chess::attackers(board, board.king_of(chess::other(turn)), turn, occupied) != 0) return false;
  const Bitboard checkers =
      chess::attackers(board, board.king_of(turn), chess::other(turn), occupied);
  return !chess::more_than_one(checkers) || chess::detail::bad_checks(board, turn).empty();
}

// With a pawn of each side a double step may be answered en passant in 14 ways: number 2f when the
// pawn that has just passed stands on file f and the capturing one to its left, 2f + 1 to its
// right.
inline int passing_number(Square passed_pawn, Square capturer) {
  return 2 * chess::file_of(passed_pawn) + (capturer > passed_pawn ? 1 : 0);
}

}  // namespace detail

inline Space::Space(const Material& material)
    : material_(material),
      pairs_(&KingPairs::with(material.has_pawns())),
      width_(has_first() ? 64 : 1) {
  assert(material.size() >= 1);
  const bool passing = material.has_en_passant();
  rows_per_turn_ = static_cast<std::size_t>(pairs_->size() * (width_ + (passing ? 1 : 0)));
  rows_.resize(2 * rows_per_turn_ + 1);
  StopPoll poll;
  for (const Colour turn : {chess::white, chess::black}) {
    for (int pair = 0; pair < pairs_->size(); ++pair) {
      poll.check();
      for (Square first_man = 0; first_man < width_; ++first_man) fill_row(turn, pair, first_man);
      if (passing) fill_passing_row(turn, pair);
    }
  }
  number_rows();
}

inline Board Space::board_of(int pair, Men men) const {
  const auto [white_king, black_king] = pairs_->squares(pair);
  Board board{};
  board.toggle(chess::white, chess::king, chess::bit(white_king));
  board.toggle(chess::black, chess::king, chess::bit(black_king));
  if (has_first()) board.toggle(material_[0].colour, material_[0].kind, chess::bit(men.first));
  const Man last = material_[material_.size() - 1];
  board.toggle(last.colour, last.kind, chess::bit(men.last));
  return board;
}

inline Board Space::passing_board(Colour turn, int pair, int which) const {
  const int forward = turn == chess::white ? 8 : -8;
  const Square passed = chess::square_at(which / 2, turn == chess::white ? 4 : 3);
  const Square capturer = passed + (which % 2 != 0 ? 1 : -1);
  // White's pawn is the first piece.
  Board board =
      board_of(pair, turn == chess::white ? Men{capturer, passed} : Men{passed, capturer});
  board.en_passant = static_cast<std::uint8_t>(passed + forward);
  return board;
}

inline void Space::fill_row(Colour turn, int pair, Square first_man) {
  const auto [white_king, black_king] = pairs_->squares(pair);
  const KingPairs::Entry& kings = pairs_->at(white_king, black_king);
  const Bitboard taken =
      chess::bit(white_king) | chess::bit(black_king) | (has_first() ? chess::bit(first_man) : 0);
  const Bitboard ends = chess::rank_set(0) | chess::rank_set(7);
  const auto allowed = [&](int man) {
    return material_[man].kind == chess::pawn ? ~ends : chess::everywhere;
  };
  if (has_first() && (chess::count(taken) != 3 || (allowed(0) & chess::bit(first_man)) == 0))
    return;
  Row& row = rows_[row_of(turn, pair, first_man)];
  for (Bitboard left = allowed(material_.size() - 1) & ~taken; left != 0;) {
    const Men men{first_man, chess::take_first(left)};
    if (standard(men, kings) == men && detail::is_legal(board_of(pair, men), turn))
      row.squares |= chess::bit(men.last);
  }
}

inline void Space::fill_passing_row(Colour turn, int pair) {
  Row& row = rows_[passing_row(turn, pair)];
  for (int which = 1; which < 15; ++which) {
    const Board board = passing_board(turn, pair, which);
    if (chess::count(board.occupied()) != 4 || !chess::unsound(board, turn).empty()) continue;
    const Bitboard capturers =
        turn == chess::white ? chess::en_passant_capturers<chess::white>(board, board.en_passant)
                             : chess::en_passant_capturers<chess::black>(board, board.en_passant);
    if (capturers != 0) row.squares |= chess::bit(which);
  }
}

inline void Space::number_rows() {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].base = total;
    total += static_cast<std::uint32_t>(chess::count(rows_[i].squares));
    while (row_at_.size() * stride < total) row_at_.push_back(static_cast<std::uint32_t>(i));
  }
}

inline Space::Men Space::men_of(const Board& board) const {
  const Man last = material_[material_.size() - 1];
  const Bitboard lasts = board.of(last.colour, last.kind);
  if (!has_first()) return {0, chess::first(lasts)};
  const Man man = material_[0];
  return {chess::first(board.of(man.colour, man.kind)), 63 - std::countl_zero(lasts)};
}

// Where the pieces stand once the kings are on their standard squares.
inline Space::Men Space::standard(Men men, const KingPairs::Entry& kings) const {
  men = ordered({has_first() ? turned(men.first, kings.turn) : 0, turned(men.last, kings.turn)});
  return kings.diagonal != 0 ? std::min(men, mirrored(men)) : men;
}

inline Number Space::number_of(const Board& board, Colour turn) const {
  const KingPairs::Entry& kings =
      pairs_->at(board.king_of(chess::white), board.king_of(chess::black));
  if (kings.pair < 0) return none;
  const Men men = standard(men_of(board), kings);
  if (board.en_passant == 0) return find(row_of(turn, kings.pair, men.first), men.last);
  const bool white_captures = turn == chess::white;
  return find(passing_row(turn, kings.pair),
              detail::passing_number(white_captures ? men.last : men.first,
                                     white_captures ? men.first : men.last));
}

inline Place Space::place(Number number) const {
  assert(number >= 0 && number < size());
  const auto wanted = static_cast<std::uint32_t>(number);
  std::size_t row = row_at_[wanted / stride];
  while (rows_[row + 1].base <= wanted) ++row;
  const Colour turn = row < rows_per_turn_ ? chess::white : chess::black;
  const Square square = chess::nth(rows_[row].squares, static_cast<int>(wanted - rows_[row].base));
  const int within = static_cast<int>(row - static_cast<std::size_t>(turn) * rows_per_turn_);
  const int pair = within / width_;
  if (pair < pairs_->size()) return {board_of(pair, {within % width_, square}), turn};
  return {passing_board(turn, within - pairs_->size() * width_, square), turn};
}

inline int Space::orbit(Number number) const {
  if (material_.has_pawns()) return 2;
  const Board board = place(number).board;
  const auto& kings = pairs_->at(board.king_of(chess::white), board.king_of(chess::black));
  const Men men = men_of(board);
  return kings.diagonal != 0 && mirrored(men) == ordered(men) ? 4 : 8;
}

}  // namespace tempo::endings
