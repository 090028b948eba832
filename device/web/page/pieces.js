// What is moved on the board: checkers, dice and cube. Each is drawn once around its own centre and then placed.
import { cubeSize, dieSize, radius } from './geometry.js';
import { gradient, svg } from './svg.js';

const colours = ['light', 'dark'];

// definitions are the shapes that pieces are copies of.
export function definitions(trayWidth) {
  const defs = svg('defs');
  for (const c of colours) {
    defs.append(
      gradient('radialGradient', `face-${c}`, { cx: 0.38, cy: 0.32, r: 0.8 }, [[0, `${c}-shine`], [0.45, `${c}-face`], [1, `${c}-deep`]]),
      gradient('linearGradient', `rim-${c}`, { x1: 0.2, y1: 0, x2: 0.8, y2: 1 }, [[0, `${c}-shine`], [0.5, `${c}-face`], [1, `${c}-edge`]]),
      gradient('linearGradient', `dish-${c}`, { x1: 0.2, y1: 0, x2: 0.8, y2: 1 }, [[0, `${c}-deep`], [1, `${c}-shine`]]),
      gradient('linearGradient', `slice-${c}`, { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, `${c}-shine`], [0.4, `${c}-face`], [1, `${c}-edge`]]),
      checker(c), slice(c, trayWidth), die(c));
  }
  defs.append(gradient('linearGradient', 'cube-face', { x1: 0, y1: 0, x2: 1, y2: 1 }, [[0, 'cube-shine'], [1, 'cube-deep']]), cube());
  return defs;
}

function checker(c) {
  const r = radius - 1;
  return svg('g', { id: `checker-${c}` },
    svg('circle', { cx: 1.5, cy: 3.5, r, class: 'shadow' }),
    svg('circle', { r, fill: `url(#rim-${c})`, class: `rim-${c}` }),
    svg('circle', { r: r - 4.5, fill: `url(#face-${c})` }),
    svg('circle', { r: r - 10, fill: 'none', stroke: `url(#dish-${c})`, 'stroke-width': 2.4 }),
    svg('circle', { r: r - 14, fill: `url(#dish-${c})`, class: 'dish' }));
}

function slice(c, trayWidth) {
  const width = trayWidth - 12;
  return svg('g', { id: `slice-of-${c}` },
    svg('rect', { x: -width / 2, y: -8.5, width, height: 18.5, rx: 5, class: 'shadow' }),
    svg('rect', { x: -width / 2, y: -9.5, width, height: 18, rx: 5, fill: `url(#slice-${c})`, class: `rim-${c}` }),
    svg('path', { d: `M${-width / 2 + 4} -3.2H${width / 2 - 4}M${-width / 2 + 4} 2.6H${width / 2 - 4}`, class: `groove-${c}` }));
}

function die(c) {
  const s = dieSize;
  return svg('g', { id: `die-${c}` },
    svg('rect', { x: -s / 2 + 2, y: -s / 2 + 4, width: s, height: s, rx: 12, class: 'shadow' }),
    svg('rect', { x: -s / 2, y: -s / 2, width: s, height: s, rx: 12, fill: `url(#rim-${c})`, class: `rim-${c}` }),
    svg('rect', { x: -s / 2 + 3, y: -s / 2 + 3, width: s - 6, height: s - 6, rx: 13, fill: `url(#face-${c})` }));
}

function cube() {
  const s = cubeSize;
  return svg('g', { id: 'cube-body' },
    svg('rect', { x: -s / 2 + 2, y: -s / 2 + 4, width: s, height: s, rx: 9, class: 'shadow' }),
    svg('rect', { x: -s / 2, y: -s / 2, width: s, height: s, rx: 9, fill: 'url(#cube-face)', class: 'cube-edge' }),
    svg('rect', { x: -s / 2 + 4, y: -s / 2 + 4, width: s - 8, height: s - 8, rx: 7, class: 'cube-inset' }));
}

const use = (id, name = '') => svg('use', { href: `#${id}`, class: name });

// newChecker is one checker, which can also be seen from its edge (class "off").
export const newChecker = (side) => svg('g', { class: `checker ${colours[side]}` },
  use(`checker-${colours[side]}`, 'flat'), use(`slice-of-${colours[side]}`, 'edge'));

const pips = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

// newDie is one die that shows a value, lying at an angle as thrown.
export function newDie(side, value, angle) {
  const body = svg('g', { transform: `rotate(${angle})` }, use(`die-${colours[side]}`));
  for (const [x, y] of pips[value] || []) {
    body.append(svg('circle', { cx: x * 14.5, cy: y * 14.5, r: 5.2, class: `pip-${colours[side]}` }));
  }
  return svg('g', { class: 'die' }, svg('g', { class: 'throw' }, body));
}

export function newCube() {
  const text = svg('text', { class: 'cube-value', y: 1 });
  const el = svg('g', { class: 'cube away' }, svg('circle', { r: cubeSize * 0.86, class: 'halo' }), use('cube-body'), text);
  return { el, text };
}
