#include "network_games.h"

#include <algorithm>

namespace tempo::bind {

NetworkGameSettings network_game_settings(double random_share, int opening, int longest, int count,
                                          int threads, double detours, double even) {
  for (const double share : {random_share, detours, even}) {
    if (!(share >= 0 && share <= 1)) throw ParseError("a share is from 0 to 1");
  }
  if (opening < 0 || opening > 1'000'000) throw ParseError("an opening is of 0 to 1000000 moves");
  if (longest < 1 || count < 1 || threads < 1) {
    throw ParseError("games, their moves and threads are 1 or more");
  }
  return {random_share, opening, longest, detours, even};
}

namespace {

class GameColumns {
 public:
  explicit GameColumns(const std::vector<NetworkGame>& games) : games_(games) {
    for (const NetworkGame& game : games) rows_ += game.moves.size();
  }

  template <class T, class Member>
  nb::object column(Member member) const {
    auto array = new_array<T>({count(member)});
    copy(member, array.data());
    return nb::cast(array);
  }
  template <class Member>
  nb::object bytes(Member member, std::size_t width) const {
    auto array = new_array<std::uint8_t>({count(member) / width, width});
    copy(member, array.data());
    return nb::cast(array);
  }
  [[nodiscard]] nb::dict all(std::size_t width) const {
    nb::dict found;
    found["inputs"] = bytes(&NetworkGame::inputs, width);
    found["leaves"] = bytes(&NetworkGame::leaves, width);
    found["keys"] = column<std::uint64_t>(&NetworkGame::keys);
    found["leaf_keys"] = column<std::uint64_t>(&NetworkGame::leaf_keys);
    found["turn"] = column<std::uint8_t>(&NetworkGame::turns);
    found["moves"] = column<std::int32_t>(&NetworkGame::moves);
    found["value"] = column<float>(&NetworkGame::values);
    found["best"] = column<float>(&NetworkGame::best);
    found["leaf_sign"] = column<float>(&NetworkGame::leaf_signs);
    found["explored"] = column<bool>(&NetworkGame::explored);
    found["quiet"] = column<bool>(&NetworkGame::quiet);
    found["evaluated"] = column<bool>(&NetworkGame::evaluated);
    found["aside_inputs"] = bytes(&NetworkGame::aside_inputs, width);
    found["aside_keys"] = column<std::uint64_t>(&NetworkGame::aside_keys);
    found["aside_best"] = column<float>(&NetworkGame::aside_best);
    auto number = new_array<std::int64_t>({rows_});
    auto scores = new_array<float>({games_.size(), 2});
    std::int64_t* row = number.data();
    std::int64_t positions = 0;
    std::int64_t evaluations = 0;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      row = std::fill_n(row, games_[i].moves.size(), static_cast<std::int64_t>(i));
      std::copy_n(games_[i].scores.begin(), 2, scores.data() + 2 * i);
      positions += games_[i].positions;
      evaluations += games_[i].evaluations;
    }
    found["game"] = nb::cast(number);
    found["scores"] = nb::cast(scores);
    found["positions"] = positions;
    found["evaluations"] = evaluations;
    return found;
  }

 private:
  template <class Member>
  std::size_t count(Member member) const {
    std::size_t all = 0;
    for (const NetworkGame& game : games_) all += (game.*member).size();
    return all;
  }
  template <class Member, class T>
  void copy(Member member, T* out) const {
    for (const NetworkGame& game : games_) {
      out = std::copy((game.*member).begin(), (game.*member).end(), out);
    }
  }

  const std::vector<NetworkGame>& games_;
  std::size_t rows_ = 0;
};

}  // namespace

nb::dict game_columns(const std::vector<NetworkGame>& games, std::size_t width) {
  return GameColumns(games).all(width);
}

}  // namespace tempo::bind
