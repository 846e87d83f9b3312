// Which pieces an ending has: KRK, KQKR, KBNK. White's are named first. A material has colours: KKR
// is the ending in which Black has the rook. Of such a pair one name is canonical, the one in which
// White is the stronger side; tables are computed for canonical materials alone.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../errors.h"
#include "../outcome.h"
#include "../types.h"

namespace tempo::endings {

using chess::Bitboard;
using chess::Board;
using chess::Colour;
using chess::Kind;
using chess::Square;

inline constexpr std::string_view kind_letters = "PNBRQK";

// A piece other than a king.
struct Man {
  Colour colour = chess::white;
  Kind kind = chess::pawn;

  friend auto operator<=>(const Man&, const Man&) = default;
};

class Material {
 public:
  static constexpr int most_men = 2;  // besides the kings

  Material() = default;
  // Reads a name strictly: capitals, White first, each side from queen to pawn, 3 or 4 pieces in
  // all.
  static Material parse(std::string_view name);
  // What stands on a board; at most `most_men` besides the kings.
  static Material of(const Board& board);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] Man operator[](int i) const { return men_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::string name() const;

  // Two pieces that nobody can tell apart.
  [[nodiscard]] bool twins() const { return size_ == 2 && men_[0] == men_[1]; }
  [[nodiscard]] bool has_pawns() const { return holds(chess::pawn); }
  // En passant needs a pawn on each side.
  [[nodiscard]] bool has_en_passant() const {
    return size_ == 2 && men_[0].kind == chess::pawn && men_[1].kind == chess::pawn && !twins();
  }
  // Drawn whatever the position: bare kings, or one knight or bishop more.
  [[nodiscard]] bool is_dead() const {
    return size_ == 0 ||
           (size_ == 1 && !holds(chess::pawn) && !holds(chess::rook) && !holds(chess::queen));
  }

  // The same with the colours exchanged, and whichever of the two has White as the stronger side:
  // more pieces, else the better one.
  [[nodiscard]] Material swapped() const;
  [[nodiscard]] bool is_canonical() const {
    return strength(chess::white) >= strength(chess::black);
  }
  [[nodiscard]] Material canonical() const { return is_canonical() ? *this : swapped(); }

  // What one move can turn it into: captures, promotions, and both at once.
  [[nodiscard]] std::vector<Material> exits() const;
  // It and all that any moves can turn it into, without what is dead; itself first.
  [[nodiscard]] std::vector<Material> family() const;

  // A small number for tables: no two materials share one.
  static constexpr int code_count = 121;
  [[nodiscard]] int code() const {
    const auto one = [](Man man) { return 1 + 5 * man.colour + man.kind; };
    return (size_ > 0 ? 11 * one(men_[0]) : 0) + (size_ > 1 ? one(men_[1]) : 0);
  }

  friend bool operator==(const Material& a, const Material& b) { return a.code() == b.code(); }

 private:
  explicit Material(std::span<const Man> men) {
    for (const Man man : men) men_[static_cast<std::size_t>(size_++)] = man;
    // White before Black, queens before pawns.
    const auto rank = [](Man man) { return 6 * man.colour - man.kind; };
    if (size_ == 2 && rank(men_[1]) < rank(men_[0])) std::swap(men_[0], men_[1]);
  }
  [[nodiscard]] std::vector<Man> men() const { return {men_.begin(), men_.begin() + size_}; }
  [[nodiscard]] bool holds(Kind kind) const {
    return std::any_of(men_.begin(), men_.begin() + size_, [&](Man m) { return m.kind == kind; });
  }
  [[nodiscard]] int strength(Colour colour) const {
    int sum = 0;
    for (const Man man : men()) sum += man.colour == colour ? 100 + man.kind : 0;
    return sum;
  }

  int size_ = 0;
  std::array<Man, most_men> men_{};
};

inline std::string Material::name() const {
  std::string sides[2] = {"K", "K"};
  for (const Man man : men()) sides[man.colour] += kind_letters[static_cast<std::size_t>(man.kind)];
  return sides[0] + sides[1];
}

inline Material Material::parse(std::string_view name) {
  const auto fail = [&](const std::string& why) {
    throw ParseError("'" + std::string(name) + "' is no ending: " + why);
  };
  std::vector<Man> men;
  int kings = 0;
  for (const char letter : name) {
    const std::size_t kind = kind_letters.find(letter);
    if (kind == std::string_view::npos)
      fail("expected capitals of KQRBNP, White's pieces first, such as KRK or KQKR");
    if (kind == chess::king) {
      ++kings;
    } else if (kings == 0) {
      fail("each side begins with its king, such as KRK or KQKR");
    } else {
      men.push_back({kings == 1 ? chess::white : chess::black, static_cast<Kind>(kind)});
    }
  }
  if (kings != 2) fail("expected two kings, such as KRK or KQKR, not " + std::to_string(kings));
  if (men.empty() || men.size() > static_cast<std::size_t>(most_men))
    fail("expected 3 or 4 pieces, not " + std::to_string(2 + men.size()));
  const Material found(men);
  if (found.name() != name)
    fail("each side goes king, queen, rook, bishop, knight, pawn; write " + found.name());
  return found;
}

inline Material Material::of(const Board& board) {
  std::array<Man, most_men> men;
  std::size_t size = 0;
  Bitboard left = board.occupied() & ~board.kinds[chess::king];
  if (chess::count(left) > most_men) {
    throw ParseError("endings have at most 4 pieces; this position has " +
                     std::to_string(chess::count(board.occupied())));
  }
  while (left != 0) {
    const Square square = chess::take_first(left);
    const bool dark = (board.sides[chess::black] & chess::bit(square)) != 0;
    men[size++] = {dark ? chess::black : chess::white, board.kind_at(square)};
  }
  return Material(std::span(men).first(size));
}

inline Material Material::swapped() const {
  auto men = this->men();
  for (Man& man : men) man.colour = chess::other(man.colour);
  return Material(men);
}

inline std::vector<Material> Material::exits() const {
  std::vector<Material> found;
  const auto add = [&](const std::vector<Man>& men) {
    const Material material(men);
    if (std::find(found.begin(), found.end(), material) == found.end()) found.push_back(material);
  };
  const auto promote = [&](std::vector<Man> men) {
    for (Man& man : men) {
      if (man.kind != chess::pawn) continue;
      for (const Kind kind : {chess::queen, chess::rook, chess::bishop, chess::knight}) {
        man.kind = kind;
        add(men);
      }
      man.kind = chess::pawn;
    }
  };
  promote(men());
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i) {
    auto left = men();
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    add(left);
    promote(left);  // by capture
  }
  return found;
}

inline std::vector<Material> Material::family() const {
  std::vector<Material> found = {*this};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Material& next : found[i].exits()) {
      if (!next.is_dead() && std::find(found.begin(), found.end(), next) == found.end())
        found.push_back(next);
    }
  }
  return found;
}

}  // namespace tempo::endings
