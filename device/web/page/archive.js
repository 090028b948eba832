// The match log's pages: a click on a play shows the position after it.
import { Board } from './board.js';
import { decode, tell } from './position.js';
import { digits, t } from './texts.js';
import { tools } from './tools.js';

const byId = (id) => document.getElementById(id);
tools(() => location.reload()); // the sheet is written by the server

const stage = byId('stage');
const cells = [...document.querySelectorAll('td[data-position]')];
let board = null;

function choose(cell) {
  const side = cell.dataset.side === 'dark' ? 1 : 0;
  const position = decode(cell.dataset.position, side);
  if (!position) return;
  if (!board) {
    board = new Board(byId('board'));
    board.lay(0, 'right', matchMedia('(max-width: 640px)').matches);
  }
  for (const other of cells) other.removeAttribute('aria-current');
  cell.setAttribute('aria-current', 'true');
  cell.closest('table').before(stage); // it stays in view as long as the game's plays do
  stage.hidden = false;
  const dice = [...(cell.dataset.dice ?? '')].map(Number);
  const from = decode(cell.dataset.from, side);
  board.show({
    position, dice, roller: side, rollId: Number(cell.dataset.seq), cube: null, counter: 0,
    moved: from && dice.length ? { from, side } : null,
  });
  byId('board').setAttribute('aria-label', [0, 1].map((s) => tell(position, s, t(`side.${s ? 'dark' : 'light'}`))).join(' '));
  byId('position').textContent = t('page.viewing', { n: digits(cells.indexOf(cell) + 1) });
}

for (const cell of cells) {
  cell.tabIndex = 0;
  cell.setAttribute('role', 'button');
  cell.addEventListener('click', () => choose(cell));
}
addEventListener('keydown', (e) => {
  const at = cells.indexOf(document.activeElement);
  if (at < 0) return;
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0, ' ': 0 }[e.key];
  const next = step === undefined ? null : cells[at + step];
  if (!next) return;
  e.preventDefault();
  next.focus();
  choose(next);
});
