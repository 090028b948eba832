// A board small enough to be one of many: points, checkers as bars, drawn from signed counts.
import { svg } from './svg.js';

const column = 10;
const height = 84;
const width = 13 * column + 4;

// mini returns a picture of a position as it lies before the camera: top and bottom are twelve signed counts each from the
// left, light positive, bar two more, of its upper and its lower half.
export function mini({ top, bottom, bar = [0, 0] }) {
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'mini-board' },
    svg('rect', { x: 0, y: 0, width, height, rx: 3, class: 'mini-frame' }),
    svg('rect', { x: 2 + 6 * column, y: 0, width: column, height, class: 'mini-bar' }));
  const x = (i) => 2 + column * (i < 6 ? i : i + 1);
  for (const [row, down] of [[top, true], [bottom, false]]) {
    row.forEach((n, i) => {
      const at = down ? 2 : height - 2;
      const tip = down ? 34 : height - 34;
      picture.append(svg('path', { d: `M${x(i) + 1} ${at}h${column - 2}L${x(i) + column / 2} ${tip}z`, class: `mini-point ${i % 2 === (down ? 0 : 1) ? 'a' : 'b'}` }));
      stack(picture, x(i) + column / 2, down ? 7 : height - 7, down ? 1 : -1, n);
    });
  }
  stack(picture, 2 + 6.5 * column, height / 2 - 6, -1, bar[0]);
  stack(picture, 2 + 6.5 * column, height / 2 + 6, 1, bar[1]);
  return picture;
}

const most = 5; // checkers drawn of a stack

function stack(picture, cx, y, step, n) {
  const side = n > 0 ? 'light' : 'dark';
  const shown = Math.min(Math.abs(n), most);
  for (let k = 0; k < shown; k++) picture.append(svg('circle', { cx, cy: y + step * k * 6.6, r: 4.2, class: `mini-checker ${side}` }));
  if (Math.abs(n) > most) {
    picture.append(svg('text', { x: cx, y: y + step * (shown - 1) * 6.6 + 2.2, class: `mini-count ${side}` }, String(Math.abs(n))));
  }
}

// rows returns a state's position as rows from the left, as the board lies before the camera.
export function rows({ points, bar, layout }) {
  const side = layout?.bottom === 'dark' ? 1 : 0;
  const at = (p) => (side === 0 ? points[p - 1] : points[24 - p]); // p counts from the side at the bottom
  const bottom = Array.from({ length: 12 }, (_, i) => at(12 - i));
  const top = Array.from({ length: 12 }, (_, i) => at(13 + i));
  if (layout?.home === 'left') { bottom.reverse(); top.reverse(); }
  return { top, bottom, bar: side === 0 ? [bar[0], -bar[1]] : [-bar[1], bar[0]] }; // a hit checker waits where it will enter
}
