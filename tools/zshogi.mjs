// Z Shogi of npm (`npm install zshogi`) as a program that speaks USI: its library answers a line at a
// time. Usage: node tools/zshogi.mjs FOLDER, where FOLDER holds node_modules/zshogi.
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2] ?? ".", "node_modules/zshogi/dist/lib/zshogi.js");
const { Engine } = await import(pathToFileURL(folder));
const engine = await Engine.init();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "quit") break;
  process.stdout.write(engine.run(line));
}
