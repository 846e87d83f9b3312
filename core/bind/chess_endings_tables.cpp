// Solved endings: tables, and play against them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../games/chess/endings/play.h"
#include "../games/chess/endings/retrograde.h"
#include "../games/chess/endings/tables.h"
#include "chess_endings.h"

using namespace nanobind::literals;

namespace tempo::bind {

namespace {

using endings::Material;
using endings::Tables;
using endings::Verdict;
using Verdicts = Input<Verdict, 1>;
using Numbers = Copied<Number, 1>;
using Choice = std::optional<Input<Number, 1>>;

// Tables that keep the arrays of their verdicts alive. They change with the GIL held only; what
// works without it works on a copy, which points to arrays that are never let go.
class HeldTables {
 public:
  void add(const Text& name, Verdicts verdicts) {
    const Material material = canonical(name);
    auto space = space_of(material);
    if (verdicts.shape(0) != at(space->size())) {
      throw ParseError(material.name() + " has " + std::to_string(space->size()) +
                       " numbers; the table has " + std::to_string(verdicts.shape(0)));
    }
    tables_.add(std::move(space), {verdicts.data(), verdicts.shape(0)});
    kept_.push_back(std::move(verdicts));
    if (std::find(names_.begin(), names_.end(), material.name()) == names_.end())
      names_.push_back(material.name());
  }

  Array<Verdict> solve(const Text& name, int threads, const nb::object& tell) const {
    const Material material = canonical(name);
    endings::Progress progress;
    if (!tell.is_none()) {
      progress = [&](std::string_view phase, std::int64_t done, std::int64_t total) {
        const nb::gil_scoped_acquire held;
        tell(std::string(phase), done, total);
      };
    }
    std::vector<Verdict> verdicts;
    const Tables tables = tables_;
    {
      const nb::gil_scoped_release released;
      Pool pool(threads);
      const endings::Space space(material);
      verdicts = endings::Solver(space, tables).run(pool, progress);
    }
    return handed_over(std::move(verdicts));
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const Tables& tables() const { return tables_; }

  [[nodiscard]] Verdict probe(const chess::Position& position) const {
    const chess::Board& board = position.pieces();
    if (board.castling != 0) throw ParseError("no table knows castling rights: " + position.text());
    const Material material = Material::of(board);
    if (!material.is_dead() && tables_.find(material) == nullptr)
      throw ParseError("there is no table of " + material.canonical().name());
    const auto verdict = tables_.probe({board, position.colour()});
    if (!verdict) throw ParseError("no table knows this position: " + position.text());
    return *verdict;
  }

  static Material canonical(const Text& name) {
    const Material material = Material::parse(plain(name));
    if (material.is_canonical()) return material;
    throw ParseError("'" + material.name() + "' has Black as the stronger side; write " +
                     material.canonical().name());
  }

 private:
  static std::shared_ptr<const endings::Space> space_of(const Material& material) {
    const nb::gil_scoped_release released;
    return std::make_shared<const endings::Space>(material);
  }

  Tables tables_;
  std::vector<Verdicts> kept_;
  std::vector<std::string> names_;
};

// The verdict for the mover of each legal move.
std::vector<std::pair<int, Verdict>> judged_moves(const HeldTables& held, const At& at) {
  std::vector<std::pair<int, Verdict>> rows;
  const auto moves = at.legal_moves();
  for (const Move move : moves.list()) {
    chess::Position next = at.position;
    next.play(move);
    rows.emplace_back(index(move), endings::before(held.probe(next)));
  }
  return rows;
}

nb::dict summary(const HeldTables& held, const Text& name, int seat) {
  const chess::Colour side = checked_side(seat);
  const Tables::Table* table = held.tables().find(HeldTables::canonical(name));
  if (table == nullptr) throw ParseError("there is no table of " + name.string());
  const Tables::Table copy = *table;
  endings::Summary sum;
  {
    const nb::gil_scoped_release released;
    sum = endings::summarise(copy, side);
  }
  nb::dict row;
  row["numbers"] = sum.numbers;
  row["positions"] = sum.positions;
  row["wins"] = sum.wins;
  row["draws"] = sum.draws;
  row["losses"] = sum.losses;
  row["win_plies"] = sum.win_plies;
  row["loss_plies"] = sum.loss_plies;
  row["longest_win"] = sum.longest_win;
  row["longest_loss"] = sum.longest_loss;
  row["mates"] = sum.mates;
  row["stalemates"] = sum.stalemates;
  return row;
}

Array<Verdict> family_verdicts(const HeldTables& held, const Family& family, int threads) {
  auto array = new_array<Verdict>({at(family.size())});
  bool whole = false;
  const Tables tables = held.tables();
  {
    const nb::gil_scoped_release released;
    Pool pool(threads);
    whole = tables.fill(family, {array.data(), array.size()}, pool);
  }
  if (!whole)
    throw ParseError("some table of the family of " + family.material().name() + " is missing");
  return array;
}

void bind_table_set(nb::module_& m) {
  nb::class_<HeldTables>(m, "Tables",
                         "Solved endings. A verdict is one byte: 0 a draw, else plies to mate and "
                         "one; the side to move wins if the plies are odd and loses if even.")
      .def(nb::init<>())
      .def_static(
          "needed",
          [](const Text& name) {
            std::vector<std::string> names;
            for (const Material& material : Tables::needed(HeldTables::canonical(name)))
              names.push_back(material.name());
            return names;
          },
          "name"_a, "The endings that must be solved for this one, in order, itself last.")
      .def_static(
          "material",
          [](const At& at) {
            const Material material = Material::of(at.position.pieces());
            return std::pair{material.canonical().name(), material.is_dead()};
          },
          "position"_a,
          "The ending that a position of at most four pieces belongs to, and whether nobody "
          "can mate in it.")
      .def_prop_ro("names", &HeldTables::names)
      .def("add", &HeldTables::add, "name"_a, "verdicts"_a,
           nb::sig("def add(self, name: str, verdicts: numpy.typing.NDArray[numpy.uint8]) -> None"),
           "Takes in a solved ending. The array is kept, not copied.")
      .def("solve", &HeldTables::solve, "name"_a, "threads"_a = 1, "progress"_a = nb::none(),
           nb::sig("def solve(self, name: str, threads: int = 1, progress: "
                   "collections.abc.Callable[[str, int, int], None] | None = None) -> "
                   "numpy.typing.NDArray[numpy.uint8]"),
           "[n] the verdicts of an ending whose smaller endings are here.")
      .def(
          "probe", [](const HeldTables& held, const At& at) { return held.probe(at.position); },
          "position"_a, "The verdict of a position.")
      .def("moves", &judged_moves, "position"_a,
           "Each legal move with the verdict that it leads to, for the side that makes it.")
      .def("verdicts", &family_verdicts, "family"_a, "threads"_a = 1,
           nb::sig("def verdicts(self, family: Family, threads: int = 1) -> "
                   "numpy.typing.NDArray[numpy.uint8]"),
           "[n] the verdicts of a whole family by number.")
      .def("summary", &summary, "name"_a, "seat"_a,
           nb::sig("def summary(self, name: str, seat: int) -> dict[str, int]"),
           "Counts of an ending with this seat to move; positions, not numbers.");
}

void check_games(const Family& family, const Verdicts& verdicts, const Choice& choice) {
  check_length(verdicts, family.size(), "verdicts");
  if (choice) check_length(*choice, family.size(), "choice");
}

void check_choices(const Family& family, const Verdicts& verdicts, const Numbers& choice) {
  check_length(verdicts, family.size(), "verdicts");
  check_length(choice, family.size(), "choice");
}

// Games in bulk: one from each start, its random stream made from (seed, its place).
template <class Play>
Array<std::int32_t> play_all(const Family& family, const Verdicts& verdicts, const Numbers& starts,
                             const Choice& choice, int mate_plies, std::uint64_t seed, int threads,
                             bool attack, Play play) {
  check_games(family, verdicts, choice);
  const Numbers chosen = choice ? Numbers(*choice) : Numbers();
  const endings::Judge judge{family, {verdicts.data(), verdicts.shape(0)}};
  for (std::size_t i = 0; i < starts.shape(0); ++i) {
    const Number start = checked(family, starts.data()[i]);
    if (attack ? !endings::is_won(judge[start]) : !endings::is_lost(judge[start])) {
      throw ParseError("number " + std::to_string(start) + " is not " + (attack ? "won" : "lost") +
                       " for the side to move");
    }
  }
  auto lengths = new_array<std::int32_t>({starts.shape(0)});
  const nb::gil_scoped_release released;
  Pool pool(threads);
  for (const auto side : {chess::white, chess::black}) {
    const bool plays = std::any_of(starts.data(), starts.data() + starts.shape(0),
                                   [&](Number start) { return family.turn(start) == side; });
    if (choice && plays) endings::check_choice(family, chosen, side, pool);
  }
  const endings::Policy policy{chosen, mate_plies};
  pool.run(
      static_cast<std::int64_t>(starts.shape(0)),
      [&](std::int64_t i) {
        Random random(seed, static_cast<std::uint64_t>(i));
        lengths.data()[i] = play(judge, policy, starts.data()[i], random);
      },
      64);
  return lengths;
}

Array<std::int32_t> play_attack(const Family& family, const Verdicts& verdicts,
                                const Numbers& starts, const Choice& choice, int mate_plies,
                                int cap, std::uint64_t seed, int threads) {
  return play_all(family, verdicts, starts, choice, mate_plies, seed, threads, true,
                  [cap](const auto& judge, const auto& policy, Number start, Random& random) {
                    return endings::play_attack(judge, policy, start, cap, random);
                  });
}

Array<std::int32_t> play_defence(const Family& family, const Verdicts& verdicts,
                                 const Numbers& starts, const Choice& choice, std::uint64_t seed,
                                 int threads) {
  return play_all(family, verdicts, starts, choice, 0, seed, threads, false,
                  [](const auto& judge, const auto& policy, Number start, Random& random) {
                    return endings::play_defence(judge, policy, start, random);
                  });
}

std::pair<Array<float>, Array<float>> attack_worth(const Family& family, const Verdicts& verdicts,
                                                   const Numbers& choice, int seat, int moves,
                                                   bool any_defence, int threads) {
  check_choices(family, verdicts, choice);
  const chess::Colour side = checked_side(seat);
  endings::Worth worth;
  {
    const nb::gil_scoped_release released;
    Pool pool(threads);
    endings::check_choice(family, choice, side, pool);
    worth = endings::attack_worth(
        {family, {verdicts.data(), verdicts.shape(0)}}, choice, side, moves,
        any_defence ? endings::Defence::any : endings::Defence::perfect, pool);
  }
  return {handed_over(std::move(worth.won)), handed_over(std::move(worth.plies))};
}

Array<float> defence_worth(const Family& family, const Verdicts& verdicts, const Numbers& choice,
                           int seat, int threads) {
  check_choices(family, verdicts, choice);
  const chess::Colour side = checked_side(seat);
  std::vector<float> plies;
  {
    const nb::gil_scoped_release released;
    Pool pool(threads);
    endings::check_choice(family, choice, side, pool);
    plies = endings::defence_worth({family, {verdicts.data(), verdicts.shape(0)}}, choice, side);
  }
  return handed_over(std::move(plies));
}

void bind_play(nb::module_& m) {
  m.def("play_attack", &play_attack, "family"_a, "verdicts"_a, "starts"_a, "choice"_a = nb::none(),
        nb::kw_only(), "mate_plies"_a = 0, "cap"_a = 100, "seed"_a = 0, "threads"_a = 1,
        nb::sig(
            "def play_attack(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], starts: "
            "numpy.typing.NDArray[numpy.int32], choice: numpy.typing.NDArray[numpy.int32] | None = "
            "None, *, mate_plies: int = 0, cap: int = 100, seed: int = 0, threads: int = 1) -> "
            "numpy.typing.NDArray[numpy.int32]"),
        "Games of a fixed choice, or of random moves, against perfect defence: plies to mate, 0 "
        "where "
        "there was none within `cap`. Mates within `mate_plies` are always found.");
  m.def("play_defence", &play_defence, "family"_a, "verdicts"_a, "starts"_a,
        "choice"_a = nb::none(), nb::kw_only(), "seed"_a = 0, "threads"_a = 1,
        nb::sig(
            "def play_defence(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], starts: "
            "numpy.typing.NDArray[numpy.int32], choice: numpy.typing.NDArray[numpy.int32] | None = "
            "None, *, seed: int = 0, threads: int = 1) -> numpy.typing.NDArray[numpy.int32]"),
        "Games against perfect attack: plies until mate.");
  m.def(
      "attack_worth", &attack_worth, "family"_a, "verdicts"_a, "choice"_a, nb::kw_only(),
      "seat"_a = 0, "moves"_a = 50, "any_defence"_a = false, "threads"_a = 1,
      nb::sig(
          "def attack_worth(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], choice: "
          "numpy.typing.NDArray[numpy.int32], *, seat: int = 0, moves: int = 50, any_defence: "
          "bool = False, threads: int = 1) -> tuple[numpy.typing.NDArray[numpy.float32], "
          "numpy.typing.NDArray[numpy.float32]]"),
      "[n] the probability that a fixed choice mates within `moves` moves, and the expected plies "
      "counting only games that do; 0 where the seat has not won. Against perfect defence, or "
      "against any at all: the worst case.");
  m.def(
      "defence_worth", &defence_worth, "family"_a, "verdicts"_a, "choice"_a, nb::kw_only(),
      "seat"_a = 1, "threads"_a = 1,
      nb::sig(
          "def defence_worth(family: Family, verdicts: numpy.typing.NDArray[numpy.uint8], choice: "
          "numpy.typing.NDArray[numpy.int32], *, seat: int = 1, threads: int = 1) -> "
          "numpy.typing.NDArray[numpy.float32]"),
      "[n] the expected plies until perfect attack mates, where the seat has lost; 0 elsewhere.");
}

}  // namespace

void bind_tables(nb::module_& endings) {
  bind_table_set(endings);
  bind_play(endings);
}

}  // namespace tempo::bind
