// Positions: decoding GNU position IDs, counting and telling them in words.
// A position is {points: 24 signed counts from light's side (light positive), bar: [light, dark], off: [light, dark]}.
import { t } from './texts.js';

export const start = () => ({
  points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], bar: [0, 0], off: [0, 0],
});

// count returns how many checkers a side (0 light, 1 dark) has on a point of its own numbering, 25 being the bar.
export function count(position, side, point) {
  if (point === 25) return position.bar[side];
  const n = side === 0 ? position.points[point - 1] : -position.points[24 - point];
  return Math.max(n, 0);
}

// decode reads a GNU position ID: for each side, the one not on roll first, n ones and a zero for each of its
// points 1...24 and the bar, least significant bit first. Returns null for anything that is no position.
export function decode(id, onRoll) {
  if (!/^[A-Za-z0-9+/]{14}$/.test(id || '')) return null;
  const bytes = Uint8Array.from(atob(`${id}==`), (c) => c.charCodeAt(0));
  const position = { points: Array(24).fill(0), bar: [0, 0], off: [15, 15] };
  let bit = 0;
  for (const side of [1 - onRoll, onRoll]) {
    for (let point = 1; point <= 25; point++) {
      for (; bit < 80 && (bytes[bit >> 3] >> (bit & 7)) & 1; bit++) put(position, side, point);
      bit++;
    }
  }
  return position.off[0] < 0 || position.off[1] < 0 ? null : position;
}

function put(position, side, point) {
  position.off[side]--;
  if (point === 25) position.bar[side]++;
  else if (side === 0) position.points[point - 1]++;
  else position.points[24 - point]--;
}

export function pips(position, side) {
  let sum = 0;
  for (let point = 1; point <= 25; point++) sum += point * count(position, side, point);
  return sum;
}

// tell says where all checkers of one side stand, from its own view.
export function tell(position, side, name) {
  const places = [];
  if (position.bar[side]) places.push(t('aloud.bar', { n: position.bar[side] }));
  for (let point = 24; point >= 1; point--) {
    const n = count(position, side, point);
    if (n) places.push(t('aloud.point', { n, point }));
  }
  if (position.off[side]) places.push(t('aloud.off', { n: position.off[side] }));
  return t('aloud.side', { side: name, places: places.join(t('aloud.separator')) });
}
