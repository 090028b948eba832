// The living board: keeps every checker as one element and lets it glide to where the next position wants it.
import { Geometry, onBar, radius, stacked } from './geometry.js';
import { count } from './position.js';
import { definitions, newChecker, newCube, newDie } from './pieces.js';
import { move, svg } from './svg.js';
import { drawBoard, numbers } from './table-top.js';

const glide = 420; // ms a checker travels
const stagger = 70; // ms between checkers of one play
const points = [...Array(26).keys()]; // 0 off, 1...24, 25 bar

export class Board {
  constructor(host) {
    this.host = host;
    this.checkers = [[], []]; // of each side: {el, point, k}
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  // lay draws the board for a side at the bottom, a home side and a shape; the same again costs nothing.
  lay(bottom, home, narrow) {
    const key = `${bottom} ${home} ${narrow}`;
    if (key === this.key) return;
    this.key = key;
    this.geometry = new Geometry(bottom, home, narrow);
    const g = this.geometry;
    const layers = ['marks', 'checkers', 'rings', 'counts', 'dice'];
    this.layers = Object.fromEntries(layers.map((name) => [name, svg('g', { class: name })]));
    this.cube = newCube();
    this.still = drawBoard(g);
    this.counter = null;
    const lively = svg('svg', { viewBox: `0 0 ${g.width} ${g.height}`, class: 'lively', 'aria-hidden': 'true' },
      definitions(g.tray), ...Object.values(this.layers), this.cube.el);
    this.host.replaceChildren(this.still, lively);
    this.host.style.setProperty('--ratio', g.width / g.height);
    this.checkers = [[], []];
    this.thrown = this.marked = null;
    if (this.view) this.show(this.view, true);
  }

  // show puts a view on the board: {position, dice, roller, cube, counter, moved}. Roller -1 means one die each
  // (opening), cube {value, owner, offered} or null, counter the side whose numbers stand on the frame, moved the
  // position before the last play and who made it.
  show(view, atOnce = false) {
    this.view = view;
    const still = atOnce || this.calm.matches || document.hidden;
    this.host.classList.toggle('at-once', still);
    for (const side of [0, 1]) this.placeCheckers(side, view.position, still);
    this.writeCounts(view.position);
    this.markPlay(view);
    this.throwDice(view, still);
    this.placeCube(view.cube);
    if (view.counter !== this.counter) {
      this.counter = view.counter;
      this.still.querySelector('.numbers').replaceWith(numbers(this.geometry, view.counter));
    }
  }

  placeCheckers(side, position, still) {
    const wanted = points.map((p) => (p === 0 ? position.off[side] : count(position, side, p)));
    const free = [];
    const kept = points.map(() => []);
    for (const c of this.checkers[side]) (kept[c.point].length < wanted[c.point] ? kept[c.point] : free).push(c);
    free.sort((a, b) => b.point - a.point);
    let moving = 0;
    for (let p = 25; p >= 0; p--) {
      for (let k = 0; k < wanted[p]; k++) {
        let c = kept[p][k];
        if (!c) {
          c = free.shift() ?? this.create(side);
          kept[p][k] = c;
        }
        moving += this.send(c, side, p, k, still ? -1 : moving * stagger);
      }
    }
    for (const c of free) c.el.remove();
    this.checkers[side] = kept.flat();
  }

  create(side) {
    const el = newChecker(side);
    this.layers.checkers.append(el);
    return { el, point: -1, k: 0 };
  }

  // send moves a checker to the k-th place of a point after a delay (below 0: at once) and returns 1 if it glides.
  send(c, side, point, k, delay) {
    const to = this.geometry.checker(side, point, k);
    const from = c.at;
    const changes = c.point !== point;
    Object.assign(c, { point, k, at: to });
    if (from && from.x === to.x && from.y === to.y) return 0;
    move(c.el, to);
    const turn = () => c.el.classList.toggle('off', point === 0);
    if (!from || delay < 0) {
      turn();
      return 0;
    }
    if (changes) this.layers.checkers.append(c.el); // above those it passes
    const path = [from, to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const flight = c.el.animate(path, { duration: glide, delay, easing: 'cubic-bezier(.35,.05,.2,1)', fill: 'backwards' });
    if (point === 0) flight.finished.then(turn, turn);
    else turn();
    return changes ? 1 : 0;
  }

  writeCounts(position) {
    const g = this.geometry;
    const texts = [];
    for (const side of [0, 1]) {
      for (let p = 1; p <= 25; p++) {
        const n = count(position, side, p);
        if (n <= (p === 25 ? onBar : stacked)) continue;
        const { x, y } = g.checker(side, p, n - 1);
        texts.push(svg('text', { x, y: y + 1, class: `count ${side ? 'dark' : 'light'}` }, String(n)));
      }
    }
    this.layers.counts.replaceChildren(...texts);
  }

  // markPlay shows what the last play changed: hollow circles where checkers left, rings where they came.
  markPlay({ position, moved }) {
    const key = moved ? JSON.stringify([position, moved]) : '';
    if (key === this.marked) return; // rings that stand must not fade in again
    this.marked = key;
    const left = [];
    const came = [];
    if (moved) {
      for (let p = 1; p <= 25; p++) {
        const before = count(moved.from, moved.side, p);
        const after = count(position, moved.side, p);
        for (let k = after; k < before; k++) left.push([p, k]);
        for (let k = before; k < after; k++) came.push([p, k]);
      }
    }
    const circles = (places, name, r) => places.map(([p, k]) => {
      const { x, y } = this.geometry.checker(moved.side, p, k);
      return svg('circle', { cx: x, cy: y, r, class: name });
    });
    // A checker that left the top of a high stack leaves no hole to be seen.
    const holes = left.filter(([p, k]) => k < (p === 25 ? onBar : stacked));
    this.layers.marks.replaceChildren(...circles(holes, 'ghost', radius - 6));
    this.layers.rings.replaceChildren(...circles(came, 'ring', radius - 2));
  }

  throwDice({ dice, roller, rollId }, still) {
    const key = dice?.length ? `${rollId} ${roller} ${dice}` : '';
    if (key === this.thrown) return;
    this.thrown = key;
    const drawn = (key ? dice : []).map((value, i) => {
      const owner = roller < 0 ? i : roller;
      const at = this.geometry.rightHand(owner);
      const angle = ((rollId * 37 + value * 53 + i * 71) % 25) - 12;
      const die = newDie(owner, value, angle);
      if (still) die.classList.add('resting');
      move(die, { x: at.x + (roller < 0 ? 0 : (i - 0.5) * 92), y: at.y });
      return die;
    });
    this.layers.dice.replaceChildren(...drawn);
  }

  placeCube(cube) {
    const { el, text } = this.cube;
    if (!cube) {
      el.classList.add('away');
      return;
    }
    el.classList.toggle('offered', cube.offered >= 0);
    text.textContent = cube.offered >= 0 ? cube.value * 2 : cube.value;
    text.setAttribute('font-size', text.textContent.length > 1 ? 26 : 32);
    move(el, cube.offered >= 0 ? this.geometry.offered(cube.offered) : this.geometry.cube(cube.owner));
    if (el.classList.contains('away')) el.getBoundingClientRect(); // it appears in its place and does not glide there
    el.classList.remove('away');
  }
}
