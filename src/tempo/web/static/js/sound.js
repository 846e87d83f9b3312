// Sounds, made here and not loaded: wood on wood, and a few tones. The switch in the header turns them off.

import { byId } from "./dom.js";

let context = null;

const isOn = () => byId("sound").getAttribute("aria-pressed") === "true";

// Browsers let a page sound only after it was touched.
function audio() {
  context ??= window.AudioContext ? new AudioContext() : null;
  if (context?.state === "suspended") context.resume().catch(() => {});
  return context?.state === "closed" ? null : context;
}

function tone({ at = 0, from, to = from, length, loud, type = "sine" }) {
  const out = context.createGain();
  const wave = context.createOscillator();
  const start = context.currentTime + at;
  wave.type = type;
  wave.frequency.setValueAtTime(from, start);
  wave.frequency.exponentialRampToValueAtTime(to, start + length);
  out.gain.setValueAtTime(loud, start);
  out.gain.exponentialRampToValueAtTime(0.0005, start + length);
  wave.connect(out).connect(context.destination);
  wave.start(start);
  wave.stop(start + length);
}

const SOUNDS = {
  move: [{ from: 420, to: 150, length: 0.07, loud: 0.35, type: "triangle" }],
  capture: [{ from: 300, to: 80, length: 0.12, loud: 0.5, type: "triangle" }, { at: 0.05, from: 180, to: 70, length: 0.1, loud: 0.3, type: "square" }],
  check: [{ from: 660, length: 0.1, loud: 0.2 }, { at: 0.1, from: 880, length: 0.14, loud: 0.2 }],
  refused: [{ from: 160, to: 120, length: 0.12, loud: 0.15, type: "sawtooth" }],
  fall: [{ from: 440, to: 110, length: 0.5, loud: 0.25, type: "triangle" }],
  won: [0, 4, 7, 12].map((step, i) => ({ at: i * 0.11, from: 440 * 2 ** (step / 12), length: 0.28, loud: 0.18 })),
  over: [0, -3, -7].map((step, i) => ({ at: i * 0.14, from: 392 * 2 ** (step / 12), length: 0.3, loud: 0.16 })),
};

// Plays a sound by its name, if sounds are on and the browser has them.
export function play(name) {
  if (!isOn()) return;
  window.dispatchEvent(new CustomEvent("tempo:played", { detail: name }));
  try {
    if (audio()) SOUNDS[name].forEach(tone);
  } catch { /* a browser without sound is no error */ }
}
