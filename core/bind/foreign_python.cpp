// Games written in Python: the interfaces of games/foreign, answered by Python objects.
//
// Searches run without the GIL; a state takes it to ask its object, and keeps the answers, so that
// each is asked for once. What the object raises goes to the caller of the search.
#include "foreign.h"

#include <atomic>
#include <charconv>
#include <cmath>
#include <deque>
#include <memory>
#include <set>

#include "../games/foreign/position.h"
#include "arrays.h"
#include "foreign_objects.h"

namespace tempo::bind {
namespace {

using foreign::Handle;

constexpr std::size_t most_reasons = 256;  // that are kept; a further one is a game that is over
constexpr int letters_of_text = 128;       // that features have where a class has none of its own
constexpr int bits_of_letter = 7;
constexpr double fair = 1e-6;  // how far from zero the sum of scores may be

// What a class has beside what every class must have.
struct Offers {
  bool reason, text, key, board, move_text, features, evaluation;
  bool view, view_board, public_text;
};

class PythonRules final : public foreign::Rules {
 public:
  PythonRules(nb::callable start, nb::object parse, nb::object deal)
      : start_(start.release().ptr()), parse_(kept(parse)), deal_(kept(deal)) {}
  PythonRules(const PythonRules&) = delete;
  PythonRules& operator=(const PythonRules&) = delete;
  ~PythonRules() override { forget(); }

  Offers offers{};

  // At the end of the program: what Python keeps alive is no longer kept by this.
  void forget() {
    Py_CLEAR(start_);
    Py_CLEAR(parse_);
    Py_CLEAR(deal_);
  }

  [[nodiscard]] Handle start() const override {
    const nb::gil_scoped_acquire acquire;
    return made(first(), {}, 0);
  }
  [[nodiscard]] Handle deal(Random& random) const override {
    const nb::gil_scoped_acquire acquire;
    if (deal_ == nullptr) return made(first(), {}, 0);  // which is always the same
    return made(call_with(deal_, generator(random)), {}, 0);
  }
  [[nodiscard]] Handle parse(std::string_view text) const override;

  [[nodiscard]] bool is_parsed() const { return parse_ != nullptr; }
  [[nodiscard]] bool is_dealt() const { return deal_ != nullptr; }
  [[nodiscard]] nb::object first() const {
    if (start_ == nullptr) throw ParseError("the program ends");
    return checked(PyObject_CallNoArgs(start_));
  }
  [[nodiscard]] Handle made(nb::object at, std::vector<Move> path, int ply) const;
  [[nodiscard]] std::string_view kept_reason(std::string reason) const {
    if (reason.empty() || (reasons_.size() >= most_reasons && !reasons_.contains(reason))) {
      return "the game is over";
    }
    return *reasons_.insert(std::move(reason)).first;
  }

 private:
  [[nodiscard]] Handle replayed(std::string_view text) const;
  static PyObject* kept(nb::object& given) {
    return given.is_none() ? nullptr : given.release().ptr();
  }

  PyObject* start_;
  PyObject* parse_;
  PyObject* deal_;
  mutable std::set<std::string> reasons_;  // touched with the GIL held
};

class PythonState final : public foreign::State {
 public:
  // With the GIL held. `path` is how it was reached, where the class has no text of its own; `ply`
  // counts the moves since the start, or since the position that was read.
  PythonState(const PythonRules& rules, nb::object at, std::vector<Move> path, int ply)
      : State(rules), at_(at.ptr()), path_(std::move(path)), ply_(ply) {
    const long turn = whole(ask(at, names().turn), "turn");
    if (turn < 0 || turn >= seats()) {
      refuse("turn is 0 to " + std::to_string(seats() - 1) + ", not " + std::to_string(turn));
    }
    turn_ = Seat{static_cast<std::uint8_t>(turn)};
    if (const nb::object scores = ask(at, names().outcome); !scores.is_none()) {
      std::string reason;
      if (own().offers.reason) reason = nb::str(ask(at, names().reason)).c_str();
      outcome_ = {own().kept_reason(std::move(reason)), read_scores(scores, "outcome")};
    } else if (ply >= rules.length_bound) {
      refuse("the game is not over after " + std::to_string(ply) + " moves, its length_bound");
    }
    at.release();
    older_ = newest;
    if (newest != nullptr) newest->newer_ = this;
    newest = this;
  }
  PythonState(const PythonState&) = delete;
  PythonState& operator=(const PythonState&) = delete;
  ~PythonState() override {
    if (Py_IsInitialized() == 0) return;
    const nb::gil_scoped_acquire acquire;
    (newer_ != nullptr ? newer_->older_ : newest) = older_;
    if (older_ != nullptr) older_->newer_ = newer_;
    Py_XDECREF(at_);
  }

  // At the end of the program: a position may lie among the globals of its own class, a circle that
  // Python cannot see.
  static void forget_all() {
    std::vector<PyObject*> all;  // letting go of one may end others
    for (PythonState* state = newest; state != nullptr; state = state->older_) {
      all.push_back(std::exchange(state->at_, nullptr));
    }
    for (PyObject* at : all) Py_XDECREF(at);
  }

  [[nodiscard]] std::span<const Move> moves() const override {
    if (!outcome_ && !has_moves_.load(std::memory_order_acquire)) ask_moves();
    return moves_;
  }

  void play(Handle& held, Move move) const override {
    const nb::gil_scoped_acquire acquire;
    nb::object next = call(at(), names().play, index(move));
    if (next.is_none()) refuse("play returned None; it returns the position after the move");
    if (next.ptr() == at_) refuse("play returned the same object; it returns a new one");
    std::vector<Move> path;
    if (!own().offers.text) {
      path.reserve(path_.size() + 1);
      path = path_;
      path.push_back(move);
    }
    Handle after = own().made(std::move(next), std::move(path), ply_ + 1);
    held = std::move(after);  // which may end this
  }

  [[nodiscard]] std::uint64_t key() const override {
    if (!has_key_.load(std::memory_order_acquire)) {
      key_.store(scratch_key(), std::memory_order_relaxed);
      has_key_.store(true, std::memory_order_release);
    }
    return key_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t scratch_key() const override {
    if (own().offers.key) {
      const nb::gil_scoped_acquire acquire;
      const nb::object number = checked(PyNumber_Index(ask(at(), names().key).ptr()));
      return split_mix(PyLong_AsUnsignedLongLongMask(number.ptr()));
    }
    return split_mix(foreign::hash_of(text()));
  }

  [[nodiscard]] std::string text() const override {
    if (own().offers.text) {
      const nb::gil_scoped_acquire acquire;
      return ascii(ask(at(), names().text), "a position's text");
    }
    std::string text = "start";
    for (const Move move : path_) text += " " + std::to_string(index(move));
    return text;
  }
  [[nodiscard]] std::string move_text(Move move) const override {
    if (!own().offers.move_text) return std::to_string(index(move));
    const nb::gil_scoped_acquire acquire;
    return ascii(call(at(), names().move_text, index(move)), "a move's text");
  }
  [[nodiscard]] std::string board() const override {
    if (!own().offers.board) return text();
    const nb::gil_scoped_acquire acquire;
    return Text(nb::str(ask(at(), names().board))).string();
  }

  void features(Seat seat, float* out) const override {
    if (!own().offers.features) return letters(own().offers.view ? view_text(seat) : text(), out);
    const nb::gil_scoped_acquire acquire;
    const nb::object numbers = nb::module_::import_("numpy").attr("ascontiguousarray")(
        call(at(), names().features, index(seat)), "float32");
    const auto array = nb::cast<nb::ndarray<const float, nb::c_contig, nb::device::cpu>>(numbers);
    const auto [planes, rows, columns] = rules().shape;
    const auto size = static_cast<std::size_t>(planes * rows * columns);
    if (array.size() != size) {
      refuse("features are " + std::to_string(size) + " numbers, not " +
             std::to_string(array.size()));
    }
    require_finite(array, "features");
    std::copy_n(array.data(), size, out);
  }

  [[nodiscard]] Scores evaluation() const override {
    if (!own().offers.evaluation) return {};
    const nb::gil_scoped_acquire acquire;
    return read_scores(ask(at(), names().evaluation), "evaluation");
  }

  [[nodiscard]] std::string view_text(Seat seat) const override {
    const nb::gil_scoped_acquire acquire;
    return ascii(call(at(), names().view, index(seat)), "a view");
  }
  [[nodiscard]] std::string view_board(Seat seat) const override {
    if (!own().offers.view_board) return view_text(seat);
    const nb::gil_scoped_acquire acquire;
    return Text(nb::str(call(at(), names().view_board, index(seat)))).string();
  }
  [[nodiscard]] std::string public_text() const override {
    if (!own().offers.public_text) return "?";
    const nb::gil_scoped_acquire acquire;
    return ascii(ask(at(), names().public_text), "what everybody knows");
  }
  [[nodiscard]] Handle sample(Seat seat, Random& random) const override {
    const nb::gil_scoped_acquire acquire;
    return own().made(
        nb::handle(at()).attr(nb::handle(names().sample))(index(seat), generator(random)), {},
        ply_);
  }

 private:
  [[nodiscard]] const PythonRules& own() const { return static_cast<const PythonRules&>(rules()); }
  [[nodiscard]] PyObject* at() const {
    if (at_ == nullptr) throw ParseError("the program ends");
    return at_;
  }
  [[nodiscard]] long seats() const { return std::ssize(rules().seat_names); }
  [[noreturn]] void refuse(const std::string& why) const {
    throw ParseError(rules().spec + ": " + why);
  }

  // Says what a class gave where something else belongs.
  [[noreturn]] void mistaken(const char* what, const char* right, nb::handle given) const {
    PyErr_Clear();
    refuse(std::string(what) + " " + right + ", not " + nb::repr(given).c_str());
  }
  [[nodiscard]] long whole(nb::handle given, const char* what) const {
    const long number = PyLong_AsLong(given.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) mistaken(what, "is a whole number", given);
    return number;
  }
  [[nodiscard]] nb::object listed(nb::handle given, const char* what) const {
    PyObject* list = PySequence_Tuple(given.ptr());
    if (list == nullptr) mistaken(what, "is a list", given);
    return nb::steal(list);
  }

  void ask_moves() const {
    const nb::gil_scoped_acquire acquire;
    const nb::object list = listed(ask(at(), names().legal_moves), "legal_moves");
    const Py_ssize_t size = PyTuple_Size(list.ptr());
    if (size == 0) refuse("there is no legal move and no outcome in '" + text() + "'");
    if (size > foreign::most_moves) {
      refuse("there are " + std::to_string(size) + " legal moves, and there may be " +
             std::to_string(foreign::most_moves));
    }
    std::vector<Move> moves;
    moves.reserve(static_cast<std::size_t>(size));
    for (Py_ssize_t i = 0; i < size; ++i) {
      const long move = whole(PyTuple_GetItem(list.ptr(), i), "a legal move");
      if (move < 0 || move >= rules().move_numbers) {
        refuse("legal moves are numbers from 0 to " + std::to_string(rules().move_numbers - 1) +
               ", not " + std::to_string(move));
      }
      moves.push_back(Move{static_cast<std::uint16_t>(move)});
    }
    if (has_moves_.load(std::memory_order_relaxed)) return;  // another thread was quicker
    moves_ = std::move(moves);
    has_moves_.store(true, std::memory_order_release);
  }

  [[nodiscard]] Scores read_scores(nb::handle given, const char* what) const {
    const nb::object list = listed(given, what);
    Scores scores{};
    if (PyTuple_Size(list.ptr()) != seats()) {
      refuse(std::string(what) + " has a score for each of " + std::to_string(seats()) + " seats");
    }
    double sum = 0;
    for (long i = 0; i < seats(); ++i) {
      const nb::handle one = PyTuple_GetItem(list.ptr(), i);
      const double score = PyFloat_AsDouble(one.ptr());
      if (score == -1 && PyErr_Occurred() != nullptr) mistaken(what, "has numbers", one);
      if (!(score >= -1 && score <= 1)) {
        refuse(std::string(what) + " has scores from -1 to 1, not " + std::to_string(score));
      }
      sum += score;
      scores[static_cast<std::size_t>(i)] = static_cast<float>(score);
    }
    if (!(std::abs(sum) < fair)) refuse(std::string(what) + " has scores that add up to zero");
    return scores;
  }

  // Where a class has no features: the bits of the first letters of the text.
  static void letters(const std::string& all, float* out) {
    std::fill_n(out, bits_of_letter * letters_of_text, 0.0F);
    const std::size_t count = std::min<std::size_t>(all.size(), letters_of_text);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t bit = 0; bit < bits_of_letter; ++bit) {
        out[bit * letters_of_text + i] = static_cast<float>((all[i] >> bit) & 1);
      }
    }
  }

  PyObject* at_;
  static inline PythonState* newest = nullptr;  // of those alive, touched with the GIL held
  PythonState* older_ = nullptr;
  PythonState* newer_ = nullptr;
  std::vector<Move> path_;
  int ply_;
  mutable std::atomic<bool> has_moves_ = false;
  mutable std::atomic<bool> has_key_ = false;
  mutable std::atomic<std::uint64_t> key_ = 0;
  mutable std::vector<Move> moves_;  // written once, with the GIL held
};

Handle PythonRules::made(nb::object at, std::vector<Move> path, int ply) const {
  return Handle(new PythonState(*this, std::move(at), std::move(path), ply));
}

// Whatever the class makes of a bad text, it is refused in words.
Handle PythonRules::parse(std::string_view text) const {
  const nb::gil_scoped_acquire acquire;
  if (start_ == nullptr) throw ParseError("the program ends");
  if (!offers.text) return replayed(text);
  try {
    Handle state = made(call_with(parse_, nb::str(text.data(), text.size())), {}, 0);
    static_cast<void>(state->moves());
    static_cast<void>(state->text());
    return state;
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
    const std::string why = nb::str(error.value()).c_str();
    const std::string kind = nb::str(error.type().attr("__name__")).c_str();
    throw ParseError("'" + std::string(text.substr(0, 40)) + "' is no position of " + spec + ": " +
                     (error.matches(PyExc_ValueError) && !why.empty() ? why : kind + " " + why));
  }
}

// Without a text of its own, a position is the moves from the start.
Handle PythonRules::replayed(std::string_view text) const {
  const auto refuse = [&](const std::string& why) {
    throw ParseError("'" + std::string(text.substr(0, 40)) + "' is no position of " + spec + ": " +
                     why);
  };
  const std::string_view first = "start";
  if (!text.starts_with(first)) refuse("expected 'start' and the numbers of the moves");
  Handle state = start();
  for (std::size_t i = first.size(); i < text.size();) {
    std::size_t end = std::min(text.find(' ', i + 1), text.size());
    const std::string_view word = text.substr(i, end - i);
    int number = -1;
    const auto [stop, error] = std::from_chars(word.data() + 1, word.data() + word.size(), number);
    if (word[0] != ' ' || error != std::errc{} || " " + std::to_string(number) != word) {
      refuse("expected numbers of moves with one space before each");
    }
    const auto moves = state->moves();
    const auto found =
        std::find_if(moves.begin(), moves.end(), [&](Move move) { return index(move) == number; });
    if (found == moves.end()) refuse("move " + std::to_string(number) + " is not legal there");
    state->play(state, *found);
    i = end;
  }
  return state;
}

std::deque<PythonRules*>& all_rules() {
  static std::deque<PythonRules*> all;  // they outlive every position
  return all;
}

}  // namespace

const foreign::Rules* add_rules(const Text& spec, nb::callable start, nb::object parse,
                                int move_numbers, int length_bound,
                                const std::vector<Text>& seat_names,
                                std::optional<std::tuple<int, int, int>> shape, nb::object deal) {
  for (const nb::object& maker : {parse, deal}) {
    if (maker.is_none() || nb::isinstance<nb::callable>(maker)) continue;
    throw nb::type_error("parse and deal are functions, or None");
  }
  auto rules = std::make_unique<PythonRules>(std::move(start), std::move(parse), std::move(deal));
  rules->spec = spec.string();
  const auto refuse = [&](const std::string& why) { throw ParseError(rules->spec + ": " + why); };
  if (move_numbers < 1 || move_numbers > foreign::most_move_numbers) {
    refuse("move_numbers is 1 to " + std::to_string(foreign::most_move_numbers) + ", not " +
           std::to_string(move_numbers));
  }
  if (length_bound < 1) refuse("length_bound is at least 1, not " + std::to_string(length_bound));
  rules->move_numbers = move_numbers;
  rules->length_bound = length_bound;
  for (const Text& name : seat_names) rules->seat_names.push_back(name.string());
  const auto [planes, rows, columns] =
      shape.value_or(std::tuple{bits_of_letter, 1, letters_of_text});
  rules->shape = {planes, rows, columns};
  for (const int size : rules->shape) {
    if (size < 1 || size > 4096) refuse("features have three sizes from 1 to 4096");
  }
  const nb::object first = rules->first();
  const auto has = [&](PyObject* name) { return PyObject_HasAttr(first.ptr(), name) != 0; };
  const Names& n = names();
  rules->offers = {has(n.reason),     has(n.text),       has(n.key),        has(n.board),
                   has(n.move_text),  shape.has_value(), has(n.evaluation), has(n.view),
                   has(n.view_board), has(n.public_text)};
  rules->open_moves = has(n.open_moves) && nb::cast<bool>(nb::bool_(ask(first, n.open_moves)));
  if (rules->offers.text != rules->is_parsed()) refuse("give both text and parse, or neither");
  if (!rules->offers.text && (rules->offers.view || rules->is_dealt())) {
    refuse("a game that hides something or is dealt has text and parse");
  }
  static_cast<void>(rules->start()->moves());  // whatever is wrong is said now
  all_rules().push_back(rules.get());
  return rules.release();
}

void forget_rules() {
  for (PythonRules* rules : all_rules()) rules->forget();
  PythonState::forget_all();
}

}  // namespace tempo::bind
