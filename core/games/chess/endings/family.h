// An ending and every ending that captures and promotions lead to, in one numbering: KBNK alone,
// since what is left after a capture is dead; KPK with KQK and KRK behind it. The last number
// stands for all positions of material with which nobody can mate, so that every move leads to a
// number.
//
// Colours are kept: KQKR has KQK and KKR, each a member of its own. A value by seat never needs
// turning round on the way from one member to another.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "../../../parallel/pool.h"
#include "../children.h"
#include "../outcome.h"
#include "space.h"

namespace tempo::endings {

// What a position without moves is. Exactly the positions with some flag have no successors.
enum Flag : std::uint8_t { mate = 1, stalemate = 2, insufficient = 4 };

// Calls function(board) with the board after each move, in the order of legal moves, by movement
// rules alone. En passant squares are set only when a capture is really possible, as positions have
// them.
template <Colour us, class Function>
struct Replies : chess::Children<us, Replies<us, Function>> {
  Function& function;

  Replies(const Board& board, Function& function)
      : chess::Children<us, Replies<us, Function>>(board), function(function) {}
  void go_on(const Board& next) {
    constexpr Colour them = chess::other(us);
    if (next.en_passant != 0 && chess::en_passant_capturers<them>(next, next.en_passant) == 0) {
      Board without = next;
      without.en_passant = 0;
      function(without);
    } else {
      function(next);
    }
  }
};

// The same for the side to move; says whether that side is in check.
template <class Function>
bool visit_replies(const Place& at, Function function) {
  const auto visit = [&]<Colour us>(std::integral_constant<Colour, us>) {
    const chess::Restraint held = chess::restraint<us>(at.board);
    Replies<us, Function> replies(at.board, function);
    chess::visit_moves<us>(at.board, held, replies);
    return held.checkers != 0;
  };
  if (at.turn == chess::white) return visit(std::integral_constant<Colour, chess::white>{});
  return visit(std::integral_constant<Colour, chess::black>{});
}

class Family {
 public:
  struct Member {
    std::shared_ptr<const Space> space;
    Number begin;

    [[nodiscard]] Number end() const { return begin + space->size(); }
  };
  // Successors of all positions, one entry for each legal move in the order of legal moves: those
  // of n are successors[offsets[n]] .. successors[offsets[n + 1] - 1].
  struct Graph {
    std::vector<std::int64_t> offsets;
    std::unique_ptr<Number[]> successors;
  };

  // The ending itself is the first member.
  explicit Family(const Material& material) {
    member_at_.fill(-1);
    std::int64_t total = 0;
    for (const Material& next : material.family()) {
      member_at_[static_cast<std::size_t>(next.code())] =
          static_cast<std::int16_t>(members_.size());
      members_.push_back({std::make_shared<const Space>(next), static_cast<Number>(total)});
      total += members_.back().space->size();
      if (total >= std::numeric_limits<Number>::max())
        throw std::length_error("the family of " + material.name() + " has too many positions");
    }
  }

  [[nodiscard]] const Material& material() const { return members_[0].space->material(); }
  // How many numbers there are, `dead` included.
  [[nodiscard]] Number size() const { return dead() + 1; }
  // The last number: material with which nobody can mate, a draw at once. No single position has
  // it.
  [[nodiscard]] Number dead() const { return members_.back().end(); }
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] const Member& member_of(Number number) const {
    std::size_t i = 0;
    while (number >= members_[i].end()) ++i;
    return members_[i];
  }

  // The number of a position in any orientation; `none` unless it is a legal one of some member.
  [[nodiscard]] Number number_of(const Board& board, Colour turn) const {
    const int men = chess::count(board.occupied() & ~board.kinds[chess::king]);
    if (men > Material::most_men || board.castling != 0) return none;
    const Material material = Material::of(board);
    const int member = member_at_[static_cast<std::size_t>(material.code())];
    if (member < 0) return material.is_dead() ? dead() : none;
    return within(members_[static_cast<std::size_t>(member)], board, turn);
  }
  // The position of a number other than `dead`, in its standard orientation.
  [[nodiscard]] Place place(Number number) const {
    const Member& member = member_of(number);
    return member.space->place(number - member.begin);
  }
  [[nodiscard]] Colour turn(Number number) const {
    if (number == dead()) return chess::white;
    const Member& member = member_of(number);
    return number - member.begin < member.space->first_black() ? chess::white : chess::black;
  }
  // How many positions share the number; 0 for `dead`, which no average should count.
  [[nodiscard]] int orbit(Number number) const {
    if (number == dead()) return 0;
    const Member& member = member_of(number);
    return member.space->orbit(number - member.begin);
  }

  // Calls function(number) for each legal move in the order of legal moves. Returns the flags: 0
  // exactly if there are successors.
  template <class Function>
  std::uint8_t visit_successors(Number number, Function function) const {
    if (number == dead()) return insufficient;
    const Member& member = member_of(number);
    const Place at = member.space->place(number - member.begin);
    if (chess::material_is_insufficient(at.board)) return insufficient;
    bool any = false;
    const int pawns = chess::count(at.board.kinds[chess::pawn]);
    const int men = chess::count(at.board.occupied());
    const bool checked = visit_replies(at, [&](const Board& next) {
      any = true;
      const bool same =
          chess::count(next.occupied()) == men && chess::count(next.kinds[chess::pawn]) == pawns;
      const Colour turn = chess::other(at.turn);
      function(same ? within(member, next, turn) : number_of(next, turn));
    });
    if (any) return 0;
    return checked ? mate : stalemate;
  }
  [[nodiscard]] std::uint8_t flags(Number number) const {
    return visit_successors(number, [](Number) {});
  }

  // All successors. Needs 8 bytes a position and 4 a move: 0.2 GB for KBNK.
  [[nodiscard]] Graph graph(Pool& pool) const {
    Graph graph;
    graph.offsets.resize(static_cast<std::size_t>(size()) + 1);
    pool.run(
        size(),
        [&](std::int64_t n) {
          std::int64_t moves = 0;
          visit_successors(static_cast<Number>(n), [&](Number) { ++moves; });
          graph.offsets[static_cast<std::size_t>(n) + 1] = moves;
        },
        4096);
    for (std::size_t i = 1; i < graph.offsets.size(); ++i) graph.offsets[i] += graph.offsets[i - 1];
    // Not cleared: a tenth of a gigabyte at once would hold up a stop.
    graph.successors =
        std::make_unique_for_overwrite<Number[]>(static_cast<std::size_t>(graph.offsets.back()));
    pool.run(
        size(),
        [&](std::int64_t n) {
          auto* next = graph.successors.get() + graph.offsets[static_cast<std::size_t>(n)];
          visit_successors(static_cast<Number>(n), [&](Number successor) { *next++ = successor; });
        },
        4096);
    return graph;
  }

 private:
  static Number within(const Member& member, const Board& board, Colour turn) {
    const Number found = member.space->number_of(board, turn);
    return found == none ? none : member.begin + found;
  }

  std::vector<Member> members_;
  std::array<std::int16_t, Material::code_count> member_at_;
};

}  // namespace tempo::endings
