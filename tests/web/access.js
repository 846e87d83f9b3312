// What stands in the way of people who cannot see well, or at all: functions for the tests.

// Whatever can be used but has no name to be read aloud, and ids that are there twice.
export function nameless() {
  const used = "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1']), [role=button]";
  const fields = new Set(["INPUT", "SELECT", "TEXTAREA"]);
  const named = (element) => element.ariaLabel?.trim()
    || (fields.has(element.tagName)
      ? [...(element.labels ?? [])].some((label) => label.textContent.trim())
      : element.textContent.trim() || element.querySelector("img[alt]:not([alt=''])"));
  const seen = [...document.querySelectorAll(used)].filter((element) => element.checkVisibility());
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  return {
    count: seen.length,
    faults: [
      ...seen.filter((element) => !named(element)).map((element) => element.outerHTML.slice(0, 120)),
      ...[...document.querySelectorAll("img:not([alt])")].map((image) => image.outerHTML.slice(0, 120)),
      ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice: ${id}`),
    ],
  };
}

// Text that stands out too little from what is behind it: WCAG 2.2, level AA.
export function faint() {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parts = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = pixel.getImageData(0, 0, 1, 1).data;
    return [r, g, b, alpha / 255];
  };
  const over = (top, below) => [...[0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])), 1];
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) layers.push(parts(getComputedStyle(one).backgroundColor));
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const faults = [];
  let count = 0;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const words = texts.currentNode.textContent.trim();
    // Boards are checked by eye; what is disabled or out may be faint.
    if (!words || !element.checkVisibility() || element.closest("svg, .unseen, .skip, option, :disabled, [data-out]")) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [a, b] = [light(over(parts(style.color), ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
    count += 1;
    if (ratio < needed) faults.push(`${ratio.toFixed(2)}: ${words.slice(0, 40)}`);
  }
  return { count, faults };
}
