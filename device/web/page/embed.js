// The embedded table: board, players and what goes on, in a frame of somebody else's page. Nothing is kept in the
// browser: a frame of another house may not.
import { Board } from './board.js';
import { Game } from './game.js';
import { nameOf, Players } from './players.js';
import { pips, start, tell } from './position.js';
import { Stream } from './stream.js';
import { t } from './texts.js';

const byId = (id) => document.getElementById(id);
const wish = new URLSearchParams(location.search);
const narrow = matchMedia('(max-width: 420px)');
const board = new Board(byId('board'));
const players = new Players(byId('player-top'), byId('player-bottom'));
let message = null;
let link = 'connecting';
let late = 0;

new Stream({
  state(m) {
    const first = !message;
    message = m;
    render(first);
  },
  event() {},
  late(ms) { late = ms; },
  status(s) {
    if (s === link) return;
    link = s;
    render();
  },
});

function side(state) {
  const wanted = wish.get('bottom');
  return (['light', 'dark'].includes(wanted) ? wanted : state?.layout?.bottom) === 'dark' ? 1 : 0;
}

function home(state) {
  const wanted = wish.get('home');
  return ['left', 'right'].includes(wanted) ? wanted : state?.layout?.home === 'left' ? 'left' : 'right';
}

function render(atOnce = false) {
  const state = message?.state;
  const bottom = side(state);
  board.lay(bottom, home(state), narrow.matches);
  renderNow(state);
  if (!state) {
    board.show({ position: start(), cube: null, counter: bottom, moved: null }, true);
    return;
  }
  const view = new Game(state).live(bottom);
  const position = view.position ?? start();
  board.show({ ...view, position }, atOnce);
  players.show(message, bottom, [0, 1].map((who) => pips(position, who)));
  const words = [0, 1].map((who) => tell(position, who, nameOf(state, who))).join(' ');
  if (byId('position').textContent !== words) byId('position').textContent = words;
}

function renderNow(state) {
  const at = (who) => nameOf(state, who === 'dark' ? 1 : 0);
  let text;
  if (link === 'lost') text = t('page.reconnecting');
  else if (!state) text = late ? t('page.held', { late: minutes(late) }) : t(link === 'live' ? 'page.waiting' : 'page.connecting');
  else if (state.away) text = t(`page.away_${state.away}`);
  else if (state.winner) text = t(state.phase === 'match_over' ? 'page.wins_match' : 'page.wins', { player: at(state.winner) });
  else text = [state.length ? t('page.match_to', { n: state.length }) : t('page.money'), t('page.game', { n: state.game })].join(' · ');
  if (byId('now').textContent !== text) byId('now').textContent = text;
}

function minutes(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

narrow.addEventListener('change', () => render(true));
render(true);
