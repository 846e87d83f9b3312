// Elements in one expression, and the few things every room of the page needs.

const SVG = "http://www.w3.org/2000/svg";

// An element: h("p", {class: "hint", onclick: f}, "text", child, [children]).
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// The same for SVG.
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

// Whether plain letters are wanted in place of Chinese and Japanese characters.
export const isPlain = () => byId("letters").getAttribute("aria-pressed") === "true";

// Tells screen readers; the same words twice are told twice.
export function announce(text) {
  const live = byId("live");
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}

// The banner below the header: "" takes it away.
export function banner(text, kind = "") {
  const element = byId("banner");
  element.hidden = !text;
  element.textContent = text;
  element.dataset.kind = kind;
}

// Lets the browser save a text as a file.
export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Scrolls a box, never the page, until an element in it is seen: in its middle where it was not.
export function intoView(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

// "south" to "South".
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// What the browser keeps, as JSON; a browser that keeps nothing is no error.
export const memory = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`tempo.${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`tempo.${key}`, JSON.stringify(value));
    } catch { /* private windows may refuse */ }
  },
};

// Loads style sheets that are not there yet; resolves when they hold.
export function styles(names) {
  return Promise.all(names.map((name) => {
    const href = `/static/css/${name}.css`;
    if (document.querySelector(`link[href="${href}"]`)) return null;
    return new Promise((resolve) => {
      document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
    });
  }));
}
