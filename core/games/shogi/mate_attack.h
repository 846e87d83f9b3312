// Shogi's mates as a proof-number search sees them: the attacker gives check with every move, the
// defender may answer in every legal way.
#pragma once

#include <type_traits>

#include "../../search/proof_number.h"
#include "checks.h"

namespace tempo::shogi {

// A position without its game: who moves, what stands where, and a key of both without the hands.
// Ends by repetition, length or declaration are not seen here.
template <class Board>
struct MateNode {
  Pieces<Board> men;
  std::uint64_t board_key;
  Colour turn;

  static MateNode of(const PositionOf<Board>& position) {
    const auto& men = position.pieces();
    std::uint64_t key = position.repetition_key();
    for (const Colour side : {black, white}) {
      for (int kind = pawn; kind <= rook; ++kind)
        key ^= zobrist::keys<Board>.hands[side][kind][men.hands[side][kind]];
    }
    return {men, key, position.colour()};
  }

  // Lets the other side move, as if this one had.
  void pass() {
    turn = other(turn);
    board_key ^= zobrist::keys<Board>.white_to_move;
  }
  void play(Move move) {
    as_mover([&]<Colour us>(Side<us>) { play_as<us>(move); });
  }

  // Calls a function with the side to move as a type.
  template <Colour us>
  using Side = std::integral_constant<Colour, us>;
  template <class Function>
  decltype(auto) as_mover(Function function) const {
    if (turn == black) return function(Side<black>{});
    return function(Side<white>{});
  }
  template <class Function>
  decltype(auto) as_mover(Function function) {
    if (turn == black) return function(Side<black>{});
    return function(Side<white>{});
  }

  void checks(Moves& moves) const {
    as_mover([&]<Colour us>(Side<us>) { list_checks<Board, us>(men, moves); });
  }
  void legal_moves(Moves& moves) const {
    moves.clear();
    as_mover([&]<Colour us>(Side<us>) {
      Lister<Board> lister{moves};
      visit_moves<Board, us>(men, shogi::Side<Board, us>::restraint(men), lister);
    });
  }

 private:
  template <Colour us>
  void play_as(Move move) {
    const auto& keys = zobrist::keys<Board>;
    const Square to = Numbers<Board>::to_of(move);
    const auto [moved, taken] = make_move<Board, us>(men, move);
    board_key ^= keys.white_to_move;
    if (Numbers<Board>::is_drop(move)) {
      board_key ^= keys.pieces[us][moved][to];
    } else {
      const Kind now = Numbers<Board>::promotes(move) ? promoted(moved) : moved;
      board_key ^= keys.pieces[us][moved][Numbers<Board>::from_of(move)] ^ keys.pieces[us][now][to];
      if (taken != no_kind) board_key ^= keys.pieces[other(us)][taken][to];
    }
    turn = other(us);
  }
};

// A hand in one word: a field for each kind, with a bit to spare above it. Pieces are never lost,
// so on one board a larger hand of the attacker is a smaller one of the defender: whatever mates
// with a hand mates with a larger one.
struct Hand {
  std::uint32_t fields = 0;

  static constexpr int offsets[] = {0, 6, 10, 14, 18, 22, 25};
  static constexpr std::uint32_t spare =
      1U << 5 | 1U << 9 | 1U << 13 | 1U << 17 | 1U << 21 | 1U << 24 | 1U << 27;
  static Hand of(const std::uint8_t (&held)[hand_kinds]) {
    Hand hand;
    for (int kind = pawn; kind <= rook; ++kind)
      hand.fields |= std::uint32_t{held[kind]} << offsets[kind];
    return hand;
  }
  // At least as many of every kind: no field borrows from its spare bit.
  [[nodiscard]] bool covers(Hand hand) const {
    return (((fields | spare) - hand.fields) & spare) == spare;
  }
  friend bool operator==(Hand, Hand) = default;
};

template <class Board>
struct MateAttack {
  using Node = MateNode<Board>;
  using Moves = shogi::Moves;
  using Holding = Hand;

  Colour attacker = black;

  void attacks(const Node& node, Moves& moves) const { node.checks(moves); }
  void defences(const Node& node, Moves& moves) const { node.legal_moves(moves); }
  void play(Node& node, Move move) const { node.play(move); }
  [[nodiscard]] std::uint64_t key(const Node& node) const { return node.board_key; }
  [[nodiscard]] Hand holding(const Node& node) const { return Hand::of(node.men.hands[attacker]); }
  static bool covers(Hand a, Hand b) { return a.covers(b); }

  // A mate at once is worth looking for everywhere: that spares most of the tree.
  [[nodiscard]] ProofResult before_attack(const Node& node) const {
    return node.as_mover([&]<Colour us>(typename Node::template Side<us>) -> ProofResult {
      Moves checks;
      list_checks<Board, us>(node.men, checks);
      if (checks.empty()) return ProofResult::failure();
      for (const Move check : checks) {
        Pieces<Board> next = node.men;
        make_move<Board, us>(next, check);
        if (is_mated_but_for_drops<Board, other(us)>(next)) return ProofResult::win(1);
      }
      return {};
    });
  }
  // The more answers the farther from a mate.
  [[nodiscard]] ProofResult before_defence(const Node& node) const {
    return node.as_mover([&]<Colour us>(typename Node::template Side<us>) -> ProofResult {
      if (is_mated_but_for_drops<Board, us>(node.men)) return ProofResult::win(0);
      const int answers = answers_of<Board, us>(node.men).total();
      return {{static_cast<std::uint32_t>(answers), 1}, 0, on_nothing};
    });
  }
};
static_assert(Attack<MateAttack<Full>> && Attack<MateAttack<Mini>>);

}  // namespace tempo::shogi
