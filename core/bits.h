// Bit tricks shared by the games.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

namespace tempo {

// The position of the n-th set bit (n from 0); undefined if there are fewer.
inline int select_bit(std::uint64_t bits, int n) {
#ifdef __BMI2__
  return std::countr_zero(_pdep_u64(std::uint64_t{1} << n, bits));
#else
  for (; n > 0; --n) bits &= bits - 1;
  return std::countr_zero(bits);
#endif
}

}  // namespace tempo
