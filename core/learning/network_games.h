// Games of a search against itself, on all threads, with all that learners of a network need of
// them: whole games laid end to end, each move with the position it was made in, the leaf that its
// search rested on, and what the search found; and positions off their line. A search evaluates
// leaves that no good game comes to: a detour of a few drawn moves leads to one, and a search of
// its own values it. And matches of two searches.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "../nets/packed.h"
#include "../parallel/pool.h"
#include "../search/alpha_beta_class.h"
#include "../stop.h"

namespace tempo {

struct NetworkGameSettings {
  double random_share = 0.02;  // moves played at random
  int opening = 16;            // random moves at most before the game counts
  int longest = 1000;          // moves, after which a game is drawn
  double detours = 0;          // moves before which a detour is taken
  double even = 1;             // openings that the search values beyond this are drawn again
};

// A search as such games use it: `search(position, past)` finds a move, `value(position)` is what
// its network says to the seat to move. One that sees some positions decided says which are worth
// learning from.
template <class S, class P>
concept NetworkSearch = requires(S& search, const P& position, const History& past) {
  { search(position, past) } -> std::same_as<SearchResult>;
  { search.value(position) } -> std::same_as<float>;
};

// One game; entry t of each column is a move.
struct NetworkGame {
  std::vector<std::uint8_t> inputs;  // [N, bytes] packed, as the seat to move sees them
  std::vector<std::uint8_t> leaves;  // [N, bytes] where the principal variation ends
  std::vector<std::uint64_t> keys;
  std::vector<std::uint64_t> leaf_keys;
  std::vector<std::uint8_t> turns;
  std::vector<std::int32_t> moves;
  std::vector<float> values;      // the network's own
  std::vector<float> best;        // the search's
  std::vector<float> leaf_signs;  // 1 where the seat to move at the leaf is the mover's, else -1
  std::vector<bool> explored;     // made at random, and not what the search chose
  std::vector<bool> quiet;        // nobody is in check and the best move takes nothing
  std::vector<bool> evaluated;    // the leaf's value is the network's
  std::vector<std::uint8_t> aside_inputs;  // [M, bytes] quiet positions at the end of detours
  std::vector<std::uint64_t> aside_keys;
  std::vector<float> aside_best;  // the search's value for the seat to move there
  Scores scores{};
  std::int64_t positions = 0;
  std::int64_t evaluations = 0;
};

template <Game P>
bool is_quiet(const P& position, Move best) {
  if constexpr (Checks<P>) {
    if (position.in_check()) return false;
  }
  if constexpr (Noisy<P>) {
    typename P::Moves noisy;
    position.noisy_moves(noisy);
    for (const Move move : noisy) {
      if (move == best) return false;
    }
  }
  return true;
}

// P lists the moves that are drawn from: those worth searching, where the game's search has a
// position of its own.
template <HasPackedInputs P>
class NetworkPlayer {
 public:
  explicit NetworkPlayer(const NetworkGameSettings& settings) : settings_(settings) {}

  // A start after some random moves, whose game is open.
  std::pair<P, History> opening(const P& start, Random& random) const {
    P position = start;
    History past;
    for (auto left = random.below(settings_.opening + 1); left > 0; --left) {
      P next = position;
      History before = past;
      tempo::play(next, before, drawn(position, random));
      if (outcome(next, before)) break;  // the game is to have a move
      position = next;
      past = before;
    }
    return {position, past};
  }

  template <NetworkSearch<P> S>
  NetworkGame play(const P& start, Random random, S& search) const {
    NetworkGame game;
    auto [position, past] = even_opening(game, start, random, search);
    auto end = outcome(position, past);
    for (int ply = 0; !end && ply < settings_.longest; ++ply) {
      const SearchResult found = search(position, past);
      throw_if_stopped();
      if (settings_.detours > 0 && random.uniform() < settings_.detours) {
        take_detour(game, position, past, random, search);
      }
      const bool at_random = random.uniform() < settings_.random_share;
      const Move move = at_random ? drawn(position, random) : found.move;
      note(game, position, found, move, search);
      tempo::play(position, past, move);
      end = outcome(position, past);
    }
    if (end) game.scores = end->scores;
    return game;
  }

 private:
  static constexpr int most_openings = 30;  // drawn for one game; the last is played as it is
  static constexpr int longest_detour = 4;

  template <class S>
  std::pair<P, History> even_opening(NetworkGame& game, const P& start, Random& random,
                                     S& search) const {
    auto drawn = opening(start, random);
    if (settings_.even >= 1) return drawn;
    for (int left = most_openings; left > 1; --left) {
      const SearchResult found = search(drawn.first, drawn.second);
      throw_if_stopped();
      count(game, found);
      if (std::abs(found.scores[0]) <= settings_.even) break;
      drawn = opening(start, random);
    }
    return drawn;
  }

  template <class S>
  void take_detour(NetworkGame& game, P position, History past, Random& random, S& search) const {
    for (auto left = 1 + random.below(longest_detour); left > 0; --left) {
      tempo::play(position, past, drawn(position, random));
      if (outcome(position, past)) return;
    }
    if (!is_open(position, search)) return;
    const SearchResult found = search(position, past);
    throw_if_stopped();
    count(game, found);
    if (!is_quiet(position, found.move)) return;
    append(game.aside_inputs, position, found.move);
    game.aside_keys.push_back(position.key());
    game.aside_best.push_back(found.scores[static_cast<std::size_t>(index(position.turn()))]);
  }

  // Whether the search would ask its network about a leaf like this.
  template <class S>
  static bool is_open(const P& position, S& search) {
    if constexpr (requires { search.is_open(position); }) return search.is_open(position);
    return true;
  }
  static void count(NetworkGame& game, const SearchResult& found) {
    game.positions += found.positions;
    game.evaluations += found.evaluations;
  }

  static Move drawn(const P& position, Random& random) {
    typename P::Moves moves;
    position.legal_moves(moves);
    return moves[static_cast<int>(random.below(moves.size()))];
  }

  template <class S>
  static void note(NetworkGame& game, const P& root, const SearchResult& found, Move move,
                   S& search) {
    const auto mover = static_cast<std::size_t>(index(root.turn()));
    P leaf = root;
    for (const Move next : found.line) leaf.play(next);
    const bool same = P::team_of(leaf.turn()) == P::team_of(root.turn());
    const float best = found.scores[mover];
    const float there = same ? best : -best;
    game.evaluated.push_back(!leaf.outcome() &&
                             value_of_score(search.value(leaf)) == value_of_score(there));
    append(game.inputs, root, found.move);
    append(game.leaves, leaf, no_move);
    game.keys.push_back(root.key());
    game.leaf_keys.push_back(leaf.key());
    game.turns.push_back(static_cast<std::uint8_t>(mover));
    game.moves.push_back(index(move));
    game.values.push_back(search.value(root));
    game.best.push_back(best);
    game.leaf_signs.push_back(same ? 1.0F : -1.0F);
    game.explored.push_back(move != found.move);
    game.quiet.push_back(is_quiet(root, found.move) && is_open(root, search));
    count(game, found);
  }

  static void append(std::vector<std::uint8_t>& rows, const P& position, Move best) {
    const std::size_t begin = rows.size();
    rows.resize(begin + PackedInputs<P>::bytes(position.options()));
    PackedInputs<P>::write(position, best, rows.data() + begin);
  }

  NetworkGameSettings settings_;
};

// Games `first` to `first + count`, each with a random stream of its own, so that threads change
// nothing. `make_search` makes a search for one game.
template <HasPackedInputs P, class MakeSearch>
std::vector<NetworkGame> play_network_games(const P& start, const NetworkGameSettings& settings,
                                            std::uint64_t seed, std::uint64_t first, int count,
                                            int threads, const MakeSearch& make_search) {
  std::vector<NetworkGame> games(static_cast<std::size_t>(count));
  const NetworkPlayer<P> player(settings);
  Pool(threads).run(
      count,
      [&](std::int64_t i) {
        const auto search = make_search();
        const auto number = static_cast<std::uint64_t>(i);
        games[static_cast<std::size_t>(i)] =
            player.play(start, Random(seed, first + number), *search);
      },
      1);
  return games;
}

// Pairs of games from one random opening each, with the seats changed: by game what the first
// search got, the games of a pair side by side.
template <HasPackedInputs P, class MakeSearch>
std::vector<float> play_network_match(const P& start, const NetworkGameSettings& settings,
                                      std::uint64_t seed, int pairs, int threads,
                                      const MakeSearch& make_first, const MakeSearch& make_second) {
  std::vector<float> got(2 * static_cast<std::size_t>(pairs));
  const NetworkPlayer<P> player(settings);
  Pool(threads).run(
      2 * pairs,
      [&](std::int64_t i) {
        Random random(seed, static_cast<std::uint64_t>(i / 2));
        auto [position, past] = player.opening(start, random);
        const auto first = make_first();
        const auto second = make_second();
        const int own = static_cast<int>(i % 2);
        auto end = outcome(position, past);
        for (int ply = 0; !end && ply < settings.longest; ++ply) {
          auto& search = index(position.turn()) == own ? *first : *second;
          const Move move = search(position, past).move;
          throw_if_stopped();
          tempo::play(position, past, move);
          end = outcome(position, past);
        }
        const auto seat = static_cast<std::size_t>(own);
        got[static_cast<std::size_t>(i)] = end ? end->scores[seat] : 0.0F;
      },
      1);
  return got;
}

}  // namespace tempo
