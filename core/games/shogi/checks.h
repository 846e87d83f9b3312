// Moves that give check, without trying every legal move; and whether a king in check is mated.
#pragma once

#include "rules.h"

namespace tempo::shogi {

// Where each kind would have to arrive to give check, and which pieces give check by moving away.
template <class Board>
struct CheckSets {
  using Set = typename Board::Set;
  using Reach = Attacks<Board>;

  Set by_kind[all_kinds + 1];  // by the kind as it stands after the move
  Set close = 0;               // where anything but a slider would give check
  Set any = 0;
  Set openers = 0;  // own pieces that alone stand between an own slider and the other king
  Square king;

  explicit CheckSets(Square other_king) : king(other_king) {}

  // Of the squares that a piece may go to, those that give check.
  [[nodiscard]] Set of(Square from, Kind arrives, Set targets) const {
    const Set direct = targets & by_kind[arrives];
    if (!has(openers, from)) return direct;
    return direct | (targets & ~Reach::line_from(king, from));
  }
};

template <class Board, Colour us>
struct CheckSquares : CheckSets<Board> {
  using Sets = CheckSets<Board>;
  using Set = typename Board::Set;
  using Reach = Attacks<Board>;
  using Sets::any, Sets::by_kind, Sets::close, Sets::king, Sets::openers;
  static constexpr Colour them = other(us);

  explicit CheckSquares(const Pieces<Board>& men) : Sets(men.king_of(them)) {
    const Set occupied = men.occupied();
    // Squares from which a piece of ours sees the king are those that a piece of theirs would see
    // from there.
    const Set near = Reach::king(king);
    const Set as_gold = Reach::gold(them, king);
    const Set diagonal = Reach::bishop(king, occupied);
    const Set straight = Reach::rook(king, occupied);
    by_kind[pawn] = Reach::pawn(them, king);
    by_kind[lance] = Reach::template lance<them>(king, occupied);
    by_kind[knight] = Reach::knight(them, king);
    by_kind[silver] = Reach::silver(them, king);
    by_kind[bishop] = diagonal;
    by_kind[rook] = straight;
    by_kind[horse] = diagonal | near;
    by_kind[dragon] = straight | near;
    for (const Kind kind : {gold, promoted_pawn, promoted_lance, promoted_knight, promoted_silver})
      by_kind[kind] = as_gold;
    by_kind[shogi::king] = by_kind[no_kind] = 0;
    close = near | by_kind[knight];
    any = by_kind[horse] | by_kind[dragon] | by_kind[knight];
    const auto k = static_cast<std::size_t>(king);
    Set snipers = ((tables<Board>.straight[k] & men.kinds[rook]) |
                   (tables<Board>.diagonal[k] & men.kinds[bishop])) &
                  men.sides[us];
    snipers |= Reach::ray(Reach::ahead(them), king) & men.plain(us, lance);
    while (snipers != 0) {
      const Set blockers = Reach::between(king, take_first(snipers)) & occupied;
      if (!more_than_one(blockers)) openers |= blockers & men.sides[us];
    }
  }
};

// A sink of visit_moves that passes on to a lister only what gives check, in the same order.
template <class Board, Colour us>
class CheckLister {
 public:
  using Set = typename Board::Set;

  CheckLister(const Pieces<Board>& men, Moves& moves) : men_(men), squares_(men), lister_{moves} {}

  template <int step>
  void steps(Set targets, bool promotes) {
    if (squares_.openers == 0) targets &= squares_.close;
    while (targets != 0) {
      const Square to = take_first(targets);
      piece(to - step, Grid<Board>::bit(to), promotes);
    }
  }
  void piece(Square from, Set targets, bool promotes) {
    if (squares_.openers == 0) targets &= squares_.any;
    if (targets == 0) return;
    const Kind kind = men_.kind_at(from);
    lister_.piece(from, squares_.of(from, promotes ? promoted(kind) : kind, targets), promotes);
  }
  void drops(Kind kind, Set targets) { lister_.drops(kind, targets & squares_.by_kind[kind]); }
  void anywhere(unsigned kinds, Set targets) {
    while (kinds != 0) drops(static_cast<Kind>(take_first(kinds)), targets);
  }

 private:
  const Pieces<Board>& men_;
  CheckSquares<Board, us> squares_;
  Lister<Board> lister_;
};

// The legal moves of `us` that give check, in the order of legal moves.
template <class Board, Colour us>
inline void list_checks(const Pieces<Board>& men, Moves& moves) {
  moves.clear();
  CheckLister<Board, us> lister(men, moves);
  visit_moves<Board, us>(men, Side<Board, us>::restraint(men), lister);
}

// The answers of `us` to a check, counted: drops by the squares on which any can be made, since one
// refutation or proof mostly serves all pieces dropped there.
template <class Board>
struct Answers {
  using Set = typename Board::Set;
  int moves = 0;
  Set dropped_on = 0;

  template <int step>
  void steps(Set targets, bool) {
    moves += count(targets);
  }
  void piece(Square, Set targets, bool) { moves += count(targets); }
  void drops(Kind, Set targets) { dropped_on |= targets; }
  void anywhere(unsigned kinds, Set targets) { dropped_on |= kinds != 0 ? targets : Set{0}; }

  [[nodiscard]] int total() const { return moves + count(dropped_on); }
};
template <class Board, Colour us>
inline Answers<Board> answers_of(const Pieces<Board>& men) {
  Answers<Board> answers;
  visit_moves<Board, us>(men, Side<Board, us>::restraint(men), answers);
  return answers;
}

// Whether the king of `us` has a square to flee to.
template <class Board, Colour us>
inline bool has_flight(const Pieces<Board>& men) {
  using Reach = Attacks<Board>;
  const Square own = men.king_of(us);
  const auto without = men.occupied() & ~Grid<Board>::bit(own);
  for (auto left = Reach::king(own) & ~men.sides[us]; left != 0;) {
    if (Reach::template attackers<other(us)>(men, take_first(left), without) == 0) return true;
  }
  return false;
}

// Whether `us`, in check, has no move at all. Flights first: most checks leave one.
template <class Board, Colour us>
inline bool is_mated(const Pieces<Board>& men) {
  if (has_flight<Board, us>(men)) return false;
  const auto held = Side<Board, us>::restraint(men);
  return held.answers == 0 || !has_moves<Board, us>(men, held);
}

// The positions after the one slider that checks `us` has moved to a square nearer to the king,
// hands as they were, while it still checks: what a piece dropped there and taken leaves behind.
template <class Board, Colour us, class Visit>
inline void visit_nearer(const Pieces<Board>& men, Square slider, Square square, Visit visit) {
  constexpr Colour them = other(us);
  using Theirs = Side<Board, them>;
  const bool may_promote =
      !has(men.promoted, slider) && (has(Theirs::zone, slider) || has(Theirs::zone, square));
  const bool must_promote = has(men.plain(them, lance), slider) && has(Theirs::dead(lance), square);
  for (const bool promotes : {true, false}) {
    if (promotes ? !may_promote : must_promote) continue;
    const Move move = Numbers<Board>::make(slider, square, promotes);
    Pieces<Board> nearer = men;
    make_move<Board, them>(nearer, move);
    // A pinned slider may not take; a lance that promotes afar no longer gives check.
    if (is_attacked<Board, us>(nearer, nearer.king_of(them))) continue;
    if (is_attacked<Board, them>(nearer, nearer.king_of(us))) visit(nearer, move);
  }
}

// Whether `us`, in check, has no moves but useless drops between a slider and his king: each is
// taken, and he is as mated as before. So it is a mate, if not at once.
template <class Board, Colour us>
inline bool is_mated_but_for_drops(const Pieces<Board>& men) {
  if (has_flight<Board, us>(men)) return false;
  const auto held = Side<Board, us>::restraint(men);
  if (held.answers == 0) return true;
  Answers<Board> answers;
  visit_moves<Board, us>(men, held, answers);
  if (answers.moves != 0) return false;
  for (auto left = answers.dropped_on; left != 0;) {
    bool useless = false;
    visit_nearer<Board, us>(men, first(held.checkers), take_first(left),
                            [&](const Pieces<Board>& nearer, Move) {
                              useless = useless || is_mated_but_for_drops<Board, us>(nearer);
                            });
    if (!useless) return false;
  }
  return true;
}

}  // namespace tempo::shogi
