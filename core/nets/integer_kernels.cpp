#include "integer_kernels.h"

#include <algorithm>
#include <vector>

#if defined(__x86_64__) && defined(__GNUC__)
#define TEMPO_X86_KERNELS 1
#include <immintrin.h>
#endif

namespace tempo {

namespace {

namespace portable {

void sum_rows(const std::int8_t* rows, int width, const std::int16_t* from,
              std::span<const std::uint16_t> added, std::span<const std::uint16_t> removed,
              std::int16_t* to) {
  for (int begin = 0; begin < width; begin += unit_lanes) {
    std::int16_t sums[unit_lanes];
    std::copy_n(from + begin, unit_lanes, sums);
    for (const std::uint16_t row : added) {
      const std::int8_t* values = rows + std::ptrdiff_t{row} * width + begin;
      for (int i = 0; i < unit_lanes; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + values[i]);
    }
    for (const std::uint16_t row : removed) {
      const std::int8_t* values = rows + std::ptrdiff_t{row} * width + begin;
      for (int i = 0; i < unit_lanes; ++i) sums[i] = static_cast<std::int16_t>(sums[i] - values[i]);
    }
    std::copy_n(sums, unit_lanes, to + begin);
  }
}

void rectify(const std::int16_t* from, int width, std::uint8_t* to) {
  for (int i = 0; i < width; ++i) {
    to[i] = static_cast<std::uint8_t>(std::clamp(from[i] >> accumulator_shift, 0, unit_one));
  }
}

void multiply(const std::int8_t* weights, const std::int32_t* bias, const std::uint8_t* units,
              int inputs, int outputs, std::int32_t* out) {
  for (int o = 0; o < outputs; ++o, weights += inputs) {
    std::int32_t sum = bias[o];
    for (int i = 0; i < inputs; ++i) sum += weights[i] * units[i];
    out[o] = sum;
  }
}

void change_rows(const std::int8_t* rows, int width, std::span<const RowChange> changes,
                 std::int16_t* sums, std::uint8_t* units, std::uint16_t* total) {
  for (const auto& [point, before, after] : changes) {
    const std::int8_t* old_row = rows + std::ptrdiff_t{before} * width;
    const std::int8_t* new_row = rows + std::ptrdiff_t{after} * width;
    std::int16_t* sum = sums + std::ptrdiff_t{point} * width;
    std::uint8_t* unit = units + std::ptrdiff_t{point} * width;
    for (int i = 0; i < width; ++i) {
      sum[i] = static_cast<std::int16_t>(sum[i] + new_row[i] - old_row[i]);
      const auto now =
          static_cast<std::uint8_t>(std::clamp(sum[i] >> accumulator_shift, 0, unit_one));
      total[i] = static_cast<std::uint16_t>(total[i] + now - unit[i]);
      unit[i] = now;
    }
  }
}

}  // namespace portable

#ifdef TEMPO_X86_KERNELS

// The two forms for x86 differ in the width of a register and in the product that VNNI has.
#define TEMPO_AVX2 __attribute__((target("avx2")))
#define TEMPO_VNNI __attribute__((target("avx2,avx512f,avx512bw,avx512vl,avx512vnni")))

namespace avx2 {

// Four registers at a time stay in the processor while all rows are added.
template <int registers>
TEMPO_AVX2 void sum_part(const std::int8_t* rows, int width, const std::int16_t* from,
                         std::span<const std::uint16_t> added,
                         std::span<const std::uint16_t> removed, std::int16_t* to) {
  __m256i sums[registers];
  for (int r = 0; r < registers; ++r) {
    sums[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 16 * r));
  }
  for (const std::uint16_t row : added) {
    const std::int8_t* values = rows + std::ptrdiff_t{row} * width;
    for (int r = 0; r < registers; ++r) {
      const auto* at = reinterpret_cast<const __m128i*>(values + 16 * r);
      sums[r] = _mm256_add_epi16(sums[r], _mm256_cvtepi8_epi16(_mm_loadu_si128(at)));
    }
  }
  for (const std::uint16_t row : removed) {
    const std::int8_t* values = rows + std::ptrdiff_t{row} * width;
    for (int r = 0; r < registers; ++r) {
      const auto* at = reinterpret_cast<const __m128i*>(values + 16 * r);
      sums[r] = _mm256_sub_epi16(sums[r], _mm256_cvtepi8_epi16(_mm_loadu_si128(at)));
    }
  }
  for (int r = 0; r < registers; ++r) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 16 * r), sums[r]);
  }
}

TEMPO_AVX2 void sum_rows(const std::int8_t* rows, int width, const std::int16_t* from,
                         std::span<const std::uint16_t> added,
                         std::span<const std::uint16_t> removed, std::int16_t* to) {
  int begin = 0;
  for (; begin + 128 <= width; begin += 128) {
    sum_part<8>(rows + begin, width, from + begin, added, removed, to + begin);
  }
  for (; begin < width; begin += unit_lanes) {
    sum_part<2>(rows + begin, width, from + begin, added, removed, to + begin);
  }
}

TEMPO_AVX2 void rectify(const std::int16_t* from, int width, std::uint8_t* to) {
  const __m256i most = _mm256_set1_epi8(unit_one);
  for (int i = 0; i < width; i += unit_lanes) {
    const auto* at = reinterpret_cast<const __m256i*>(from + i);
    const __m256i low = _mm256_srai_epi16(_mm256_loadu_si256(at), accumulator_shift);
    const __m256i high = _mm256_srai_epi16(_mm256_loadu_si256(at + 1), accumulator_shift);
    // Packing saturates to 0 to 255, in an order by halves of registers that is put right here.
    const __m256i bytes = _mm256_min_epu8(_mm256_packus_epi16(low, high), most);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_permute4x64_epi64(bytes, 0xD8));
  }
}

TEMPO_AVX2 std::int32_t sum_of(__m256i sums) {
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return _mm_cvtsi128_si32(half);
}

// Four outputs side by side, so that units are loaded once for all of them.
template <int side_by_side>
TEMPO_AVX2 void products(const std::int8_t* weights, const std::int32_t* bias,
                         const std::uint8_t* units, int inputs, std::int32_t* out) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sums[side_by_side];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  for (int i = 0; i < inputs; i += unit_lanes) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(units + i));
    for (int o = 0; o < side_by_side; ++o) {
      const auto* at = reinterpret_cast<const __m256i*>(weights + std::ptrdiff_t{o} * inputs + i);
      const __m256i pairs = _mm256_maddubs_epi16(x, _mm256_loadu_si256(at));
      sums[o] = _mm256_add_epi32(sums[o], _mm256_madd_epi16(pairs, ones));
    }
  }
  for (int o = 0; o < side_by_side; ++o) out[o] = bias[o] + sum_of(sums[o]);
}

TEMPO_AVX2 void multiply(const std::int8_t* weights, const std::int32_t* bias,
                         const std::uint8_t* units, int inputs, int outputs, std::int32_t* out) {
  int o = 0;
  for (; o + 4 <= outputs; o += 4) {
    products<4>(weights + std::ptrdiff_t{o} * inputs, bias + o, units, inputs, out + o);
  }
  for (; o < outputs; ++o) {
    products<1>(weights + std::ptrdiff_t{o} * inputs, bias + o, units, inputs, out + o);
  }
}

TEMPO_AVX2 void change_rows(const std::int8_t* rows, int width, std::span<const RowChange> changes,
                            std::int16_t* sums, std::uint8_t* units, std::uint16_t* total) {
  const auto row_at = [](const std::int8_t* at) TEMPO_AVX2 {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
  };
  const __m256i most = _mm256_set1_epi16(unit_one);
  for (int begin = 0; begin < width; begin += 16) {
    auto* total_at = reinterpret_cast<__m256i*>(total + begin);
    __m256i all = _mm256_loadu_si256(total_at);
    for (const auto& [point, before, after] : changes) {
      const std::ptrdiff_t at = std::ptrdiff_t{point} * width + begin;
      auto* sum_at = reinterpret_cast<__m256i*>(sums + at);
      auto* unit_at = reinterpret_cast<__m128i*>(units + at);
      const __m256i gone = row_at(rows + std::ptrdiff_t{before} * width + begin);
      const __m256i come = row_at(rows + std::ptrdiff_t{after} * width + begin);
      const __m256i sum =
          _mm256_sub_epi16(_mm256_add_epi16(_mm256_loadu_si256(sum_at), come), gone);
      _mm256_storeu_si256(sum_at, sum);
      const __m256i shifted = _mm256_srai_epi16(sum, accumulator_shift);
      const __m256i now = _mm256_min_epi16(_mm256_max_epi16(shifted, _mm256_setzero_si256()), most);
      const __m256i was = _mm256_cvtepu8_epi16(_mm_loadu_si128(unit_at));
      all = _mm256_sub_epi16(_mm256_add_epi16(all, now), was);
      const __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(now, now), 0xD8);
      _mm_storeu_si128(unit_at, _mm256_castsi256_si128(bytes));
    }
    _mm256_storeu_si256(total_at, all);
  }
}

}  // namespace avx2

namespace vnni {

template <int side_by_side>
TEMPO_VNNI void products(const std::int8_t* weights, const std::int32_t* bias,
                         const std::uint8_t* units, int inputs, std::int32_t* out) {
  __m256i sums[side_by_side];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  for (int i = 0; i < inputs; i += unit_lanes) {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(units + i));
    for (int o = 0; o < side_by_side; ++o) {
      const auto* at = reinterpret_cast<const __m256i*>(weights + std::ptrdiff_t{o} * inputs + i);
      sums[o] = _mm256_dpbusd_epi32(sums[o], x, _mm256_loadu_si256(at));
    }
  }
  for (int o = 0; o < side_by_side; ++o) out[o] = bias[o] + avx2::sum_of(sums[o]);
}

TEMPO_VNNI void multiply(const std::int8_t* weights, const std::int32_t* bias,
                         const std::uint8_t* units, int inputs, int outputs, std::int32_t* out) {
  int o = 0;
  for (; o + 8 <= outputs; o += 8) {
    products<8>(weights + std::ptrdiff_t{o} * inputs, bias + o, units, inputs, out + o);
  }
  for (; o < outputs; ++o) {
    products<1>(weights + std::ptrdiff_t{o} * inputs, bias + o, units, inputs, out + o);
  }
}

}  // namespace vnni

#undef TEMPO_AVX2
#undef TEMPO_VNNI
#endif

std::vector<IntegerKernels> of_this_processor() {
  std::vector<IntegerKernels> found;
#ifdef TEMPO_X86_KERNELS
  const bool wide = __builtin_cpu_supports("avx2") != 0;
  if (wide && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vnni")) {
    found.push_back(
        {"avx512-vnni", avx2::sum_rows, avx2::rectify, vnni::multiply, avx2::change_rows});
  }
  if (wide)
    found.push_back({"avx2", avx2::sum_rows, avx2::rectify, avx2::multiply, avx2::change_rows});
#endif
  found.push_back({"portable", portable::sum_rows, portable::rectify, portable::multiply,
                   portable::change_rows});
  return found;
}

}  // namespace

std::span<const IntegerKernels> integer_kernels() {
  static const std::vector<IntegerKernels> all = of_this_processor();
  return all;
}

}  // namespace tempo
