#include "game.h"

namespace tempo::bind {

std::string_view plain(const Text& given) {
  const std::string_view text = given.view();
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 128) continue;
    throw ParseError("positions and moves are written in plain ASCII; this text has other letters");
  }
  return text;
}

void no_such_move(std::int64_t move, int numbers, std::string_view game) {
  throw IllegalMove("there is no move number " + std::to_string(move) + "; " + std::string(game) +
                    " has 0 to " + std::to_string(numbers - 1));
}

Seat seat_of(nb::handle which, std::string_view game, std::span<const std::string_view> names) {
  std::string known;
  for (std::size_t s = 0; s < names.size(); ++s) {
    const Seat seat{static_cast<std::uint8_t>(s)};
    if (nb::isinstance<nb::str>(which) && Text(which).view() == names[s]) return seat;
    std::size_t number = names.size();
    if (nb::isinstance<nb::int_>(which) && nb::try_cast(which, number) && number == s) return seat;
    known += (s ? ", " : "") + std::to_string(s) + " or '" + std::string(names[s]) + "'";
  }
  throw ParseError(std::string(game) + " has no seat " + nb::repr(which).c_str() + "; it has " +
                   known);
}

nb::tuple option_row(std::string_view name, const OptionRange& range, std::int16_t value,
                     std::string_view help) {
  return nb::make_tuple(name, option_value_text(range, value), option_choices(range), help);
}

nb::tuple scores_tuple(const Scores& scores, int seats) {
  nb::list list;
  for (int s = 0; s < seats; ++s) list.append(scores[static_cast<std::size_t>(s)]);
  return nb::tuple(list);
}

int checked_symmetry(int symmetry, int symmetries, std::string_view game) {
  if (symmetry >= 0 && symmetry < symmetries) return symmetry;
  throw ParseError(std::string(game) + " has symmetries 0 to " + std::to_string(symmetries - 1) +
                   ", not " + std::to_string(symmetry));
}

int checked_depth(int depth, int least) {
  if (depth >= least && depth <= most_perft_depth) return depth;
  throw ParseError("a depth of " + std::to_string(depth) + "; expected " + std::to_string(least) +
                   " to " + std::to_string(most_perft_depth));
}

}  // namespace tempo::bind
