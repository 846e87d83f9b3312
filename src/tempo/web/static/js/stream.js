// What a study says, as it comes.

import { speech } from "./api.js";
import { t } from "./text.js";

// The answers of a study as they come; leaving the loop ends the work on the server.
export async function* study(request, signal) {
  const answer = await fetch("/api/analysis", {
    method: "POST", headers: { "content-type": "application/json", ...speech() }, body: JSON.stringify(request), signal,
  });
  if (!answer.ok) throw new Error((await answer.json().catch(() => ({}))).error?.text ?? t("page.refused", { status: answer.status }));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const one of lines) if (one) yield JSON.parse(one);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
