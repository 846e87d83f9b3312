// Requests to the server, and the secrets of the seats that this browser holds.

import { isPlain, memory } from "./dom.js";
import { language, t } from "./text.js";

// What every request says: the language and the letters that are wanted.
export const speech = () => ({ "accept-language": language, ...(isPlain() && { "tempo-letters": "plain" }) });

// An answer as JSON; an error carries the server's own words.
export async function ask(path, body) {
  const headers = speech();
  const options = body === undefined ? { headers } : {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error(t("page.no_answer"));
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error?.text ?? t("page.refused", { status: answer.status }));
  return data;
}

const KEPT = 60; // tables whose secrets are kept; the oldest go first

// The secrets of a table's seats, which stay in this browser.
export const tokensOf = (table) => memory.get("tables", {})[table]?.tokens ?? [];
export const invitesOf = (table) => memory.get("tables", {})[table]?.invites ?? {};

// What is known of a table; `quick` is set where its pieces are put up without a question, `over` when its game has ended.
export const noteOf = (table) => memory.get("tables", {})[table] ?? {};

export function keep(table, { tokens = [], invites = {}, title = "", ...more }) {
  const all = memory.get("tables", {});
  const old = all[table] ?? { tokens: [], invites: {}, title: "" };
  all[table] = {
    tokens: [...new Set([...old.tokens, ...tokens])],
    invites: { ...old.invites, ...invites },
    title: title || old.title,
    ...(old.quick && { quick: true }),
    ...more,
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
