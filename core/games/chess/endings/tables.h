// Solved endings: what is known of a position, and how to look it up.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../../../parallel/pool.h"
#include "../../../stop.h"
#include "family.h"
#include "material.h"
#include "space.h"

namespace tempo::endings {

// What perfect play of both sides leads to, in one byte: 0 a draw, else plies to mate and one.
// The side to move is mated after an even number of plies and mates after an odd one. The
// fifty-move rule is not looked at: no ending of four pieces needs so long.
using Verdict = std::uint8_t;
inline constexpr Verdict drawn = 0;
inline constexpr Verdict mated = 1;

constexpr int plies_of(Verdict verdict) { return verdict - 1; }  // of one that is not drawn
constexpr bool is_won(Verdict verdict) { return verdict != drawn && verdict % 2 == 0; }
constexpr bool is_lost(Verdict verdict) { return verdict % 2 == 1; }
// What a verdict becomes one ply earlier, for the side that moves there.
constexpr Verdict before(Verdict verdict) {
  return verdict == drawn ? drawn : static_cast<Verdict>(verdict + 1);
}

// The same position with the colours exchanged and the board turned upside down.
inline Place swapped(const Place& at) {
  Place result{at.board, chess::other(at.turn)};
  for (Bitboard& set : result.board.kinds) set = __builtin_bswap64(set);
  result.board.sides[chess::white] = __builtin_bswap64(at.board.sides[chess::black]);
  result.board.sides[chess::black] = __builtin_bswap64(at.board.sides[chess::white]);
  if (at.board.en_passant != 0)
    result.board.en_passant = static_cast<std::uint8_t>(at.board.en_passant ^ 56);
  return result;
}

// Tables of canonical materials; positions with exchanged colours are looked up there too.
class Tables {
 public:
  struct Table {
    std::shared_ptr<const Space> space;
    std::span<const Verdict> verdicts;  // by number
  };

  // The canonical materials whose tables `material` needs, smaller ones first, itself last.
  static std::vector<Material> needed(const Material& material);

  // The bytes stay with the caller and must outlive the tables.
  void add(std::shared_ptr<const Space> space, std::span<const Verdict> verdicts) {
    assert(static_cast<std::size_t>(space->size()) == verdicts.size());
    const auto code = static_cast<std::size_t>(space->material().code());
    tables_[code] = {std::move(space), verdicts};
  }
  [[nodiscard]] const Table* find(const Material& material) const {
    const Table& table = tables_[static_cast<std::size_t>(material.canonical().code())];
    return table.space ? &table : nullptr;
  }

  // Nothing if there is no table, or if the position is not legal.
  [[nodiscard]] std::optional<Verdict> probe(const Place& at) const {
    const Material material = Material::of(at.board);
    if (material.is_dead()) return drawn;
    const Table* table = find(material);
    if (table == nullptr || at.board.castling != 0) return std::nullopt;
    const Place turned = material.is_canonical() ? at : swapped(at);
    const Number number = table->space->number_of(turned.board, turned.turn);
    if (number == none) return std::nullopt;
    return table->verdicts[static_cast<std::size_t>(number)];
  }

  // The verdicts of a whole family by number. False if some table is missing.
  bool fill(const Family& family, std::span<Verdict> verdicts, Pool& pool) const;

 private:
  std::array<Table, Material::code_count> tables_;
};

inline std::vector<Material> Tables::needed(const Material& material) {
  std::vector<Material> found;
  const auto visit = [&](const auto& self, const Material& next) -> void {
    if (next.is_dead() || std::find(found.begin(), found.end(), next) != found.end()) return;
    for (const Material& exit : next.exits()) self(self, exit.canonical());
    found.push_back(next);
  };
  visit(visit, material.canonical());
  if (found.empty()) found.push_back(material.canonical());  // dead, but asked for
  return found;
}

inline bool Tables::fill(const Family& family, std::span<Verdict> verdicts, Pool& pool) const {
  for (const Family::Member& member : family.members()) {
    const Table* table = find(member.space->material());
    if (table == nullptr) return false;
    auto* out = verdicts.data() + member.begin;
    if (member.space->material().is_canonical()) {
      std::copy(table->verdicts.begin(), table->verdicts.end(), out);
    } else {
      pool.run(
          member.space->size(),
          [&](std::int64_t n) {
            const Place at = swapped(member.space->place(static_cast<Number>(n)));
            const Number number = table->space->number_of(at.board, at.turn);
            out[n] = table->verdicts[static_cast<std::size_t>(number)];
          },
          4096);
    }
  }
  verdicts[static_cast<std::size_t>(family.dead())] = drawn;
  return true;
}

// Counts of one side to move, every position counted, not every number.
struct Summary {
  std::int64_t numbers = 0;
  std::int64_t positions = 0;
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;
  std::int64_t win_plies = 0;  // sums over won and over lost positions
  std::int64_t loss_plies = 0;
  int longest_win = 0;  // plies
  int longest_loss = 0;
  std::int64_t mates = 0;
  std::int64_t stalemates = 0;
};

inline Summary summarise(const Tables::Table& table, Colour turn) {
  const Space& space = *table.space;
  Summary sum;
  const Number begin = turn == chess::white ? 0 : space.first_black();
  const Number end = turn == chess::white ? space.first_black() : space.size();
  sum.numbers = end - begin;
  StopPoll poll;
  for (Number n = begin; n < end; ++n) {
    poll.check();
    const Verdict verdict = table.verdicts[static_cast<std::size_t>(n)];
    const int orbit = space.orbit(n);
    sum.positions += orbit;
    if (is_won(verdict)) {
      sum.wins += orbit;
      sum.win_plies += orbit * plies_of(verdict);
      sum.longest_win = std::max(sum.longest_win, plies_of(verdict));
    } else if (is_lost(verdict)) {
      sum.losses += orbit;
      sum.loss_plies += orbit * plies_of(verdict);
      sum.longest_loss = std::max(sum.longest_loss, plies_of(verdict));
      if (verdict == mated) sum.mates += orbit;
    } else {
      sum.draws += orbit;
      bool any = false;
      const Place at = space.place(n);
      if (chess::material_is_insufficient(at.board)) continue;
      const bool checked = visit_replies(at, [&](const Board&) { any = true; });
      if (!any && !checked) sum.stalemates += orbit;
    }
  }
  return sum;
}

}  // namespace tempo::endings
