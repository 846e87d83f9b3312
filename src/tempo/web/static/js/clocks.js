// Clocks that run between two messages of the server.

const LOW = 10; // seconds

export class Clocks {
  constructor() {
    this.timer = setInterval(() => this.draw(), 200);
    this.faces = [];
  }

  // `clock` as the server sent it; `faces` an element for each seat.
  set(clock, faces) {
    this.clock = clock;
    this.at = performance.now();
    this.faces = faces;
    this.draw();
  }

  draw() {
    if (!this.clock) return;
    const gone = (performance.now() - this.at) / 1000;
    this.faces.forEach((face, seat) => {
      const left = this.clock.seats[seat];
      if (!face || left === null || left === undefined) return;
      const now = Math.max(0, seat === this.clock.running ? left - gone : left);
      face.textContent = words(now);
      face.toggleAttribute("data-low", seat === this.clock.running && now < LOW);
    });
  }

  stop() {
    clearInterval(this.timer);
  }
}

function words(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
