// What a strong Jiu player looks at, counted for the seat to move ("own") and for the other
// ("enemy"). The two sides have weights of their own, since a gate is worth more to the mover.
// In preparation the points not yet filled count as blocked, the two of the centre as empty.
#pragma once

#include <algorithm>

#include "../../nets/linear.h"
#include "rules.h"

namespace tempo {

namespace jiu {

// The board as evaluations see it: during preparation, as it would be if the battle began now.
struct Scene {
  Board own;
  Board enemy;
  Board empty;
  int own_count;
  int enemy_count;
  bool own_flies;
  bool enemy_flies;
  int threshold;

  explicit Scene(const Position& position) : Scene(position, index(position.turn())) {}
  Scene(const Position& position, int seat)
      : own(position.stones(seat)),
        enemy(position.stones(1 - seat)),
        empty(position.empty()),
        own_count(position.count(seat)),
        enemy_count(position.count(1 - seat)),
        own_flies(position.flies(seat)),
        enemy_flies(position.flies(1 - seat)),
        threshold(position.options().threshold()) {
    if (position.stage() == Stage::Battle) return;
    empty = Board::of(position.centre_end(0)) | Board::of(position.centre_end(1));
    own = own - empty;
    enemy = enemy - empty;
    own_flies = enemy_flies = false;
  }
  [[nodiscard]] Scene from_the_other_side() const {
    Scene other = *this;
    std::swap(other.own, other.enemy);
    std::swap(other.own_count, other.enemy_count);
    std::swap(other.own_flies, other.enemy_flies);
    return other;
  }
};

// What one side has on the board, each question asked once: the four sets of points that three own
// stones of a cell wait for, by the corner that the point is, answer most of the others.
class Side {
 public:
  Side(const Board& own, const Board& enemy, const Board& empty)
      : own_(own), enemy_(enemy), empty_(empty) {
    each_corner([&]<int across, int along>() {
      waits_[corner(across, along)] = closing<across, along>(own);
    });
    squares_ = own & waits_[corner(1, stride)];
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      const Board enter = entries<d>(own, empty);
      const Board upper = far<d, 1>();
      const Board lower = far<d, -1>();
      steps_ += enter.count();
      reach_ |= enter;
      one_ |= enter & (upper | lower);
      two_ |= enter & upper & lower;
      // A jump needs an enemy next to it and an empty point behind.
      can_jump_[d] = enemy.seen<ways[d]>() & empty.seen<2 * ways[d]>();
      landings_[d] = (own & can_jump_[d]).seen<-2 * ways[d]>();
      reach_ |= landings_[d];
      prey_ |= landings_[d].seen<ways[d]>();  // one step back lies what was jumped
    });
  }

  [[nodiscard]] const Board& reach() const { return reach_; }  // points that it can enter
  [[nodiscard]] const Board& prey() const { return prey_; }    // enemies that it can jump
  [[nodiscard]] bool has_step_gate() const { return one_.any(); }
  [[nodiscard]] int single_gates() const { return (one_ - two_).count(); }
  [[nodiscard]] int double_gates() const { return two_.count(); }
  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] int squares() const { return squares_.count(); }
  // Cells of three own stones whose fourth point lies in `points`.
  [[nodiscard]] int triples(const Board& points) const {
    int count = 0;
    for (const Board& waits : waits_) count += (waits & points).count();
    return count;
  }

  // Calls `visit(dalian)` for every live Dalian.
  template <class Visit>
  void dalians(const Visit& visit) const {
    if (!squares_.any()) return;
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      const Board holes = own_.seen<-ways[d]>() & empty_;  // beside a possible vital stone
      if (!(holes & (far<opposite(d), 1>() | far<opposite(d), -1>())).any()) return;
      pattern<d, 1, 1>(visit);
      pattern<d, 1, -1>(visit);
      pattern<d, -1, 1>(visit);
      pattern<d, -1, -1>(visit);
    });
  }

  // Squares with a vital stone beside a hole whose waiting cell lacks one stone, on an empty point.
  [[nodiscard]] int near_dalians() const {
    if (!squares_.any()) return 0;
    int count = 0;
    each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
      const Board vital = own_ & (far<d, 1>() | far<d, -1>());
      const Board holes = vital.seen<-ways[d]>() & empty_;
      if (holes.any()) count += (holes & (lacks_one<d, 1>() | lacks_one<d, -1>())).count();
    });
    return count;
  }

  // The longest chain of jumps, up to four. Stones already jumped are taken to stand, except that
  // a chain does not turn straight back: an upper estimate that is rarely wrong.
  [[nodiscard]] int longest_chain() const {
    std::array<Board, 4> at = landings_;
    for (int length = 0;; ++length) {
      const Board any = at[0] | at[1] | at[2] | at[3];
      if (!any.any()) return length;
      if (length == 3) return 4;
      std::array<Board, 4> next;
      each_direction<4>([&]<int d>(std::integral_constant<int, d>) {
        Board from;
        for (int k = 0; k < 4; ++k) {
          if (k != opposite(d)) from |= at[static_cast<std::size_t>(k)];
        }
        next[d] = (from & can_jump_[d]).seen<-2 * ways[d]>();
      });
      at = next;
    }
  }

 private:
  static constexpr std::size_t corner(int across, int along) {
    return (across > 0 ? 0U : 1U) + (along > 0 ? 0U : 2U);
  }
  // Points that wait for a stone coming from direction d, the cell on one side of its way.
  template <int d, int side>
  [[nodiscard]] const Board& far() const {
    constexpr int away = -ways[d];
    return d == 1 || d == 2 ? waits_[corner(away, side)] : waits_[corner(side, away)];
  }
  template <int d, int q, int w, class Visit>
  void pattern(const Visit& visit) const {
    const Board holes = far<opposite(d), w>() & empty_;
    (own_ & far<d, q>() & holes.seen<ways[d]>()).each([&](Cell vital) {
      visit(dalian_at<d, q, w>(vital));
    });
  }
  template <int d, int side>
  [[nodiscard]] Board lacks_one() const {
    constexpr int on = ways[d];
    constexpr int aside = d == 1 || d == 2 ? side * stride : side;
    const Board a = own_.seen<on>();
    const Board b = own_.seen<aside>();
    const Board c = own_.seen<on + aside>();
    return (a & b & empty_.seen<on + aside>()) | (a & c & empty_.seen<aside>()) |
           (b & c & empty_.seen<on>());
  }

  Board own_, enemy_, empty_;
  std::array<Board, 4> waits_;  // [corner]
  std::array<Board, 4> can_jump_, landings_;
  Board squares_, reach_, one_, two_, prey_;
  int steps_ = 0;
};

// The numbers of one side, in the order of Terms::kind_names.
struct SideTerms {
  static constexpr int count = 14;

  static void write(const Scene& scene, const Side& side, const Side& enemy, float* out) {
    const bool enemy_closes =
        enemy.has_step_gate() || (scene.enemy_flies && enemy.triples(scene.empty) > 0);
    int safe = 0;
    int live = 0;
    side.dalians([&](const Dalian& dalian) {
      const bool broken = enemy_closes || (dalian.stones & enemy.prey()).any();
      ++(broken || enemy.reach().has(dalian.hole) ? live : safe);
    });
    const int single = side.single_gates();
    const int twice = side.double_gates();
    const int structural = side.triples(scene.empty);
    const bool pushes = scene.own_count > scene.enemy_count && safe + live == 0 &&
                        scene.enemy_count <= scene.threshold + 5 &&
                        scene.enemy_count > scene.threshold;
    const auto number = [](int n, int most) { return static_cast<float>(std::min(n, most)); };
    const auto steps = static_cast<float>(side.steps());
    out[0] = number(safe, 2);
    out[1] = number(live, 3);
    out[2] = number(side.near_dalians(), 6);
    out[3] = number(single, 6);
    out[4] = number(twice, 3);
    out[5] = number(std::max(structural - single - 2 * twice, 0), 8);
    out[6] = number(side.longest_chain(), 4);
    out[7] = number(enemy.prey().count(), 12);
    out[8] = steps / (steps + 32.0F) * 5.0F;  // grows as a logarithm does, the same everywhere
    out[9] = scene.own_flies ? static_cast<float>(structural * (scene.own_count - 3)) : 0.0F;
    out[10] = pushes ? 1.0F : 0.0F;
    out[11] = number(side.squares(), 20);
    out[12] = number(side.triples(scene.enemy), 20);  // three that an enemy stone holds up
    out[13] = number(count_pairs(scene.own), 160) / 8.0F;
  }
};

}  // namespace jiu

template <class T, std::size_t n>
constexpr std::array<T, 2 * n> doubled(const std::array<T, n>& values) {
  std::array<T, 2 * n> twice{};
  for (std::size_t i = 0; i < 2 * n; ++i) twice[i] = values[i % n];
  return twice;
}

// Every number counts twice, once for the full board and once for the empty one, in shares that
// follow the stones left: a gate among two hundred stones is not what it is among thirty.
template <>
struct Terms<jiu::Position> {
  static constexpr int shared = 4;
  static constexpr int kinds = shared + 2 * jiu::SideTerms::count;
  static constexpr int count = 2 * kinds;
  static constexpr float half = 12.0F;

  static constexpr std::array<std::string_view, kinds> kind_names = {"turn",
                                                                     "material",
                                                                     "share",
                                                                     "due",
                                                                     "own_dalian_safe",
                                                                     "own_dalian_live",
                                                                     "own_dalian_minus",
                                                                     "own_gate",
                                                                     "own_double_gate",
                                                                     "own_triple_open",
                                                                     "own_jump_gain",
                                                                     "own_en_prise",
                                                                     "own_mobility",
                                                                     "own_fly_pressure",
                                                                     "own_near_threshold",
                                                                     "own_squares",
                                                                     "own_triangles",
                                                                     "own_pairs",
                                                                     "enemy_dalian_safe",
                                                                     "enemy_dalian_live",
                                                                     "enemy_dalian_minus",
                                                                     "enemy_gate",
                                                                     "enemy_double_gate",
                                                                     "enemy_triple_open",
                                                                     "enemy_jump_gain",
                                                                     "enemy_en_prise",
                                                                     "enemy_mobility",
                                                                     "enemy_fly_pressure",
                                                                     "enemy_near_threshold",
                                                                     "enemy_squares",
                                                                     "enemy_triangles",
                                                                     "enemy_pairs"};
  // The full board's first, then the empty one's under the same names.
  static constexpr auto names = doubled(kind_names);

  // By hand: what strong players say each is worth, the same early and late.
  static constexpr auto hand_tuned = doubled(std::array<float, kinds>{
      0.0F,  1.0F,  0.0F,  1.0F,                                                          //
      6.0F,  3.0F,  0.8F,  0.9F,  1.8F,  0.3F,  0.5F,  0.0F, 0.2F,  0.15F,  -2.0F, 0.0F,  //
      0.0F,  0.0F,                                                                        //
      -6.0F, -3.0F, -0.8F, -1.2F, -2.4F, -0.3F, -0.5F, 0.5F, -0.2F, -0.15F, 2.0F,  0.0F,  //
      0.0F,  0.0F});

  static void write(const jiu::Position& position, float* out) {
    using namespace jiu;
    const Scene here(position);
    const auto own_count = static_cast<float>(here.own_count);
    const auto enemy_count = static_cast<float>(here.enemy_count);
    const auto full = static_cast<float>(position.size() * position.size());
    const float early = (own_count + enemy_count) / full;
    std::array<float, kinds> terms;
    terms[0] = 1.0F;
    terms[1] = own_count - enemy_count;
    terms[2] = 20.0F * (own_count - enemy_count) / (own_count + enemy_count + 1.0F);
    terms[3] = static_cast<float>(position.due());
    const Side own(here.own, here.enemy, here.empty);
    const Side enemy(here.enemy, here.own, here.empty);
    SideTerms::write(here, own, enemy, terms.data() + shared);
    SideTerms::write(here.from_the_other_side(), enemy, own,
                     terms.data() + shared + SideTerms::count);
    for (std::size_t i = 0; i < kinds; ++i) {
      out[i] = early * terms[i];
      out[kinds + i] = (1.0F - early) * terms[i];
    }
  }
};

}  // namespace tempo
