// Determinizations of a view: positions that it leaves open, drawn so that each is as likely as the
// next.
//
// Pieces of which nothing is known but deployment and having moved are dealt together in the end,
// uniformly, by a formula (Filling). The others ("hard" ones: bound by battles that the viewer did
// not fight, or narrowed by those it fought) come first, tree by tree, since battles form a forest:
// sums over each tree tell how likely each kind is, as if the rest of the army were dealt at
// random. A draw made like that has a known probability q, so weighting draws by 1 / q and choosing
// among several by weight makes every determinization equally likely in the limit of many draws
// (sampling importance resampling; Rubin 1987). What is uneven before the limit fades when pieces
// of an army then exchange kinds at random wherever that fits the view: such steps keep
// determinizations equally likely (a Markov chain with symmetric proposals; Metropolis et al.
// 1953). How even it all is, is measured: docs/games/siguo.md.
#pragma once

#include "puzzle.h"

namespace tempo::siguo {

class Determinizations {
 public:
  // Draws among which one is chosen. Choosing among n makes those of large weight too rare by
  // about the variance of the weights / n (their mean being 1), so n grows with the variance seen
  // so far.
  static constexpr int fewest = 24;
  static constexpr int most = 400;
  static constexpr double for_variance = 100;
  static constexpr int exchanges = 400;  // tried after a draw, most of them refused

  explicit Determinizations(const View& view) : Determinizations(view, Puzzle(view)) {}
  Determinizations(const View& view, const Puzzle& puzzle);

  // A determinization without the pieces that are dealt in the end: what is left for them, and the
  // weight of it all, 0 when it led nowhere. Weights average to the number of determinizations.
  struct Draft {
    Kinds kinds_of;
    std::array<Counts, 4> left;
    double weight;
  };
  [[nodiscard]] Draft draft(Random& random) const;
  // Deals the rest.
  void complete(Draft& draft, Random& random) const;
  // Exchanges kinds within armies, as often as asked for; the view stays satisfied, and what was
  // equally likely stays so.
  void mix(Kinds& drawn, int steps, Random& random) const;
  // The same for exchanges that are accepted. Asks about those that fit the view alone: two pieces
  // and the kinds that they would have.
  template <class Accept>
  void exchange(Kinds& drawn, int steps, Random& random, Accept&& accept) const;
  // One determinization. Throws std::logic_error when the view contradicts itself, which none made
  // by play does.
  [[nodiscard]] Kinds draw(Random& random) const;

  // Visits every draft once, its weight the number of determinizations it stands for. Gives up, and
  // returns false, when more than `limit` steps are needed.
  template <class Visit>
  bool each_draft(Visit&& visit, std::int64_t limit) const;

  [[nodiscard]] int hard_pieces() const { return hard_count_; }
  [[nodiscard]] int hard_piece(int i) const { return hard_[at(i)].piece; }
  // The pieces of a seat that are dealt in the end.
  [[nodiscard]] const Filling& rest(int seat) const { return rest_[at(seat)]; }

 private:
  // A piece that is not dealt in the end; parents stand before their children.
  struct Hard {
    std::uint8_t piece;
    std::uint8_t parent;  // index, none for the root of a tree
    Battle result;        // of the battle with the parent
    bool attacked;        // this one attacked the parent
    KindSet possible;
    std::uint8_t first_child = none;  // children stand side by side
    std::uint8_t children = 0;
  };
  // How an army looks while it is given out.
  struct Army {
    Counts left{};
    int open = 0;  // pieces without a kind yet, and how many of them may be of the special kinds
    std::array<int, 3> can{};
    int rank_count = 0;
    double special[3];  // chance of bomb, mine, flag for a piece that may be it, and is none of the
                        // rarer ones
    double rank_share = 0;
    void update() {
      int taken = 0;
      for (int s = 2; s >= 0; --s) {
        const int wanted = left[at(Bomb + s)];
        const int places = can[at(s)];
        // Where others are taken by rarer kinds, fewer places are left; but only the plain count
        // is sure, so nothing else may make a kind certain.
        special[s] =
            wanted == 0 ? 0.0
            : wanted >= places
                ? 1.0
                : std::min(0.96, static_cast<double>(wanted) / std::max(places - taken, wanted));
        taken += wanted;
      }
      rank_share = rank_count > 0 ? 1.0 / rank_count : 0.0;
    }
    // Takes a piece and its kind out of what is still to be given.
    void give(KindSet possible, int kind) {
      --left[at(kind)];
      --open;
      rank_count -= kind < ranked;
      for (int s = 0; s < 3; ++s) can[at(s)] -= possible >> (Bomb + s) & 1;
    }
  };
  using Armies = std::array<Army, 4>;
  using Weights = std::array<double, kinds>;
  using Sums = std::array<Weights, pieces>;

  static void chances_of(const Army& army, KindSet possible, Weights& out);
  [[nodiscard]] KindSet partners(const Hard& hard, int parent_kind) const {
    const auto& table = *battles_;
    const auto result = static_cast<std::size_t>(hard.result);
    return hard.attacked ? table.attackers[result][at(parent_kind)]
                         : table.defenders[result][at(parent_kind)];
  }
  void plant(const Puzzle& puzzle);
  void sum_up(int begin, int end, const Armies& armies, Sums& sums) const;
  static Kind pick(KindSet set, const Weights& weights, const Counts& left, const Counts& before,
                   double& inverse, Random& random);
  double give_hard(Armies& armies, Kinds& drawn, Random& random) const;
  [[nodiscard]] double ways(const Draft& draft) const;
  void find_movers(const Puzzle& puzzle);
  template <class Visit>
  bool visit_from(int i, Draft& draft, Visit& visit, std::int64_t& steps) const;
  [[nodiscard]] bool turn_has_move(const Kinds& drawn) const;
  void note_children();
  [[nodiscard]] bool battles_hold(int piece, const Kinds& drawn) const;

  const PublicState* state_;
  const BattleTable* battles_;
  Kinds certain_{};  // Unknown where not
  Armies armies_{};
  std::array<Filling, 4> rest_;
  std::array<Hard, pieces> hard_{};
  int hard_count_ = 0;
  // Of all pieces that are not certain, army by army: what they may be, and where among the hard
  // ones they stand.
  struct Open {
    std::uint8_t piece = none;
    std::uint8_t hard = none;
    KindSet possible = 0;
  };
  std::array<Open, pieces> open_{};
  std::array<int, 5> armies_begin_{};  // in `open_`
  // Pieces of the seat to move that could move; empty when one of them is surely no mine.
  std::array<std::uint8_t, slots> movers_{};
  int mover_count_ = 0;
};

inline Determinizations::Determinizations(const View& view, const Puzzle& puzzle)
    : state_(&view.public_state()), battles_(&puzzle.battles()) {
  for (int piece = 0; piece < pieces; ++piece) {
    const KindSet set = puzzle.possible(piece);
    certain_[at(piece)] =
        std::has_single_bit(set) ? static_cast<Kind>(std::countr_zero(set)) : Unknown;
  }
  for (int seat = 0; seat < 4; ++seat) armies_[at(seat)].left = puzzle.left(seat);
  find_movers(puzzle);
  plant(puzzle);
  note_children();
  int open = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    if (piece % slots == 0) armies_begin_[at(seat_of(piece))] = open;
    if (certain_[at(piece)] != Unknown) continue;
    int hard = 0;
    while (hard < hard_count_ && hard_[at(hard)].piece != piece) ++hard;
    open_[at(open++)] = {static_cast<std::uint8_t>(piece),
                         static_cast<std::uint8_t>(hard < hard_count_ ? hard : none),
                         puzzle.possible(piece)};
    armies_begin_[4] = open;
    Army& army = armies_[at(seat_of(piece))];
    ++army.open;
    for (int s = 0; s < 3; ++s) army.can[at(s)] += puzzle.possible(piece) >> (Bomb + s) & 1;
  }
  for (Army& army : armies_)
    for (int kind = 0; kind < ranked; ++kind) army.rank_count += army.left[at(kind)];
}

// The seat to move was not put out, so it can move: not all that could move are mines.
inline void Determinizations::find_movers(const Puzzle& puzzle) {
  const int turn = state_->turn();
  if (state_->end() != End::None || state_->can_pass(turn)) return;
  const Set open = state_->open_to(turn);
  bool sure = false;
  (state_->stations_of(turn) - headquarters_of(state_->options())).each([&](int station) {
    const int piece = state_->occupant(station);
    if (sure || state_->targets(station, Unknown, open).empty()) return;
    sure = (puzzle.possible(piece) & set_of(Mine)) == 0;
    movers_[at(mover_count_++)] = static_cast<std::uint8_t>(piece);
  });
  if (sure) mover_count_ = 0;
}

// Lists the hard pieces, each tree from a root on; the others go to the fillings.
inline void Determinizations::plant(const Puzzle& puzzle) {
  std::array<std::array<std::uint8_t, pieces>, 2> ends{};  // of the bonds that say something
  std::array<Battle, pieces> results{};
  int bonds = 0;
  std::array<std::uint8_t, pieces> degree{};
  for (const Bond& bond : puzzle.bonds()) {
    if (puzzle.is_certain(bond.attacker) || puzzle.is_certain(bond.defender) ||
        puzzle.is_idle(bond))
      continue;
    ends[0][at(bonds)] = bond.attacker;
    ends[1][at(bonds)] = bond.defender;
    results[at(bonds++)] = bond.result;
    ++degree[bond.attacker];
    ++degree[bond.defender];
  }
  std::array<bool, pieces> listed{};
  const auto list = [&](int piece, int parent, Battle result, bool attacked) {
    hard_[at(hard_count_++)] = {static_cast<std::uint8_t>(piece), static_cast<std::uint8_t>(parent),
                                result, attacked, puzzle.possible(piece)};
    listed[at(piece)] = true;
  };
  const auto grow = [&](int root) {
    int next = hard_count_;
    list(root, none, Battle::Both, false);
    for (; next < hard_count_; ++next) {
      for (int bond = 0; bond < bonds; ++bond)
        for (int side = 0; side < 2; ++side) {
          if (ends[at(side)][at(bond)] != hard_[at(next)].piece) continue;
          const int other = ends[at(1 - side)][at(bond)];
          if (!listed[at(other)]) list(other, next, results[at(bond)], side == 1);
        }
    }
  };
  // The narrowest first: what they need is taken before others take it.
  std::array<std::uint8_t, pieces> order{};
  int count = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    if (certain_[at(piece)] != Unknown) continue;
    const int seat = seat_of(piece);
    const int group = Filling::group_of(puzzle.possible(piece), armies_[at(seat)].left);
    const bool mover = std::find(movers_.begin(), movers_.begin() + mover_count_, piece) !=
                       movers_.begin() + mover_count_;
    if (degree[at(piece)] == 0 && group != Filling::not_nested && !mover) {
      rest_[at(seat)].add(piece, group);
    } else {
      order[at(count++)] = static_cast<std::uint8_t>(piece);
    }
  }
  std::stable_sort(order.begin(), order.begin() + count, [&](int a, int b) {
    return std::popcount(puzzle.possible(a)) < std::popcount(puzzle.possible(b));
  });
  for (int i = 0; i < count; ++i)
    if (!listed[order[at(i)]]) grow(order[at(i)]);
}

inline void Determinizations::note_children() {
  for (int i = 0; i < hard_count_; ++i) {
    if (hard_[at(i)].parent == none) continue;
    Hard& parent = hard_[hard_[at(i)].parent];
    if (parent.children++ == 0) parent.first_child = static_cast<std::uint8_t>(i);
  }
}

}  // namespace tempo::siguo
