// The live page: one table followed from afar.
import { Board } from './board.js';
import { Calls } from './calls.js';
import { Chances, errorsOf } from './chances.js';
import { Game } from './game.js';
import { nameOf, Players } from './players.js';
import { Plays } from './plays.js';
import { pips, start, tell } from './position.js';
import { Stream } from './stream.js';
import { digits, t, told } from './texts.js';
import { tools } from './tools.js';

const byId = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 640px), (max-height: 520px)');
const board = new Board(byId('board'));
const players = new Players(byId('player-top'), byId('player-bottom'));
const calls = new Calls(byId('calls'));
const chances = new Chances(byId('chances'));
const plays = new Plays(byId('plays'), (i) => choose(i));
const wish = JSON.parse(localStorage.getItem('davar.layout') || '{}'); // the viewer's own sides: {flip, mirror}

let message = null; // newest from the server
let game = null;
let chosen = null; // index of the past play shown; null follows the game
let link = 'connecting';
let away; // why the table itself is not heard
let late = 0; // ms that what is shown is held back

tools(() => { plays.key = ''; render(); renderLink(); });
new Stream({
  state(m) {
    const first = !message;
    const another = message && (message.state.match !== m.state.match || message.state.game !== m.state.game);
    message = m;
    if (first || m.state.away !== away) renderLink();
    away = m.state.away;
    game = new Game(m.state);
    if (another || (chosen !== null && chosen >= m.state.plays.length)) chosen = null;
    render(first);
  },
  event(e) {
    calls.tell(e);
    aloud(told(e.text));
  },
  late(ms) { late = ms; },
  status(s) {
    link = s;
    renderLink();
  },
});

// aloud has a screen reader say something; what was said before is let go of after a while.
function aloud(text) {
  const said = byId('aloud');
  if (!text || said.lastChild?.textContent === text) return;
  said.append(Object.assign(document.createElement('p'), { textContent: text }));
  while (said.children.length > 4) said.firstChild.remove();
}

// layout says who sits at the bottom (0 light, 1 dark) and where the home boards lie: as at the table, unless the
// viewer wants it otherwise.
function layout() {
  const table = message?.state.layout ?? {};
  const bottom = (table.bottom === 'dark' ? 1 : 0) ^ (wish.flip ? 1 : 0);
  const left = (table.home === 'left') !== Boolean(wish.mirror);
  return { bottom, home: left ? 'left' : 'right' };
}

// render brings the page in line with the state; atOnce spares the viewer checkers that glide from nowhere.
function render(atOnce = false) {
  const { bottom, home } = layout();
  board.lay(bottom, home, narrow.matches);
  if (!message) {
    board.show({ position: start(), cube: null, counter: bottom, moved: null }, true);
    byId('now').textContent = t('page.waiting');
    return;
  }
  const { state } = message;
  const turns = game.turns().map((turn) => ({ ...turn, errors: errorsOf(state, turn.seq) }));
  const view = chosen === null ? game.live(bottom) : game.at(chosen);
  const position = view.position ?? start();
  board.show({ ...view, position }, atOnce);
  players.show(message, bottom, [0, 1].map((side) => pips(position, side)));
  plays.show(turns, [nameOf(state, 0), nameOf(state, 1)], chosen);
  calls.show(state);
  chances.show(state, [nameOf(state, 0), nameOf(state, 1)]);
  renderHead(state);
  renderNow(state, turns.findLast((turn) => turn.dice?.length));
  renderTimeline(state);
  renderWords(state, view, position);
  renderCamera(state);
}

function renderHead(state) {
  byId('length').textContent = state.length ? t('page.match_to', { n: state.length }) : t('page.money');
  byId('game').textContent = state.game ? t('page.game', { n: state.game }) : '';
  byId('crawford').hidden = !state.crawford;
  document.title = `${nameOf(state, 0)} ${digits(state.score.light)}–${digits(state.score.dark)} ${nameOf(state, 1)} · ${t('page.brand')}`;
}

function renderNow(state, last) {
  const at = (side) => nameOf(state, side === 'dark' ? 1 : 0);
  const other = (side) => at(side === 'dark' ? 'light' : 'dark');
  let text = t(`phase.${state.phase}`, { player: at(state.turn) });
  if (state.cube.offered) text = t('phase.offered', { player: at(state.cube.offered), other: other(state.cube.offered) });
  else if (state.winner) text = t(state.phase === 'match_over' ? 'page.wins_match' : 'page.wins', { player: at(state.winner) });
  byId('now').textContent = text;
  byId('last').textContent = last
    ? `${t('page.last_play')}: ${at(last.side)} ${last.dice.join('')} ${last.written ? `\u2066${last.text}\u2069` : last.text}` : '';
}

function renderTimeline(state) {
  const last = state.plays.length - 1;
  const past = chosen !== null;
  document.body.classList.toggle('past', past);
  byId('back').hidden = !past;
  if (past) byId('viewing').textContent = chosen < 0 ? t('page.viewing_start') : t('page.viewing', { n: chosen + 1 });
  byId('first').disabled = byId('previous').disabled = last < 0 || chosen === game.first;
  byId('next').disabled = byId('live').disabled = !past;
}

function renderWords(state, view, position) {
  const names = [nameOf(state, 0), nameOf(state, 1)];
  const sentences = names.map((name, side) => tell(position, side, name));
  sentences.push(...names.map((name, side) => t('aloud.pips', { side: name, n: pips(position, side) })));
  if (view.dice?.length === 2) sentences.push(t('aloud.dice', { a: view.dice[0], b: view.dice[1] }));
  if (view.cube) {
    const { owner, value } = view.cube;
    sentences.push(owner < 0 ? t('aloud.cube_middle', { value }) : t('aloud.cube_owned', { value, side: names[owner] }));
  }
  sentences.push(t('aloud.score', { light: names[0], dark: names[1], x: state.score.light, y: state.score.dark }));
  const words = sentences.join(' ');
  const el = byId('position');
  if (el.textContent !== words) el.textContent = words;
  if (chosen !== null) aloud(`${byId('viewing').textContent}. ${words}`);
}

function renderLink() {
  const el = byId('link');
  el.dataset.state = link;
  const seconds = Math.round(late / 1000);
  const away = link === 'live' && message?.state.away;
  if (away) el.dataset.state = 'lost';
  const live = away ? `page.away_${away}` : !late ? 'page.live' : message ? 'page.late' : 'page.held';
  byId('link-text').textContent = t({ live, connecting: 'page.connecting', lost: 'page.reconnecting' }[link],
    { late: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` });
}

// choose shows the position after play i; past the last play, and null, means following the game.
function choose(i) {
  if (!game) return;
  const last = game.state.plays.length - 1;
  chosen = i === null || i > last || last < 0 ? null : Math.max(i, game.first);
  render();
}

// While a roll is being played the live position is one step past the last play; between turns it is that play's.
function step(by) {
  if (!game) return;
  const now = game.state.plays.length - (game.state.dice?.length ? 0 : 1);
  choose((chosen ?? now) + by);
}

byId('first').addEventListener('click', () => choose(game.first));
byId('previous').addEventListener('click', () => step(-1));
byId('next').addEventListener('click', () => step(1));
byId('live').addEventListener('click', () => choose(null));
byId('back').addEventListener('click', () => choose(null));

addEventListener('keydown', (e) => {
  if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || !game) return;
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => choose(game.first), End: () => choose(null), Escape: () => choose(null),
  };
  if (!keys[e.key]) return;
  keys[e.key]();
  e.preventDefault();
});

for (const name of ['flip', 'mirror']) {
  byId(name).addEventListener('click', () => {
    wish[name] = !wish[name];
    localStorage.setItem('davar.layout', JSON.stringify(wish));
    render();
  });
}
narrow.addEventListener('change', () => render());

// The camera's picture is fetched only while somebody has opened it.
function renderCamera(state) {
  byId('camera').hidden = !state.has_frame;
  byId('frame').alt = t('page.camera_alt');
}
setInterval(() => {
  if (byId('camera').open && !document.hidden) byId('frame').src = `frame.jpg?${Date.now()}`;
}, 1000);

render();
