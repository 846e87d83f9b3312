// Which moves a side can make: movement, check, pawn-drop rules. Ends by rule (repetition, length,
// declaration) are the position's business.
//
// One walk over the pieces (`visit_moves`) names sets of moves to a sink; listing, counting and
// picking at random are sinks. The order of the walk is the fixed order of legal moves:
//   steps of pieces that are free to go, one direction at a time: pawns, knights, silvers, golds
//     (and all that move like them);
//   lances, bishops, rooks, horses, dragons, piece by piece; then pinned pieces that step;
//   the king; drops: pawn, lance, knight, silver, gold, bishop, rook.
// Within a set moves go by target square; where a piece may promote or not, first all moves that do
// not, then those that do.
#pragma once

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <iterator>
#include <optional>

#include "../../game.h"
#include "attacks.h"
#include "board.h"

namespace tempo::shogi {

// A move number is (from * squares + to) * 2 + promotes; from = squares + kind is a drop.
template <class Board>
struct Numbers {
  static constexpr int squares = Grid<Board>::squares;
  static constexpr int count = (squares + hand_kinds) * squares * 2;

  static constexpr Move make(Square from, Square to, bool promotes = false) {
    return Move{static_cast<std::uint16_t>((from * squares + to) * 2 + (promotes ? 1 : 0))};
  }
  static constexpr Move drop(Kind kind, Square to) { return make(squares + kind, to); }
  static constexpr Square from_of(Move move) { return index(move) / (2 * squares); }
  static constexpr Square to_of(Move move) { return index(move) / 2 % squares; }
  static constexpr bool promotes(Move move) { return (index(move) & 1) != 0; }
  static constexpr bool is_drop(Move move) { return from_of(move) >= squares; }
  static constexpr Kind dropped_kind(Move move) {
    return static_cast<Kind>(from_of(move) - squares);
  }
};

// More than any position has: 593 is the known maximum of the full board.
using Moves = MoveList<640>;

// What keeps the mover's pieces from moving freely.
template <class Board>
struct Restraint {
  using Set = typename Board::Set;
  Square king;
  Set checkers;
  Set pinned;   // own pieces that may only move along the line to their king
  Set answers;  // where a piece other than the king must go: anywhere unless in check
};

template <class Board, Colour us>
struct Side {
  using At = Grid<Board>;
  using Set = typename Board::Set;
  using Men = Pieces<Board>;
  using Reach = Attacks<Board>;
  using Held = Restraint<Board>;
  static constexpr Colour them = other(us);
  static constexpr int ahead = us == black ? -1 : 1;
  static constexpr Set zone = At::template zone<us>;
  // A step backwards promotes from inside the zone: its targets lie one rank further.
  static constexpr Set zone_behind = At::far_ranks(us, Board::zone + 1);
  static constexpr bool in_zone(Square square) {
    constexpr int squares = Board::zone * Board::size;
    return us == black ? square < squares : square >= At::squares - squares;
  }
  // Where a kind would never move again.
  static constexpr Set dead(Kind kind) {
    if (kind == pawn || kind == lance) return At::far_ranks(us, 1);
    return kind == knight ? At::far_ranks(us, 2) : Set{0};
  }

  static Held restraint(const Men& men) {
    const Set occupied = men.occupied();
    const Square own = men.king_of(us);
    Held held{own, Reach::template near_attackers<them>(men, own), 0, At::everywhere};
    for (Set snipers = Reach::template snipers<them>(men, own); snipers != 0;) {
      const Square sniper = take_first(snipers);
      const Set blockers = Reach::between(own, sniper) & occupied;
      held.checkers |= blockers == 0 ? At::bit(sniper) : Set{0};
      held.pinned |= more_than_one(blockers) ? Set{0} : blockers & men.sides[us];
    }
    if (held.checkers != 0) {
      held.answers = more_than_one(held.checkers)
                         ? Set{0}
                         : held.checkers | Reach::between(own, first(held.checkers));
    }
    return held;
  }

  // Whether `us`, dropping a pawn on `square` in front of the other king, mates: the king may not
  // take it, no other piece may, and no flight is left.
  static bool pawn_drop_mates(const Men& men, Square square) {
    const Set occupied = men.occupied();
    if (Reach::template attackers<us>(men, square, occupied) == 0) return false;
    const Square theirs = men.king_of(them);
    const Set with_pawn = occupied | At::bit(square);
    const Set without_king = with_pawn & ~At::bit(theirs);
    const Set flights = Reach::king(theirs) & ~men.sides[them] & ~At::bit(square);
    if ((flights & ~Reach::template attacked<us>(men, without_king)) != 0) return false;
    Set takers = Reach::template attackers<them>(men, square, occupied) & ~At::bit(theirs);
    if (takers == 0) return true;
    const Set pinned = Side<Board, them>::restraint(men).pinned;
    for (Set held = takers & pinned; held != 0;) {
      const Square from = take_first(held);
      if (!has(Reach::line_from(theirs, from), square)) takers &= ~At::bit(from);
    }
    return takers == 0;
  }

  // Where a pawn may be dropped: not in a column that has one already, not mating.
  static Set pawn_drops(const Men& men, Set empty) {
    Set targets = empty & ~dead(pawn) & ~At::columns_of(men.plain(us, pawn));
    const Set before_king = Reach::pawn(them, men.king_of(them)) & targets;
    if (before_king != 0 && pawn_drop_mates(men, first(before_king))) targets &= ~before_king;
    return targets;
  }
};

// `noisy`: only captures, and promotions of pawns, bishops and rooks, in the same order.
enum class Wanted { all, noisy };

template <class Board, Colour us, Wanted wanted, class Sink>
class Walk : Side<Board, us> {
  using S = Side<Board, us>;
  using typename S::At;
  using typename S::Held;
  using typename S::Men;
  using typename S::Reach;
  using typename S::Set;

 public:
  Walk(const Men& men, const Held& held, Sink& sink)
      : men_(men),
        held_(held),
        sink_(sink),
        occupied_(men.occupied()),
        targets_(~men.sides[us] & held.answers) {}

  void run() {
    if (targets_ != 0) {
      steps();
      sliders();
      for (Set left = stepping_pinned(); left != 0;) pinned_step(take_first(left));
    }
    royal();
    if constexpr (wanted == Wanted::all) drops();
  }

 private:
  // Of the squares a kind reaches, those where it may go without promoting, and with.
  template <Kind kind>
  Set staying(Set reach) const {
    if constexpr (wanted == Wanted::noisy) reach &= men_.sides[S::them];
    return reach & ~S::dead(kind);
  }
  template <Kind kind>
  Set promoting(Set reach) const {
    if constexpr (wanted == Wanted::noisy && kind != pawn && kind != bishop && kind != rook)
      reach &= men_.sides[S::them];
    return reach;
  }

  template <Kind kind, int ranks, int columns>
  void step(Set pieces) {
    const Set reach = At::template shifted<ranks, columns>(pieces) & targets_;
    sink_.template steps<ranks * Board::size + columns>(staying<kind>(reach), false);
    if constexpr (can_promote(kind)) {
      constexpr bool backwards = ranks * S::ahead < 0;
      const Set zone = backwards ? S::zone_behind : S::zone;
      sink_.template steps<ranks * Board::size + columns>(promoting<kind>(reach & zone), true);
    }
  }
  void steps() {
    constexpr int up = S::ahead;
    const Set unbound = ~held_.pinned;
    step<pawn, up, 0>(men_.plain(us, pawn) & unbound);
    if constexpr (Board::pieces[knight] != 0) {
      const Set knights = men_.plain(us, knight) & unbound;
      step<knight, 2 * up, -1>(knights);
      step<knight, 2 * up, 1>(knights);
    }
    const Set silvers = men_.plain(us, silver) & unbound;
    step<silver, up, -1>(silvers);
    step<silver, up, 0>(silvers);
    step<silver, up, 1>(silvers);
    step<silver, -up, -1>(silvers);
    step<silver, -up, 1>(silvers);
    const Set golds = men_.golds(us) & unbound;
    step<gold, up, -1>(golds);
    step<gold, up, 0>(golds);
    step<gold, up, 1>(golds);
    step<gold, 0, -1>(golds);
    step<gold, 0, 1>(golds);
    step<gold, -up, 0>(golds);
  }

  template <Kind kind>
  void piece(Square from, Set reach) {
    reach &= targets_;
    if (has(held_.pinned, from)) [[unlikely]]
      reach &= Reach::line_from(held_.king, from);
    sink_.piece(from, staying<kind>(reach), false);
    if constexpr (can_promote(kind)) {
      const Set zone = S::in_zone(from) ? At::everywhere : S::zone;
      sink_.piece(from, promoting<kind>(reach & zone), true);
    }
  }
  void sliders() {
    const Set own = men_.sides[us];
    if constexpr (Board::pieces[lance] != 0) {
      for (Set left = men_.plain(us, lance); left != 0;) {
        const Square from = take_first(left);
        piece<lance>(from, Reach::template lance<us>(from, occupied_));
      }
    }
    for (Set left = men_.kinds[bishop] & own & ~men_.promoted; left != 0;) {
      const Square from = take_first(left);
      piece<bishop>(from, Reach::bishop(from, occupied_));
    }
    for (Set left = men_.kinds[rook] & own & ~men_.promoted; left != 0;) {
      const Square from = take_first(left);
      piece<rook>(from, Reach::rook(from, occupied_));
    }
    for (Set left = men_.horses(us); left != 0;) {
      const Square from = take_first(left);
      piece<horse>(from, Reach::bishop(from, occupied_) | Reach::king(from));
    }
    for (Set left = men_.dragons(us); left != 0;) {
      const Square from = take_first(left);
      piece<dragon>(from, Reach::rook(from, occupied_) | Reach::king(from));
    }
  }

  // Pinned pieces that step, in one direction at most; a knight never.
  Set stepping_pinned() const {
    const Set lances = men_.kinds[lance] & ~men_.promoted;
    const Set knights = men_.kinds[knight] & ~men_.promoted;
    return held_.pinned & ~(men_.kinds[bishop] | men_.kinds[rook] | lances | knights);
  }
  void pinned_step(Square from) {
    const auto bit = At::bit(from);
    if ((men_.kinds[pawn] & ~men_.promoted & bit) != 0) {
      piece<pawn>(from, Reach::pawn(us, from));
    } else if ((men_.kinds[silver] & ~men_.promoted & bit) != 0) {
      piece<silver>(from, Reach::silver(us, from));
    } else {
      piece<gold>(from, Reach::gold(us, from));
    }
  }

  void royal() {
    Set reach = Reach::king(held_.king) & ~men_.sides[us];
    if constexpr (wanted == Wanted::noisy) reach &= men_.sides[S::them];
    if (reach == 0) return;
    // The king does not hide from a slider behind himself.
    const Set without = occupied_ & ~At::bit(held_.king);
    const Set danger = Reach::template attacked_near<S::them>(men_, without, held_.king);
    sink_.piece(held_.king, reach & ~danger, false);
  }

  // From silvers on every empty square will do, so these kinds are named together.
  void drops() {
    const Set empty = At::everywhere & ~occupied_ & held_.answers;
    if (empty == 0) return;
    const auto& hand = men_.hands[us];
    if (hand[pawn] != 0) sink_.drops(pawn, S::pawn_drops(men_, empty));
    if constexpr (Board::pieces[lance] != 0) {
      sink_.drops(lance, hand[lance] != 0 ? empty & ~S::dead(lance) : Set{0});
      sink_.drops(knight, hand[knight] != 0 ? empty & ~S::dead(knight) : Set{0});
    }
    unsigned kinds = 0;
    for (int kind = silver; kind <= rook; ++kind) {
      const bool held = hand[kind] != 0;  // apart: in one line g++ 12's sanitizer takes it wrongly
      kinds |= static_cast<unsigned>(held) << kind;
    }
    sink_.anywhere(kinds, empty);
  }

  const Men& men_;
  const Held& held_;
  Sink& sink_;
  Set occupied_;
  Set targets_;
};

template <class Board, Colour us, Wanted wanted = Wanted::all, class Sink>
inline void visit_moves(const Pieces<Board>& men, const Restraint<Board>& held, Sink& sink) {
  Walk<Board, us, wanted, Sink>(men, held, sink).run();
}

// Lists moves.
template <class Board>
struct Lister {
  using Set = typename Board::Set;
  Moves& moves;

  template <int step>
  void steps(Set targets, bool promotes) {
    while (targets != 0) {
      const Square to = take_first(targets);
      moves.push(Numbers<Board>::make(to - step, to, promotes));
    }
  }
  void piece(Square from, Set targets, bool promotes) {
    while (targets != 0) moves.push(Numbers<Board>::make(from, take_first(targets), promotes));
  }
  void drops(Kind kind, Set targets) { piece(Grid<Board>::squares + kind, targets, false); }
  // Drops of several kinds, one bit each.
  void anywhere(unsigned kinds, Set targets) {
    while (kinds != 0) drops(static_cast<Kind>(take_first(kinds)), targets);
  }
};

// Counts moves without naming them.
template <class Board>
struct Counter {
  using Set = typename Board::Set;
  int total = 0;

  template <int step>
  void steps(Set targets, bool) {
    total += count(targets);
  }
  void piece(Square, Set targets, bool) { total += count(targets); }
  void drops(Kind, Set targets) { total += count(targets); }
  void anywhere(unsigned kinds, Set targets) { total += std::popcount(kinds) * count(targets); }
};

// Says whether one move is among those visited.
template <class Board>
struct Finder {
  using Set = typename Board::Set;
  Square from;
  Square to;
  bool promoted;
  bool found = false;

  explicit Finder(Move move)
      : from(Numbers<Board>::from_of(move)),
        to(Numbers<Board>::to_of(move)),
        promoted(Numbers<Board>::promotes(move)) {}

  template <int step>
  void steps(Set targets, bool promotes) {
    found |= promotes == promoted && to - from == step && has(targets, to);
  }
  void piece(Square origin, Set targets, bool promotes) {
    found |= promotes == promoted && origin == from && has(targets, to);
  }
  void drops(Kind kind, Set targets) { piece(Grid<Board>::squares + kind, targets, false); }
  void anywhere(unsigned kinds, Set targets) {
    const int kind = from - Grid<Board>::squares;
    found |= kind >= 0 && (kinds >> kind & 1) != 0 && !promoted && has(targets, to);
  }
};

// Keeps the visited sets, so that the n-th move is found without listing those before it.
template <class Board>
class Chooser {
 public:
  using Set = typename Board::Set;

  Chooser() { std::fill(std::begin(ends_), std::end(ends_), INT_MAX); }
  [[nodiscard]] int total() const { return total_ + anywhere_total_; }
  [[nodiscard]] Move operator[](int n) const {
    if (n >= total_) return dropped(n - total_);
    int i = 0;  // counted without a branch: how many groups end before n
    for (const int end : ends_) i += end <= n ? 1 : 0;
    if (i > 0) n -= ends_[i - 1];
    const Square to = nth(sets_[i], n);
    return Move{static_cast<std::uint16_t>((codes_[i] >> 16) + to * (codes_[i] & 0xFFFF))};
  }

  template <int step>
  void steps(Set targets, bool promotes) {
    add(targets, index_of(-step, promotes), 2 * squares + 2);
  }
  void piece(Square from, Set targets, bool promotes) { add(targets, index_of(from, promotes), 2); }
  void drops(Kind kind, Set targets) { piece(squares + kind, targets, false); }
  void anywhere(unsigned kinds, Set targets) {
    anywhere_kinds_ = kinds;
    anywhere_ = targets;
    anywhere_count_ = count(targets);
    anywhere_total_ = std::popcount(kinds) * anywhere_count_;
  }

 private:
  [[nodiscard]] Move dropped(int n) const {
    const auto kind = static_cast<Kind>(select_bit(anywhere_kinds_, n / anywhere_count_));
    return Numbers<Board>::drop(kind, nth(anywhere_, n % anywhere_count_));
  }
  static constexpr int squares = Grid<Board>::squares;
  static constexpr int index_of(Square from, bool promotes) {
    return 2 * squares * from + (promotes ? 1 : 0);
  }
  // The moves of a group are base + square * factor for the squares of a set: a target counts
  // twice, and as its own origin 2 * squares times more, less the step.
  void add(Set targets, int base, int factor) {
    sets_[size_] = targets;
    codes_[size_] = base * 0x10000 + factor;
    total_ += count(targets);
    ends_[size_] = total_;
    ++size_;
  }

  // 22 sets of steps, 2 for each of 8 sliders and of 8 pinned pieces, the king, 3 kinds of drop.
  // The drops that may go anywhere come after all of them.
  static constexpr int capacity = 64;
  int size_ = 0;
  int total_ = 0;
  unsigned anywhere_kinds_ = 0;
  int anywhere_count_ = 0;
  int anywhere_total_ = 0;
  Set anywhere_ = 0;
  Set sets_[capacity];
  int codes_[capacity];
  int ends_[capacity];  // how many moves there are up to the end of a group
};

template <class Board, Colour us>
inline int count_moves(const Pieces<Board>& men) {
  Counter<Board> counter;
  visit_moves<Board, us>(men, Side<Board, us>::restraint(men), counter);
  return counter.total;
}

}  // namespace tempo::shogi
