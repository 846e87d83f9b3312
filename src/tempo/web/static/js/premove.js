// A move that is entered before one's turn. Whether it is legal shows when the turn comes.

export class Premove {
  constructor() {
    this.touches = [];
    this.isWhole = false;
    this.oneTouch = false; // whether a move is a single touch in this game, as the last turn has shown
  }

  clear() {
    this.touches = [];
    this.isWhole = false;
  }

  starts(place, isOwn) {
    return !this.oneTouch && !this.isWhole && !this.touches.length && isOwn(place);
  }

  // A touch out of turn; a whole one is taken back by any touch. Whether it says anything.
  touch(place, isOwn) {
    if (this.isWhole || this.touches[0] === place) {
      this.clear();
    } else if (this.touches.length || (this.oneTouch && !isOwn(place))) {
      this.touches.push(place);
      this.isWhole = true;
    } else if (!this.oneTouch && isOwn(place)) {
      this.touches = [place];
    } else {
      return false;
    }
    return true;
  }

  // The legal move that it means; of several that share their touches the last, which is mostly meant.
  found(moves) {
    return moves.findLast((step) => step.touches.length === this.touches.length && step.touches.every((place, i) => place === this.touches[i]));
  }
}
