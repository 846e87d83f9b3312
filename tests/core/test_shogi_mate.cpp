// Mates of shogi: checks found at once, the quick mates, and the mate search, each beside something
// slow and obvious.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "games/shogi/mate.h"

namespace tempo::shogi {
namespace test_shogi_mate {

// Calls `visit` with positions of random games, and with the same boards without the mover's king.
template <class Board, class Visit>
void random_positions(int games, std::uint64_t seed, Visit visit) {
  using P = PositionOf<Board>;
  Random random(seed);
  for (int game = 0; game < games; ++game) {
    P position = P::start();
    for (int ply = 0; ply < 200; ++ply) {
      visit(position);
      const Move move = position.random_move(random);
      if (move == no_move) break;
      position.play(move);
    }
  }
}
template <class Board>
std::vector<PositionOf<Board>> without_king(const PositionOf<Board>& position) {
  auto men = position.pieces();
  const Colour mover = position.colour();
  men.sides[mover] &= ~Grid<Board>::bit(men.king_of(mover));
  men.kings[mover] = Grid<Board>::nowhere;
  if (!unsound(men, mover, Door::problem).empty()) return {};
  return {PositionOf<Board>::of(men, mover, 1, {}, Door::problem)};
}

// A small position with few pieces: its checks and answers can be counted out, and often go in
// circles. Black attacks, often without a king.
std::vector<MiniPosition> sparse_position(Random& random) {
  auto men = no_pieces<Mini>();
  const auto place = [&](Colour side, Kind kind) {
    const auto square = static_cast<Square>(random.below(25));
    if (men.kind_at(square) == no_kind) men.put(side, kind, square);
  };
  constexpr Kind kinds[] = {pawn, silver, gold, bishop, rook, promoted_silver, horse, dragon};
  place(white, king);
  if (random.below(2) != 0) place(black, king);
  for (std::uint32_t i = 2 + random.below(3); i > 0; --i) place(black, kinds[random.below(8)]);
  for (std::uint32_t i = random.below(3); i > 0; --i) place(white, kinds[random.below(8)]);
  if (random.below(4) == 0) men.hands[black][kinds[random.below(5)]] = 1;
  if (!unsound(men, black, Door::problem).empty()) return {};
  return {MiniPosition::of(men, black, 1, {}, Door::problem)};
}

template <class Board>
Moves listed_checks(const PositionOf<Board>& position) {
  Moves checks;
  MateNode<Board>::of(position).checks(checks);
  return checks;
}
template <class Board>
bool same_checks(const PositionOf<Board>& position) {
  Moves all;
  position.legal_moves(all);
  const Moves quick = listed_checks(position);
  int next = 0;
  for (const Move move : all) {
    if (!position.gives_check(move)) continue;
    if (next == quick.size() || quick[next] != move) return false;
    ++next;
  }
  return next == quick.size();
}

// Whether the side to move mates within an odd number of plies, by trying everything.
template <class Board>
bool mates_slowly(const PositionOf<Board>& position, int plies) {
  Moves moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    if (!position.gives_check(move)) continue;
    PositionOf<Board> next = position;
    next.play(move);
    Moves answers;
    next.legal_moves(answers);
    if (plies == 1 && !answers.empty()) continue;
    if (std::ranges::all_of(answers, [&](Move answer) {
          PositionOf<Board> after = next;
          after.play(answer);
          return mates_slowly(after, plies - 2);
        }))
      return true;
  }
  return false;
}

// The length as problem books count it, word by word after shortest_mate.h; more than `most` is
// no_length.
constexpr int no_length = 1000;
template <class Board>
int length_slowly(const PositionOf<Board>& position, int most);

// The position with the slider that checks moved next to where something would be dropped.
template <class Board>
std::vector<PositionOf<Board>> moved_nearer(const PositionOf<Board>& position, Square to) {
  std::vector<PositionOf<Board>> found;
  const Colour us = other(position.colour());
  for (Square from = 0; from < Grid<Board>::squares; ++from) {
    const auto piece = position.piece_at(from);
    if (!piece || index(piece->seat) != us) continue;
    const Seat theirs{static_cast<std::uint8_t>(position.colour())};
    if (!has(position.attacks_from(from), position.king(theirs))) continue;
    for (const Kind kind :
         {piece->kind, can_promote(piece->kind) ? promoted(piece->kind) : no_kind}) {
      if (kind == no_kind) continue;
      const auto zone = Grid<Board>::far_ranks(us, Board::zone);
      if (kind != piece->kind && !has(zone, from) && !has(zone, to)) continue;
      auto men = no_pieces<Board>();
      for (Square s = 0; s < Grid<Board>::squares; ++s) {
        const auto other_piece = position.piece_at(s);
        if (other_piece && s != from)
          men.put(static_cast<Colour>(index(other_piece->seat)), other_piece->kind, s);
      }
      men.put(us, kind, to);
      for (const int side : {0, 1})
        for (int held = pawn; held <= rook; ++held)
          men.hands[side][held] = position.pieces().hands[side][held];
      if (!unsound(men, position.colour(), Door::problem).empty()) continue;
      found.push_back(PositionOf<Board>::of(men, position.colour(), 1, {}, Door::problem));
      if (!found.back().in_check()) found.pop_back();
    }
  }
  return found;
}
template <class Board>
int answered_slowly(const PositionOf<Board>& position, int most) {
  Moves answers;
  position.legal_moves(answers);
  int undisturbed = 0;
  const auto after = [&](Move answer) {
    if (most < 2) return no_length;
    PositionOf<Board> next = position;
    next.play(answer);
    return 1 + length_slowly(next, most - 1);
  };
  for (const Move answer : answers) {
    if (Numbers<Board>::is_drop(answer)) continue;
    undisturbed = std::max(undisturbed, after(answer));
    if (undisturbed > most) return no_length;
  }
  int length = undisturbed;
  for (const Move answer : answers) {
    if (!Numbers<Board>::is_drop(answer)) continue;
    const auto nearer = moved_nearer(position, Numbers<Board>::to_of(answer));
    const bool useless = std::ranges::any_of(nearer, [&](const auto& closer) {
      return answered_slowly(closer, undisturbed) <= undisturbed;
    });
    if (!useless) length = std::max(length, after(answer));
    if (length > most) return no_length;
  }
  return length;
}
template <class Board>
int length_slowly(const PositionOf<Board>& position, int most) {
  Moves moves;
  position.legal_moves(moves);
  int least = no_length;
  for (const Move move : moves) {
    if (!position.gives_check(move)) continue;
    PositionOf<Board> next = position;
    next.play(move);
    least = std::min(least, 1 + answered_slowly(next, std::min(most, least - 2) - 1));
  }
  return least > most ? no_length : least;
}

// Every position that checks and answers lead to, with the fixed point of who wins: false if there
// are more than `most`.
struct Checked {
  std::vector<MateNode<Mini>> nodes;
  std::vector<bool> attackers;
  std::vector<std::vector<std::size_t>> next;
  std::vector<bool> won;
};
bool explore(const MiniPosition& root, std::size_t most, Checked& graph) {
  using Key = std::pair<std::uint64_t, std::uint32_t>;
  std::map<Key, std::size_t> numbers;
  const Colour attacker = root.colour();
  const auto number_of = [&](const MateNode<Mini>& node) {
    const Key key{node.board_key, Hand::of(node.men.hands[attacker]).fields};
    const auto [at, fresh] = numbers.try_emplace(key, graph.nodes.size());
    if (fresh) {
      graph.nodes.push_back(node);
      graph.attackers.push_back(node.turn == attacker);
    }
    return at->second;
  };
  number_of(MateNode<Mini>::of(root));
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes.size() > most) return false;
    const MateNode<Mini> node = graph.nodes[i];
    Moves moves;
    if (graph.attackers[i]) {
      node.checks(moves);
    } else {
      node.legal_moves(moves);
    }
    std::vector<std::size_t> next;
    for (const Move move : moves) {
      MateNode<Mini> child = node;
      child.play(move);
      next.push_back(number_of(child));
    }
    graph.next.push_back(next);
  }
  graph.won.assign(graph.nodes.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = graph.nodes.size(); i-- > 0;) {
      if (graph.won[i]) continue;
      const auto is_won = [&](std::size_t child) { return bool{graph.won[child]}; };
      graph.won[i] = graph.attackers[i] ? std::ranges::any_of(graph.next[i], is_won)
                                        : std::ranges::all_of(graph.next[i], is_won);
      changed = changed || graph.won[i];
    }
  }
  return true;
}

MateResult mate(std::string_view sfen, std::int64_t positions = 200000) {
  MateSearch<Full> search;
  return search.search(Position::parse_problem(sfen), positions);
}
std::string line_text(std::string_view sfen, const MateResult& result) {
  Position position = Position::parse_problem(sfen);
  std::string text;
  for (const Move move : result.line) {
    text += (text.empty() ? "" : " ") + position.move_text(move);
    position.play(move);
  }
  return text;
}

TEST_CASE_TEMPLATE("checks are the legal moves that give check, in their order", Board, Full,
                   Mini) {
  int checks = 0;
  random_positions<Board>(60, 1, [&](const PositionOf<Board>& position) {
    REQUIRE(same_checks(position));
    for (const auto& problem : without_king(position)) REQUIRE(same_checks(problem));
    checks += listed_checks(position).size();
  });
  CHECK(checks > 1000);
}

TEST_CASE_TEMPLATE("mates in one and three are those that trying everything finds", Board, Full,
                   Mini) {
  constexpr bool full = std::is_same_v<Board, Full>;
  int at_once = 0;
  int later = 0;
  int seen = 0;
  random_positions<Board>(full ? 40 : 150, 2, [&](const PositionOf<Board>& position) {
    ++seen;
    const Move one = mate_in_one(position);
    REQUIRE((one != no_move) == mates_slowly(position, 1));
    at_once += one != no_move ? 1 : 0;
    if (one != no_move || (full && seen % 16 != 0)) return;
    const Move three = mate_in_three(position);
    REQUIRE((three != no_move) == mates_slowly(position, 3));
    later += three != no_move ? 1 : 0;
  });
  CHECK(at_once > 50);
  CHECK(later > (full ? 1 : 30));
}

TEST_CASE("the verdict is the fixed point of all checks and answers") {
  // One table serves every position of a graph, so a failure remembered from one path and false on
  // another would show.
  Random random(3);
  int wins = 0;
  int failures = 0;
  for (int trial = 0; trial < 250; ++trial) {
    for (const MiniPosition& position : sparse_position(random)) {
      Checked graph;
      if (!explore(position, 20000, graph)) continue;
      if (graph.nodes.size() < 10 || std::ranges::find(graph.won, true) == graph.won.end())
        continue;
      ProofSearch<MateAttack<Mini>> search({black}, 4096);
      for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!graph.attackers[i] || (!graph.won[i] && random.below(30) != 0)) continue;
        const Verdict verdict = search.search(graph.nodes[i], 1000000);
        REQUIRE(verdict == (graph.won[i] ? Verdict::Win : Verdict::None));
        ++(graph.won[i] ? wins : failures);
      }
    }
  }
  CHECK(wins > 100);
  CHECK(failures > 400);
}

TEST_CASE_TEMPLATE("the length is that of its definition", Board, Full, Mini) {
  constexpr bool full = std::is_same_v<Board, Full>;
  constexpr int most = full ? 3 : 5;
  MateSearch<Board> search(4096);
  int mates = 0;
  int longer = 0;
  int seen = 0;
  const auto compare = [&](const PositionOf<Board>& position) {
    search.forget();
    const MateResult result = search.search(position, 2000);
    if (result.verdict != Verdict::Win || !result.shortest || result.length > most) return;
    ++mates;
    REQUIRE(static_cast<int>(result.line.size()) == result.length);
    REQUIRE(length_slowly(position, most) == result.length);
    longer += mates_slowly(position, result.length) ? 0 : 1;
  };
  random_positions<Board>(full ? 60 : 40, 4, [&](const PositionOf<Board>& position) {
    if (!full || ++seen % 8 == 0) compare(position);
  });
  CHECK(mates > 20);
  if (!full) CHECK(longer > 0);  // with useless interpositions
}

TEST_CASE("a pawn dropped may not mate, but a pawn pushed may") {
  // The king at 1a cannot move: his own lances stand beside him, and the silver guards 1b. A pawn
  // dropped there would mate, and nothing else does.
  CHECK(mate("7lk/7l1/8S/9/9/9/9/9/9 b P 1").verdict == Verdict::None);
  CHECK(mate("7lk/7l1/8P/8L/9/9/9/9/9 b - 1").length == 1);
}

TEST_CASE("a piece that refuses to promote leaves a pawn's drop legal") {
  // Found at random, with the promotion as the only thing changed between the two.
  constexpr std::string_view rook = "5S2k/6R2/5g3/8G/9/9/9/9/9 b P 1";
  CHECK(line_text(rook, mate(rook)) == "3b3a 1a2b 4a3b+ 2b1b 3a2a+");
  CHECK(length_slowly(Position::parse_problem(rook), 5) == 5);
  Position promoted = Position::parse_problem(rook);
  promoted.play(promoted.parse_move("3b3a+"));
  CHECK(answered_slowly(promoted, 4) == no_length);

  constexpr std::string_view far = "8k/9/7l1/5LRS1/9/9/9/9/9 b P 1";
  CHECK(mate(far).length == 9);
  CHECK(line_text(far, mate(far)).starts_with("3d3a 1a2b"));
}

TEST_CASE("checks without end are no mate") {
  // A dragon alone checks for ever, and so it does with a gold that is too far away. Every path
  // ends in a repetition.
  for (const char* sfen : {"8k/6+R2/9/9/9/9/9/9/9 b - 1", "9/9/3+R5/9/9/4k4/9/3G5/9 b - 1",
                           "4k4/9/9/9/9/9/9/9/3+R5 b - 1"}) {
    const MateResult result = mate(sfen, 20000);
    CHECK(result.verdict == Verdict::None);
    CHECK(result.positions > 1000);
  }
}

TEST_CASE("interpositions that change nothing do not count") {
  // The rook mates from 9a: whatever is dropped from 8a to 2a is taken, the last by a rook that the
  // silver guards. Without the silver the piece on 2a saves the king.
  constexpr std::string_view useless = "8k/6S2/8G/9/9/9/9/9/R8 b r2b3g3s4n4l18p 1";
  const MateResult result = mate(useless);
  CHECK(result.length == 1);
  CHECK(result.shortest);
  CHECK(!mates_slowly(Position::parse_problem(useless), 1));
  CHECK(mate("8k/9/8G/9/9/9/9/9/R8 b r2b3g4s4n4l18p 1").verdict == Verdict::None);
}

TEST_CASE("a mate search keeps to its budget and needs no king of the attacker") {
  constexpr std::string_view sfen = "8k/9/7l1/5LRS1/9/9/9/9/9 b P 1";
  for (const std::int64_t budget : {0, 1, 10, 50}) {
    const MateResult result = mate(sfen, budget);
    CHECK(result.positions <= budget);
    CHECK(result.verdict == Verdict::Unknown);
    CHECK(result.line.empty());
  }
  // In a game the attacker may be in check himself: only answers that check are left.
  constexpr std::string_view pinned = "8k/6G2/8P/9/9/9/9/r7K/9 b G 1";
  MateSearch<Full> search;
  CHECK(search.search(Position::parse(pinned), 1000).verdict == Verdict::None);
}

}  // namespace test_shogi_mate
}  // namespace tempo::shogi
