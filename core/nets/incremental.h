// An incremental network (the NNUE of Nasu, 2018): its first layer is a sum of rows, one for each
// active feature of a seat, and is kept up by the few rows that change; small layers of integers
// follow. Nothing is learnt here: Python writes the weights.
//
// Searches copy positions and undo nothing, so no move is followed: for each group of boards the
// last one evaluated is kept with its sums, and the next is reached from it by what differs. In a
// search that is most often a brother, one move back and one move on.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../evaluator.h"
#include "quantized.h"
#include "sparse_features.h"

namespace tempo {

class IncrementalNetwork {
 public:
  // Rows [features, width] and bias [width] of the first layer, then what takes the rectified sums
  // of both seats, that of the seat to move first. Throws std::invalid_argument when the shapes do
  // not fit.
  IncrementalNetwork(std::string features, int width, std::vector<std::int8_t> rows,
                     std::vector<std::int16_t> bias, const std::vector<QuantizedLayer>& layers);

  [[nodiscard]] const std::string& features() const { return features_; }  // their version
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int rows() const { return static_cast<int>(rows_.size()) / width_; }
  [[nodiscard]] const std::int8_t* row_data() const { return rows_.data(); }
  [[nodiscard]] const std::int16_t* bias() const { return bias_.data(); }
  [[nodiscard]] const QuantizedLayers& layers() const { return layers_; }
  // Of one evaluation, with two rows that change for each seat.
  [[nodiscard]] std::int64_t multiply_adds() const {
    return layers_.multiply_adds() + std::int64_t{4} * width_;
  }

 private:
  std::string features_;
  int width_;
  std::vector<std::int8_t> rows_;
  std::vector<std::int16_t> bias_;
  QuantizedLayers layers_;
};

// Copies share the network and are used one to a thread.
template <HasSparseFeatures P>
class IncrementalEvaluator {
 public:
  static constexpr bool prefers_batches = false;
  using F = SparseFeatures<P>;

  // Throws std::invalid_argument when the network is of other features.
  explicit IncrementalEvaluator(std::shared_ptr<const IncrementalNetwork> network,
                                const IntegerKernels& kernels = integer_kernels().front())
      : network_(std::move(network)), kernels_(&kernels) {
    if (network_ == nullptr) throw std::invalid_argument("an evaluator needs a network");
    if (network_->features() != F::version || network_->rows() != F::count) {
      throw std::invalid_argument("the network is of " + network_->features() + " with " +
                                  std::to_string(network_->rows()) + " features; " +
                                  std::string(P::name) + " has " + std::string(F::version) +
                                  " with " + std::to_string(F::count));
    }
    boards_.resize(2 * groups);
    sums_.resize(2 * groups * static_cast<std::size_t>(network_->width()));
  }

  [[nodiscard]] const IncrementalNetwork& network() const { return *network_; }
  [[nodiscard]] std::int64_t row_sums() const { return row_sums_; }  // so far

  // From -1 to 1 for the seat to move.
  float operator()(const P& position) {
    alignas(64) std::uint8_t units[QuantizedLayers::widest];
    const auto& board = F::board(position);
    const int own = index(position.turn());
    for (const int ahead : {0, 1}) {
      const Seat seat{static_cast<std::uint8_t>((own + ahead) % 2)};
      kernels_->rectify(sums_of(board, seat), network_->width(), units + ahead * network_->width());
    }
    return score_of_sum(network_->layers().forward(*kernels_, units));
  }
  void operator()(std::span<const P> positions, std::span<Scores> values) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      values[i] = scores_by_team_of<P>(positions[i].turn(), (*this)(positions[i]));
    }
  }

 private:
  static constexpr auto groups = static_cast<std::size_t>(F::groups);

  struct Kept {
    typename F::Board board;
    bool filled = false;
  };

  const std::int16_t* sums_of(const typename F::Board& board, Seat seat) {
    const auto place = static_cast<std::size_t>(index(seat)) * groups +
                       static_cast<std::size_t>(F::group(board, seat));
    Kept& kept = boards_[place];
    std::int16_t* sums = &sums_[place * static_cast<std::size_t>(network_->width())];
    ActiveFeatures<P> added;
    ActiveFeatures<P> removed;
    const std::int16_t* from = sums;
    if (!kept.filled || !F::changes(kept.board, board, seat, added, removed)) {
      added.clear();
      removed.clear();
      F::active(board, seat, added);
      from = network_->bias();
    }
    kernels_->sum_rows(network_->row_data(), network_->width(), from, added.span(), removed.span(),
                       sums);
    row_sums_ += added.size() + removed.size();
    kept.board = board;
    kept.filled = true;
    return sums;
  }

  std::shared_ptr<const IncrementalNetwork> network_;
  const IntegerKernels* kernels_;
  std::vector<Kept> boards_;        // [2 * groups] by seat and group: the last board of each
  std::vector<std::int16_t> sums_;  // [2 * groups, width]
  std::int64_t row_sums_ = 0;
};

}  // namespace tempo
