// The own move on its way: shown at once, sent again after a lost connection, and never played twice.
//
// A move names the moment of the game that it was made at, and no two moments have the same number:
// the server plays it then and only then, and says of one that it has played that all is well.

export class Pending {
  constructor(link, step) {
    this.link = link;
    this.step = step;
    this.message = { type: "move", ply: link.state.ply, moment: link.state.moment, move: step.move };
  }

  // The places that were touched, as they are called in the notation of now.
  nameOn(places) {
    const names = this.step.touches.map((id) => places.get(id)?.label ?? id);
    return this.step.button || names.join(names.every((name) => name.length < 4) ? "" : " ");
  }

  send() {
    return this.link.line.send(this.message);
  }

  // Whether the game still stands where the move was made.
  isDue(state) {
    return state.moment === this.message.moment;
  }
}
