// The keyboard's way over a board of any shape: the nearest place in a direction.

const ASIDE = 2.5; // how much worse a distance across the direction is than one along it

// The place next to `from` towards (dx, dy), each -1, 0 or 1; null at the edge.
export function neighbour(places, from, dx, dy) {
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - from.x) * dx + (place.y - from.y) * dy;
    const aside = Math.abs((place.x - from.x) * dy) + Math.abs((place.y - from.y) * dx);
    if (along <= 0.01 || aside > 2 * along) continue;
    const cost = along + ASIDE * aside;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}
