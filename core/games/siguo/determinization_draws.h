// The definitions of determinizations.h: how kinds are drawn, dealt, exchanged and listed.
#pragma once

#include <cmath>

#include "../../stop.h"
#include "determinizations.h"

namespace tempo::siguo {

inline void Determinizations::chances_of(const Army& army, KindSet possible, Weights& out) {
  double rest = 1;
  for (int s = 2; s >= 0; --s) {
    const int kind = Bomb + s;
    if ((possible >> kind & 1) == 0) {
      out[at(kind)] = 0;
      continue;
    }
    out[at(kind)] = rest * army.special[s];
    rest -= out[at(kind)];
  }
  rest *= army.rank_share;
  for (int kind = 0; kind < ranked; ++kind)
    out[at(kind)] = (possible >> kind & 1) != 0 ? rest * army.left[at(kind)] : 0.0;
}

// The sums over one tree, from its leaves up: how likely each kind of a piece makes what hangs on
// it.
inline void Determinizations::sum_up(int begin, int end, const Armies& armies, Sums& sums) const {
  for (int i = begin; i < end; ++i)
    chances_of(armies[at(seat_of(hard_[at(i)].piece))], hard_[at(i)].possible, sums[at(i)]);
  for (int i = end - 1; i > begin; --i) {
    const Hard& hard = hard_[at(i)];
    Weights& above = sums[hard.parent];
    for (int kind = 0; kind < kinds; ++kind) {
      if (above[at(kind)] == 0) continue;
      double sum = 0;
      for (auto set = static_cast<KindSet>(partners(hard, kind) & hard.possible); set != 0;
           set &= static_cast<KindSet>(set - 1))
        sum += sums[at(i)][at(std::countr_zero(set))];
      above[at(kind)] *= sum;
    }
  }
}

// Draws a kind of the set by weight, and multiplies `inverse` by 1 / its chance; Unknown when there
// is none. What brothers in the tree have taken since the sums were made counts as taken.
inline Kind Determinizations::pick(KindSet set, const Weights& weights, const Counts& left,
                                   const Counts& before, double& inverse, Random& random) {
  Weights chance{};
  double total = 0;
  for (; set != 0; set &= static_cast<KindSet>(set - 1)) {
    const auto kind = at(std::countr_zero(set));
    if (left[kind] == 0) continue;
    chance[kind] = weights[kind] * left[kind] / before[kind];
    total += chance[kind];
  }
  if (!(total > 0)) return Unknown;
  double point = random.uniform() * total;
  Kind picked = Unknown;
  for (int kind = 0; kind < kinds; ++kind) {
    if (chance[at(kind)] == 0) continue;
    picked = static_cast<Kind>(kind);
    point -= chance[at(kind)];
    if (point < 0) break;
  }
  inverse *= total / chance[picked];
  return picked;
}

// Gives the hard pieces their kinds; returns 1 / q, or 0 when that was impossible.
inline double Determinizations::give_hard(Armies& armies, Kinds& drawn, Random& random) const {
  Sums sums;
  double inverse = 1;
  for (int begin = 0; begin < hard_count_;) {
    int end = begin + 1;
    while (end < hard_count_ && hard_[at(end)].parent != none) ++end;
    for (Army& army : armies) army.update();
    sum_up(begin, end, armies, sums);
    std::array<Counts, 4> before;
    for (int seat = 0; seat < 4; ++seat) before[at(seat)] = armies[at(seat)].left;
    for (int i = begin; i < end; ++i) {
      const Hard& hard = hard_[at(i)];
      const auto seat = at(seat_of(hard.piece));
      KindSet set = hard.possible;
      if (hard.parent != none) set &= partners(hard, drawn[hard_[hard.parent].piece]);
      const Kind kind = pick(set, sums[at(i)], armies[seat].left, before[seat], inverse, random);
      if (kind == Unknown) return 0;
      drawn[hard.piece] = kind;
      armies[seat].give(hard.possible, kind);
    }
    begin = end;
  }
  return inverse;
}

inline bool Determinizations::turn_has_move(const Kinds& drawn) const {
  for (int i = 0; i < mover_count_; ++i)
    if (drawn[movers_[at(i)]] != Mine) return true;
  return mover_count_ == 0;
}

inline double Determinizations::ways(const Draft& draft) const {
  if (!turn_has_move(draft.kinds_of)) return 0;
  double product = 1;
  for (int seat = 0; seat < 4 && product > 0; ++seat)
    product *= rest_[at(seat)].ways(draft.left[at(seat)]);
  return product;
}

inline Determinizations::Draft Determinizations::draft(Random& random) const {
  Draft made;
  made.kinds_of = certain_;
  Armies armies = armies_;
  made.weight = give_hard(armies, made.kinds_of, random);
  for (int seat = 0; seat < 4; ++seat) made.left[at(seat)] = armies[at(seat)].left;
  if (made.weight > 0) made.weight *= ways(made);
  return made;
}

inline void Determinizations::complete(Draft& draft, Random& random) const {
  for (int seat = 0; seat < 4; ++seat) {
    if (rest_[at(seat)].size() == 0) continue;
    Filling rest = rest_[at(seat)];
    rest.fill(draft.left[at(seat)], draft.kinds_of, random);
  }
}

// Whether the battles of a hard piece could have gone as they did.
inline bool Determinizations::battles_hold(int piece, const Kinds& drawn) const {
  const auto holds = [&](const Hard& hard) {
    const Kind parent = drawn[hard_[hard.parent].piece];
    return (partners(hard, parent) & set_of(drawn[hard.piece])) != 0;
  };
  const Hard& own = hard_[at(piece)];
  if (own.parent != none && !holds(own)) return false;
  for (int i = 0; i < own.children; ++i)
    if (!holds(hard_[at(own.first_child + i)])) return false;
  return true;
}

template <class Accept>
void Determinizations::exchange(Kinds& drawn, int steps, Random& random, Accept&& accept) const {
  const int all = armies_begin_[4];
  if (all == 0) return;
  for (; steps > 0; --steps) {
    const Open& one = open_[at(random.below(all))];
    const int seat = seat_of(one.piece);
    const int begin = armies_begin_[at(seat)];
    const int size = armies_begin_[at(seat + 1)] - begin;
    const Open& other = open_[at(begin + static_cast<int>(random.below(size)))];
    Kind& first = drawn[one.piece];
    Kind& second = drawn[other.piece];
    if (first == second || (one.possible & set_of(second)) == 0 ||
        (other.possible & set_of(first)) == 0)
      continue;
    std::swap(first, second);
    if ((one.hard != none && !battles_hold(one.hard, drawn)) ||
        (other.hard != none && !battles_hold(other.hard, drawn)) || !turn_has_move(drawn) ||
        !accept(int{one.piece}, int{other.piece}, first, second))
      std::swap(first, second);
  }
}

inline void Determinizations::mix(Kinds& drawn, int steps, Random& random) const {
  exchange(drawn, steps, random, [](int, int, Kind, Kind) { return true; });
}

inline Kinds Determinizations::draw(Random& random) const {
  Draft chosen;
  double sum = 0;
  double squares = 0;
  for (int tries = 1; tries < 1000 * most; ++tries) {
    const Draft made = draft(random);
    if (made.weight > 0) {
      sum += made.weight;
      squares += made.weight * made.weight;
      if (random.uniform() * sum < made.weight) chosen = made;
      if (hard_count_ == 0) break;  // all weights are equal
    }
    if (sum == 0 && tries % 256 == 0) throw_if_stopped();  // the rest is quick
    if (sum == 0 || tries < fewest) continue;
    if (tries >= most || tries > for_variance * (tries * squares / (sum * sum) - 1)) break;
  }
  if (sum == 0) throw std::logic_error("no position fits this view of siguo");
  complete(chosen, random);
  if (hard_count_ > 0) mix(chosen.kinds_of, exchanges, random);
  return chosen.kinds_of;
}

template <class Visit>
bool Determinizations::each_draft(Visit&& visit, std::int64_t limit) const {
  Draft draft;
  draft.kinds_of = certain_;
  for (int seat = 0; seat < 4; ++seat) draft.left[at(seat)] = armies_[at(seat)].left;
  return visit_from(0, draft, visit, limit);
}

template <class Visit>
bool Determinizations::visit_from(int i, Draft& draft, Visit& visit, std::int64_t& steps) const {
  if (--steps < 0) return false;
  if (steps % 1024 == 0) throw_if_stopped();
  if (i == hard_count_) {
    draft.weight = ways(draft);
    if (draft.weight > 0) visit(draft);
    return true;
  }
  const Hard& hard = hard_[at(i)];
  Counts& left = draft.left[at(seat_of(hard.piece))];
  KindSet set = hard.possible;
  if (hard.parent != none) set &= partners(hard, draft.kinds_of[hard_[hard.parent].piece]);
  for (; set != 0; set &= static_cast<KindSet>(set - 1)) {
    const auto kind = static_cast<Kind>(std::countr_zero(set));
    if (left[kind] == 0) continue;
    --left[kind];
    draft.kinds_of[hard.piece] = kind;
    const bool done = visit_from(i + 1, draft, visit, steps);
    ++left[kind];
    if (!done) return false;
  }
  return true;
}

inline Position Position::sample(const View& view, Random& random) {
  return of_view(view, Determinizations(view).draw(random));
}

}  // namespace tempo::siguo
