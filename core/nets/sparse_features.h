// What an incremental network sees of a game: for each of two seats a few of very many features,
// which change little from move to move. A game that offers some specialises `SparseFeatures`.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "../game.h"

namespace tempo {

// Numbers of features: a list without heap.
template <int Capacity>
class FeatureList {
 public:
  void clear() { size_ = 0; }
  void push(int feature) {
    assert(size_ < Capacity && feature >= 0 && feature < 0xFFFF);
    features_[static_cast<std::size_t>(size_++)] = static_cast<std::uint16_t>(feature);
  }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] std::span<const std::uint16_t> span() const {
    return {features_.data(), static_cast<std::size_t>(size_)};
  }

 private:
  int size_ = 0;
  std::array<std::uint16_t, static_cast<std::size_t>(Capacity)> features_;
};

template <class P>
struct SparseFeatures;  // specialised in the game's own folder

template <class P>
using ActiveFeatures = FeatureList<SparseFeatures<P>::most>;

// Features of a seat may depend on something that rarely changes (where its king stands). Boards
// that agree in it are of one group: between them few features change, between others most do.
template <class P>
concept HasSparseFeatures =
    Game<P> && P::seats == 2 &&
    requires(const P& position, const typename SparseFeatures<P>::Board& board, Seat seat,
             ActiveFeatures<P>& list) {
      // Moves when a number means something else: weights of another version do not fit.
      { SparseFeatures<P>::version } -> std::convertible_to<std::string_view>;
      { SparseFeatures<P>::count } -> std::convertible_to<int>;   // below 65535
      { SparseFeatures<P>::most } -> std::convertible_to<int>;    // that are active at a time
      { SparseFeatures<P>::groups } -> std::convertible_to<int>;  // boards are of
      // Feature i and all that are alike but for the group share i % kinds.
      { SparseFeatures<P>::kinds } -> std::convertible_to<int>;
      // All that the features follow from.
      { SparseFeatures<P>::board(position) } -> std::convertible_to<decltype(board)>;
      { SparseFeatures<P>::group(board, seat) } -> std::same_as<int>;
      { SparseFeatures<P>::active(board, seat, list) } -> std::same_as<void>;
      // Of two boards of one group: the features that come and go, or false if that is not worth
      // it.
      { SparseFeatures<P>::changes(board, board, seat, list, list) } -> std::same_as<bool>;
    };

// [2, most] the features of the seat to move and of the other; where there are fewer, `count`.
template <HasSparseFeatures P>
void write_sparse(const P& position, std::uint16_t* out) {
  using F = SparseFeatures<P>;
  const auto& board = F::board(position);
  for (const int ahead : {0, 1}) {
    ActiveFeatures<P> list;
    F::active(board, Seat{static_cast<std::uint8_t>((index(position.turn()) + ahead) % 2)}, list);
    for (int i = 0; i < F::most; ++i) {
      const auto at = static_cast<std::size_t>(i);
      *out++ = i < list.size() ? list.span()[at] : static_cast<std::uint16_t>(F::count);
    }
  }
}

}  // namespace tempo
