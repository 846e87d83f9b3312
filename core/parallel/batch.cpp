#include "batch.h"

#include "../errors.h"

namespace tempo {

namespace {

std::string where(int game) { return "game " + std::to_string(game) + ": "; }

}  // namespace

void refuse_number(int game, int move, int move_numbers) {
  throw IllegalMove(where(game) + "move number " + std::to_string(move) + " is not in 0 to " +
                    std::to_string(move_numbers - 1) + " and not -1 (no move)");
}

void refuse_move(int game, const std::string& why) { throw IllegalMove(where(game) + why); }

void refuse_over(int game, std::string_view reason) {
  throw IllegalMove(where(game) + "the game is over: " + std::string(reason));
}

}  // namespace tempo
