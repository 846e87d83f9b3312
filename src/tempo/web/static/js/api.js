// Requests to the server, and the secrets of the seats that this browser holds.

import { memory } from "./dom.js";

// An answer as JSON; an error carries the server's own words.
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error?.text ?? `The server refused (${answer.status}).`);
  return data;
}

const KEPT = 60; // tables whose secrets are kept; the oldest go first

// The secrets of a table's seats, which stay in this browser.
export const tokensOf = (table) => memory.get("tables", {})[table]?.tokens ?? [];
export const invitesOf = (table) => memory.get("tables", {})[table]?.invites ?? {};

export function keep(table, { tokens = [], invites = {}, title = "" }) {
  const all = memory.get("tables", {});
  const old = all[table] ?? { tokens: [], invites: {}, title: "" };
  all[table] = {
    tokens: [...new Set([...old.tokens, ...tokens])],
    invites: { ...old.invites, ...invites },
    title: title || old.title,
    at: Date.now(),
  };
  const recent = Object.entries(all).sort((a, b) => b[1].at - a[1].at).slice(0, KEPT);
  memory.set("tables", Object.fromEntries(recent));
}

export function recentTables() {
  return Object.entries(memory.get("tables", {}))
    .map(([table, kept]) => ({ table, ...kept }))
    .sort((a, b) => b.at - a.at);
}

export function forget(table) {
  const all = memory.get("tables", {});
  delete all[table];
  memory.set("tables", all);
}
