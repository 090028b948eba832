// The overlay: a table in a broadcaster's picture. What it shows, where and how large is said by the query.
import { Board } from './board.js';
import { Calls } from './calls.js';
import { Chances } from './chances.js';
import { Game } from './game.js';
import { nameOf, Players } from './players.js';
import { pips, start } from './position.js';
import { Stream } from './stream.js';
import { t } from './texts.js';

const byId = (id) => document.getElementById(id);
const wish = new URLSearchParams(location.search);
const colours = { green: '00ff00', blue: '0000ff', magenta: 'ff00ff' };
const corners = ['top', 'bottom', 'left', 'right', 'centre', 'top-left', 'top-right', 'bottom-left', 'bottom-right'];
const usual = 'score,clock,pips,play,calls,chances';

// pick returns a value of the query if it is one of those that are known.
const pick = (name, known, otherwise) => (known.includes(wish.get(name)) ? wish.get(name) : otherwise);

// number returns a number of the query within its bounds.
function number(name, least, most, otherwise) {
  const value = Number.parseFloat(wish.get(name));
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}

const parts = new Set((wish.get('parts') || usual).split(',').map((part) => part.trim()));
const { style, dataset } = document.documentElement;
style.setProperty('--size', number('size', 0.25, 4, 1));
style.setProperty('--board', number('board', 200, 1920, 860));
const chroma = colours[wish.get('chroma')] ?? wish.get('chroma') ?? '';
if (/^[0-9a-f]{6}$/i.test(chroma)) {
  style.setProperty('--behind', `#${chroma}`);
  dataset.chroma = chroma;
}
dataset.at = pick('at', corners, 'bottom');
byId('dark').media = wish.get('theme') === 'light' ? 'not all' : 'all';
for (const el of document.querySelectorAll('[data-part]')) el.hidden = !el.dataset.part.split(' ').some((part) => parts.has(part));
for (const part of ['score', 'clock', 'pips']) document.body.classList.toggle(`no-${part}`, !parts.has(part));

const board = new Board(byId('board'));
const players = new Players(byId('player-second'), byId('player-first'));
const calls = new Calls(byId('calls'));
const chances = new Chances(byId('chances'));
let shown = false;

new Stream({
  state(message) {
    render(message, !shown);
    shown = true;
    document.body.hidden = false; // before the first state there is nothing to show, and a broadcast shows nothing
  },
  event(e) { calls.tell(e); },
  status() {},
});

function render(message, atOnce) {
  const { state } = message;
  const bottom = pick('bottom', ['light', 'dark'], state.layout?.bottom) === 'dark' ? 1 : 0;
  const game = new Game(state);
  const view = game.live(bottom);
  const position = view.position ?? start();
  if (parts.has('board')) {
    board.lay(bottom, pick('home', ['left', 'right'], state.layout?.home === 'left' ? 'left' : 'right'), false);
    board.show({ ...view, position }, atOnce);
  }
  players.show(message, bottom, [0, 1].map((side) => pips(position, side)));
  calls.show(state);
  if (parts.has('chances')) chances.show(state, [nameOf(state, 0), nameOf(state, 1)], bottom);
  byId('length').textContent = state.length ? t('page.match_to', { n: state.length }) : t('page.money');
  byId('game').textContent = state.crawford ? t('page.crawford') : state.game ? t('page.game', { n: state.game }) : '';
  renderCube(view.cube, bottom);
  byId('play').textContent = tell(state, game.turns().at(-1));
  byId('play').hidden = !parts.has('play') || !byId('play').textContent;
}

// renderCube shows the cube's value and points to its owner.
function renderCube(cube, bottom) {
  const el = byId('cube');
  el.hidden = !cube;
  if (!cube) return;
  el.querySelector('b').textContent = cube.value === 1 ? 64 : cube.value;
  const owner = cube.owner < 0 ? 'middle' : cube.owner === bottom ? 'first' : 'second';
  if (el.dataset.owner !== owner) el.dataset.owner = owner;
}

// tell says what there is to say of the game at this moment: the result, or the play made last.
function tell(state, last) {
  const at = (side) => nameOf(state, side === 'dark' ? 1 : 0);
  if (state.winner) return t(state.phase === 'match_over' ? 'page.wins_match' : 'page.wins', { player: at(state.winner) });
  if (!last) return '';
  const text = last.written ? `\u2066${last.text}\u2069` : last.text;
  return `${at(last.side)}  ${last.dice?.length ? `\u2066${last.dice.join('-')}\u2069  ` : ''}${text}`;
}
