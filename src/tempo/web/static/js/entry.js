// How a move is entered by touching places: the legal moves, narrowed touch by touch. Knows no game.

export class Entry {
  constructor(moves = []) {
    this.moves = moves.filter((step) => step.touches.length);
    this.buttons = moves.filter((step) => step.button);
    this.made = [];
  }

  // The moves that the touches so far leave.
  get left() {
    return this.moves.filter((step) => this.made.every((place, i) => step.touches[i] === place));
  }

  // The places that may be touched next.
  get targets() {
    return new Set(this.left.map((step) => step.touches[this.made.length]).filter(Boolean));
  }

  // What the board marks. A few places of one touch each are shown before any touch: how a turn of
  // several parts goes on. Where most of the board may be touched, nobody needs to be shown it.
  marks(places) {
    const { made, targets } = this;
    const few = 4 * targets.size <= places && this.left.every((step) => step.touches.length === 1);
    return { now: made, targets, shown: made.length > 0 || few };
  }

  starts(place) {
    return this.moves.some((step) => step.touches[0] === place);
  }

  letGo() {
    this.made = [];
  }

  // Touches a place. Returns the moves that are complete now: none, one, or several to choose from.
  touch(place) {
    if (!this.targets.has(place)) {
      const again = this.made.length === 1 && this.made[0] === place;
      this.made = [];
      if (again || !this.starts(place)) return [];
    }
    this.made.push(place);
    const complete = this.left.filter((step) => step.touches.length === this.made.length);
    if (complete.length) this.made = [];
    return complete;
  }
}
