// The board itself, without checkers: drawn once for a geometry.
import { gradient, svg } from './svg.js';

// drawBoard returns the still picture of the board.
export function drawBoard(g) {
  const picture = svg('svg', { viewBox: `0 0 ${g.width} ${g.height}`, class: 'still', 'aria-hidden': 'true' });
  picture.append(definitions(), frame(g), ...surfaces(g), points(g), bar(g), ...trays(g), numbers(g, g.bottom));
  return picture;
}

function definitions() {
  const defs = svg('defs');
  defs.append(
    gradient('linearGradient', 'wood', { x1: 0, y1: 0, x2: 0, y2: 1 },
      [[0, 'wood-light'], [0.12, 'wood'], [0.85, 'wood'], [1, 'wood-dark']]),
    gradient('linearGradient', 'bar-wood', { x1: 0, y1: 0, x2: 1, y2: 0 },
      [[0, 'wood-dark'], [0.16, 'wood'], [0.5, 'wood-light'], [0.84, 'wood'], [1, 'wood-dark']]),
    gradient('radialGradient', 'felt', { cx: 0.5, cy: 0.42, r: 0.8 }, [[0, 'felt-light'], [0.6, 'felt'], [1, 'felt-dark']]),
    gradient('linearGradient', 'point-a', { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, 'point-a'], [1, 'point-a-tip']]),
    gradient('linearGradient', 'point-b', { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, 'point-b'], [1, 'point-b-tip']]),
    gradient('linearGradient', 'recess', { x1: 0, y1: 0, x2: 0, y2: 1 }, [[0, 'shade'], [0.05, 'shade-half'], [0.12, 'clear']]),
    grain(),
    weave(),
  );
  return defs;
}

// grain is the figure of the wood: noise stretched along the board.
function grain() {
  return svg('filter', { id: 'grain', x: 0, y: 0, width: '100%', height: '100%' },
    svg('feTurbulence', { type: 'fractalNoise', baseFrequency: '0.006 0.16', numOctaves: 4, seed: 11 }),
    svg('feColorMatrix', { values: '0 0 0 0 0.10  0 0 0 0 0.05  0 0 0 0 0.02  0.9 0.5 0 0 -0.55' }),
    svg('feComposite', { in2: 'SourceGraphic', operator: 'in' }));
}

// weave is the nap of the felt.
function weave() {
  return svg('filter', { id: 'weave', x: 0, y: 0, width: '100%', height: '100%' },
    svg('feTurbulence', { type: 'fractalNoise', baseFrequency: 0.8, numOctaves: 2, seed: 4 }),
    svg('feColorMatrix', { values: '0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 0.34 -0.08' }),
    svg('feComposite', { in2: 'SourceGraphic', operator: 'in' }));
}

function frame(g) {
  const box = { width: g.width, height: g.height, rx: g.narrow ? 14 : 20 };
  return svg('g', {},
    svg('rect', { ...box, fill: 'url(#wood)' }),
    svg('rect', { ...box, filter: 'url(#grain)', class: 'grain' }),
    svg('rect', { x: 1.5, y: 1.5, width: g.width - 3, height: g.height - 3, rx: box.rx - 1, class: 'frame-edge' }));
}

// recess is a sunken rectangle: felt, shadow of the frame at the top, an inlaid line around it.
function recess(x, y, width, height) {
  return svg('g', {},
    svg('rect', { x: x - 4, y: y - 4, width: width + 8, height: height + 8, rx: 6, class: 'inlay' }),
    svg('rect', { x, y, width, height, rx: 3, fill: 'url(#felt)' }),
    svg('rect', { x, y, width, height, rx: 3, filter: 'url(#weave)', class: 'weave' }),
    svg('rect', { x, y, width, height, rx: 3, fill: 'url(#recess)' }),
    svg('rect', { x: x + 0.75, y: y + 0.75, width: width - 1.5, height: height - 1.5, rx: 3, class: 'recess-edge' }));
}

function surfaces(g) {
  const inner = g.height - 2 * g.frameY;
  return [recess(g.left, g.frameY, 6 * g.column, inner), recess(g.right - 6 * g.column, g.frameY, 6 * g.column, inner)];
}

function points(g) {
  const group = svg('g', { class: 'points' });
  const half = g.column / 2 - 2;
  for (let i = 0; i < 12; i++) {
    const x = g.columnX(i);
    const top = g.frameY + 1;
    const bottom = g.height - top;
    const length = g.row - 6;
    const shape = `M${x - half} 0Q${x - half * 0.42} ${length * 0.52} ${x} ${length}Q${x + half * 0.42} ${length * 0.52} ${x + half} 0z`;
    for (const up of [false, true]) {
      const kind = (i % 2 === 0) === up ? 'point-a' : 'point-b';
      const path = svg('path', { d: shape, fill: `url(#${kind})`, class: 'point' });
      path.setAttribute('transform', up ? `translate(0 ${bottom}) scale(1 -1)` : `translate(0 ${top})`);
      group.append(path);
    }
  }
  return group;
}

function bar(g) {
  const x = g.barX - g.bar / 2;
  const group = svg('g', {},
    svg('rect', { x, y: 0, width: g.bar, height: g.height, fill: 'url(#bar-wood)' }),
    svg('rect', { x, y: 0, width: g.bar, height: g.height, filter: 'url(#grain)', class: 'grain' }),
    svg('path', { d: `M${g.barX} 0V${g.height}`, class: 'seam' }));
  for (const y of [g.height * 0.2, g.height * 0.8]) {
    group.append(svg('rect', { x: g.barX - 9, y: y - 26, width: 18, height: 52, rx: 4, class: 'hinge' }),
      svg('path', { d: `M${g.barX} ${y - 26}v52`, class: 'seam' }));
    for (const [dx, dy] of [[-4.5, -18], [4.5, -18], [-4.5, 18], [4.5, 18]]) {
      group.append(svg('circle', { cx: g.barX + dx, cy: y + dy, r: 1.7, class: 'screw' }));
    }
  }
  return group;
}

function trays(g) {
  const height = g.height / 2 - g.frameY - 10;
  const drawn = [];
  for (const y of [g.frameY, g.height - g.frameY - height]) drawn.push(recess(g.homeTrayX, y, g.tray, height));
  if (g.cubeTray) drawn.push(recess(g.cubeTrayX, g.frameY, g.tray, g.height - 2 * g.frameY));
  return drawn;
}

// numbers writes the point numbers along the frame, as the given side counts them.
export function numbers(g, side) {
  const group = svg('g', { class: 'numbers' });
  for (let point = 1; point <= 24; point++) {
    const { x, up } = g.place(side, point);
    const y = up ? g.height - g.frameY / 2 + 1 : g.frameY / 2 - 1;
    group.append(svg('text', { x, y, 'font-size': g.narrow ? 27 : 19 }, String(point)));
  }
  return group;
}
