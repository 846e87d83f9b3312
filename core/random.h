// Deterministic random streams. Every game of a batch, every tree and every agent has its own
// stream made from (seed, index), so results never depend on the number of threads or on
// scheduling.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tempo {

// Steele, Lea, Flood 2014: turns a counter into well mixed bits. Used for seeding and for Zobrist
// numbers.
constexpr std::uint64_t split_mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

// xoshiro256++ (Blackman, Vigna 2018). The state is four words that can be stored and restored,
// because a checkpoint carries every stream.
class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Random(std::uint64_t seed, std::uint64_t index = 0) {
    std::uint64_t x = split_mix(seed) ^ split_mix(~index);
    for (auto& word : state_) word = x = split_mix(x);
  }
  explicit Random(const State& state) : state_(state) {}

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), bound > 0, without bias (Lemire 2019).
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t least = -bound % bound;
      while (static_cast<std::uint32_t>(product) < least) product = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  std::uint32_t below(int bound) { return below(static_cast<std::uint32_t>(bound)); }

  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  [[nodiscard]] const State& state() const { return state_; }

 private:
  State state_;
};

}  // namespace tempo
