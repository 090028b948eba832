// Setting a position by hand: a board of buttons, each tap adds or takes away a checker.
import { decode, start } from './position.js';
import { digits, t } from './texts.js';

const colours = ['light', 'dark'];
const tools = ['light', 'dark', 'remove'];
const empty = () => ({ points: Array(24).fill(0), bar: [0, 0] });

export class Editor {
  // host gets the editor; set(position, side, without) is called with what was made: the position as the referee takes
  // it, who is on roll, and whether checkers that are missing stay out of the game.
  constructor(host, set) {
    Object.assign(this, { host, set, tool: 'light', position: empty(), names: ['', ''] });
    this.layout = { bottom: 'light', home: 'right' };
  }

  // open shows the editor for a state; a position that is being made stays.
  open(state, names) {
    this.state = state;
    this.names = names;
    if (!this.begun) this.position = { points: [...state.points], bar: [...state.bar] };
    this.layout = state.layout;
    this.build();
  }

  build() {
    const focused = document.activeElement?.dataset?.cell;
    this.host.replaceChildren(this.tools(), this.board(), this.sum(), this.sources(), this.finish());
    if (focused) this.host.querySelector(`[data-cell="${focused}"]`)?.focus();
  }

  change(position) {
    this.begun = true;
    this.position = position;
    this.build();
  }

  tools() {
    const group = element('fieldset', 'editor-tools');
    group.append(element('legend', '', t('console.tool')));
    for (const tool of tools) {
      const label = element('label', 'switch');
      const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'tool', checked: this.tool === tool });
      input.addEventListener('change', () => { this.tool = tool; });
      label.append(input, element('span', '', t(`console.tool_${tool}`)));
      group.append(label);
    }
    return group;
  }

  // board lays the points out as they lie before the camera.
  board() {
    const board = element('div', 'editor-board');
    board.dir = 'ltr';
    const dark = this.layout.bottom === 'dark';
    const own = (p) => (dark ? 25 - p : p); // from the side at the bottom to light's numbering
    const rows = [[13, 14, 15, 16, 17, 18, 'top', 19, 20, 21, 22, 23, 24], [12, 11, 10, 9, 8, 7, 'bottom', 6, 5, 4, 3, 2, 1]];
    for (const row of rows) {
      if (this.layout.home === 'left') row.reverse();
      for (const at of row) {
        // A hit checker waits on the half of the bar where it will enter.
        board.append(typeof at === 'number' ? this.cell(own(at)) : this.barCell((at === 'top') === dark ? 1 : 0));
      }
    }
    return board;
  }

  cell(point) {
    const n = this.position.points[point - 1];
    const cell = this.button(`p${point}`, n > 0 ? 0 : 1, Math.abs(n));
    cell.setAttribute('aria-label', t('console.cell_point', { n: point, what: this.what(n > 0 ? 0 : 1, Math.abs(n)) }));
    cell.prepend(element('small', '', digits(point)));
    cell.addEventListener('click', () => {
      const points = [...this.position.points];
      const add = { light: 1, dark: -1 }[this.tool];
      points[point - 1] = add ? (Math.sign(n) === -add ? add : n + add) : n - Math.sign(n);
      this.change({ ...this.position, points });
    });
    return cell;
  }

  barCell(side) {
    const n = this.position.bar[side];
    const cell = this.button(`bar${side}`, side, n, 'bar');
    cell.setAttribute('aria-label', t('console.cell_bar', { side: t(`side.${colours[side]}`), what: this.what(side, n) }));
    cell.addEventListener('click', () => {
      const bar = [...this.position.bar];
      bar[side] = Math.max(0, n + (this.tool === 'remove' ? -1 : 1));
      this.change({ ...this.position, bar });
    });
    return cell;
  }

  button(name, side, n, kind = '') {
    const cell = element('button', `cell ${kind}`);
    cell.type = 'button';
    cell.dataset.cell = name;
    const disc = element('i', `disc ${n ? colours[side] : 'none'}`, n ? digits(n) : '');
    cell.append(disc);
    return cell;
  }

  what(side, n) { return n ? t('console.cell_count', { side: t(`side.${colours[side]}`), n }) : t('console.cell_empty'); }

  // onBoard counts a side's checkers.
  onBoard(side) {
    const own = this.position.points.map((n) => Math.max(0, side ? -n : n));
    return own.reduce((a, b) => a + b, 0) + this.position.bar[side];
  }

  sum() {
    const p = element('p', 'hint');
    p.setAttribute('role', 'status');
    const counts = [0, 1].map((side) => this.onBoard(side));
    const over = counts.findIndex((n) => n > 15);
    p.textContent = over >= 0 ? t('console.editor_too_many', { side: t(`side.${colours[over]}`), n: counts[over] })
      : counts.map((n, side) => t('console.on_board', { side: t(`side.${colours[side]}`), n, off: 15 - n })).join(' · ');
    p.classList.toggle('refused', over >= 0);
    this.fits = over < 0;
    return p;
  }

  sources() {
    const row = element('div', 'row');
    const source = (key, position) => {
      const button = element('button', '', t(key));
      button.type = 'button';
      button.addEventListener('click', () => this.change(position()));
      row.append(button);
    };
    source('console.editor_now', () => ({ points: [...this.state.points], bar: [...this.state.bar] }));
    source('console.editor_start', () => ({ points: [...start().points], bar: [0, 0] }));
    source('console.editor_clear', empty);
    const label = element('label', 'id-label');
    const onRoll = this.state.turn === 'dark' ? 1 : 0;
    const input = Object.assign(document.createElement('input'), { maxLength: 14, dir: 'ltr', autocomplete: 'off', spellcheck: false });
    label.append(element('span', '', t('console.editor_roll_id', { player: this.names[onRoll] })), input);
    input.addEventListener('input', () => {
      const position = decode(input.value.trim(), onRoll);
      if (position) this.change({ points: position.points, bar: position.bar });
    });
    row.append(label);
    return row;
  }

  finish() {
    const row = element('div', 'row');
    const label = element('label', 'switch');
    const without = Object.assign(document.createElement('input'), { type: 'checkbox', checked: Boolean(this.without) });
    without.addEventListener('change', () => { this.without = without.checked; });
    label.append(without, element('span', '', t('console.editor_exclude')));
    row.append(element('span', 'what', t('console.editor_set')), ...[0, 1].map((side) => {
      const button = element('button', 'main', this.names[side]);
      button.type = 'button';
      button.dataset.set = colours[side];
      button.setAttribute('aria-label', `${t('console.editor_set')} ${this.names[side]}`);
      button.disabled = !this.fits;
      button.addEventListener('click', () => {
        this.set(this.forReferee(without.checked), colours[side], without.checked);
        this.begun = false;
      });
      return button;
    }), label);
    return row;
  }

  // forReferee writes the position as rules.Position has it: each side in its own numbering, 0 off, 25 the bar. Checkers
  // that are left out of the game are not borne off either (IRREG-9).
  forReferee(without) {
    const sides = [0, 1].map((side) => {
      const own = Array(26).fill(0);
      this.position.points.forEach((n, i) => {
        if (side === 0 && n > 0) own[i + 1] = n;
        if (side === 1 && n < 0) own[24 - i] = -n;
      });
      own[25] = this.position.bar[side];
      own[0] = without ? this.state.off[side] : 15 - this.onBoard(side);
      return own;
    });
    return { Checkers: sides };
  }
}

function element(name, className = '', text = '') {
  const el = document.createElement(name);
  if (className) el.className = className;
  if (text) el.textContent = text;
  return el;
}
