// What a Q-learner needs of a batch of shogi, for both boards: positions in few bytes, and what
// moves earn.
#include "shogi.h"

#include "binding.h"

namespace {

namespace nb = nanobind;
using namespace nb::literals;
using namespace tempo;
using namespace tempo::bind;

template <class Board>
Array<std::uint8_t> packed(HeldBatch<shogi::PositionOf<Board>>& batch) {
  constexpr auto bytes = static_cast<std::size_t>(shogi::Packed<Board>::bytes);
  return by_game<std::uint8_t>(batch, bytes, [&](int i, std::uint8_t* out) {
    shogi::Packed<Board>::write(batch.position(i), out);
  });
}

// The worth of every kind, pawn to dragon.
const float* worths(const AnyInput<1>& array, const char* what) {
  if (array.shape(0) != shogi::all_kinds)
    throw ParseError(std::string(what) + " has " + std::to_string(array.shape(0)) +
                     " numbers; expected one for each of " + std::to_string(shogi::all_kinds) +
                     " kinds");
  return exactly<float>(array, what, "float32");
}

template <class Board>
Array<float> gains(HeldBatch<shogi::PositionOf<Board>>& batch, const AnyInput<1>& moves,
                   const AnyInput<1>& taken, const AnyInput<1>& grown) {
  const std::vector<std::int32_t> numbers = whole_numbers(moves, "moves");
  check_length(moves, batch.size(), "moves");
  const float* by_taking = worths(taken, "taken");
  const float* by_growing = worths(grown, "grown");
  for (const std::int32_t number : numbers) {
    if (number >= shogi::Numbers<Board>::count)
      throw ParseError("there is no move " + std::to_string(number));
  }
  return by_game<float>(batch, 1, [&](int i, float* out) {
    const std::int32_t number = numbers[static_cast<std::size_t>(i)];
    *out = number < 0 ? 0.0F
                      : shogi::gain(batch.position(i), Move{static_cast<std::uint16_t>(number)},
                                    by_taking, by_growing);
  });
}

template <class Board>
void bind_planes(nb::module_ m) {
  m.attr("packed_planes") = shogi::Packed<Board>::planes;
  m.def("packed", &packed<Board>, "batch"_a, nb::rv_policy::move,
        nb::sig("def packed(batch: Batch) -> numpy.typing.NDArray[numpy.uint8]"),
        "[B, bytes] each position as the seat to move sees it: 67 planes of bits, each in whole "
        "bytes, then its hand, the opponent's, and whether it is in check.");
  m.def("gains", &gains<Board>, "batch"_a, "moves"_a, "taken"_a, "grown"_a, nb::rv_policy::move,
        nb::sig("def gains(batch: Batch, moves: numpy.typing.NDArray[numpy.int32], "
                "taken: numpy.typing.NDArray[numpy.float32], "
                "grown: numpy.typing.NDArray[numpy.float32]) -> "
                "numpy.typing.NDArray[numpy.float32]"),
        "[B] what moves about to be made earn, -1 for none: by the kind they take [14] and by the "
        "kind that promotes [14].");
}

}  // namespace

namespace tempo::bind {
namespace {

const Binding bind_shogi_planes("shogi_planes", [](nb::module_& core) {
  bind_planes<shogi::Full>(nb::borrow<nb::module_>(core.attr("shogi")));
  bind_planes<shogi::Mini>(nb::borrow<nb::module_>(core.attr("minishogi")));
});

}  // namespace
}  // namespace tempo::bind
