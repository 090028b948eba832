// One table in detail: what the camera sees and the referee makes of it, what is open, and every decision.
import { Board } from './board.js';
import { Cases } from './cases.js';
import { Decisions } from './decisions.js';
import { Editor } from './editor.js';
import { Game } from './game.js';
import { nameOf, Players } from './players.js';
import { Poll } from './poll.js';
import { pips, start, tell } from './position.js';
import { Answer } from './send.js';
import { Stream } from './stream.js';
import { digits, has, t } from './texts.js';
import { tools } from './tools.js';

const { desk } = document.body.dataset; // below which all about the table lies
const byId = (id) => document.getElementById(id);
const narrow = matchMedia('(max-width: 640px), (max-height: 520px)');
const board = new Board(byId('board'));
const players = new Players(byId('player-top'), byId('player-bottom'));
const answer = new Answer(byId('answer'));
const decisions = new Decisions(answer, `${desk}/decision`);
const cases = new Cases(byId('cases'), (what, more) => decisions.decide(what, more));
const editor = new Editor(byId('editor'), (position, side, without) => {
  decisions.decide(without ? 'exclude' : 'set', { side, position }).then((reply) => { if (reply?.ok) byId('editor-box').open = false; });
});

let message = null;
let open = [];
let link = 'connecting';

tools(() => { answer.clear(); render(); if (byId('editor-box').open) openEditor(); });
new Stream({
  state(m) {
    const first = !message;
    message = m;
    render(first);
    polled.now(); // what is open may have changed
  },
  event() {},
  status(s) { link = s; renderLink(); },
}, `${desk}/events`);
// Pictures of a ruling are kept a moment after it: what is open is asked for again and again.
const polled = new Poll(`${desk}/cases.json`, 3000, (list) => { open = list; renderCases(); });

function render(atOnce = false) {
  renderLink();
  const state = message?.state;
  decisions.show(state);
  renderCases();
  const bottom = state?.layout.bottom === 'dark' ? 1 : 0;
  board.lay(bottom, state?.layout.home ?? 'right', narrow.matches);
  if (!state) {
    board.show({ position: start(), cube: null, counter: bottom, moved: null }, true);
    byId('now').textContent = t('page.waiting');
    return;
  }
  const game = new Game(state);
  const view = game.live(bottom);
  const position = view.position ?? start();
  board.show({ ...view, position }, atOnce);
  players.show(message, bottom, [0, 1].map((side) => pips(position, side)));
  const about = [state.length ? t('page.match_to', { n: state.length }) : t('page.money'), t('page.game', { n: state.game })];
  byId('about').textContent = `${[0, 1].map((side) => `\u2068${nameOf(state, side)}\u2069`).join(' – ')} · ${about.join(' · ')}`;
  byId('crawford').hidden = !state.crawford;
  byId('now').textContent = state.cube.offered
    ? t('phase.offered', { player: name(state, state.cube.offered), other: name(state, state.cube.offered === 'dark' ? 'light' : 'dark') })
    : t(`phase.${state.phase}`, { player: name(state, state.turn) });
  byId('faults').replaceChildren(...(state.faults ?? []).filter((f) => has(`fault.${f}`)).map((f) => Object.assign(document.createElement('li'), { textContent: t(`fault.${f}`) })));
  const words = [0, 1].map((side) => tell(position, side, nameOf(state, side))).join(' ');
  if (byId('position').textContent !== words) byId('position').textContent = words;
  renderPlays(state, game.turns());
}

const name = (state, side) => nameOf(state, side === 'dark' ? 1 : 0);

function renderLink() {
  byId('link').dataset.state = link;
  byId('link-text').textContent = t({ live: 'page.live', connecting: 'page.connecting', lost: 'page.reconnecting' }[link]);
}

function renderCases() {
  cases.show(open, message?.state);
  byId('nothing').hidden = open.length > 0;
}

// renderPlays lists the turns of this game, the newest first, each with a way back to before it (DIR-5).
let played = '';
function renderPlays(state, turns) {
  const key = JSON.stringify([turns.map((turn) => [turn.seq, turn.text, turn.illegal]), state.players, document.documentElement.lang]);
  if (key === played) return;
  played = key;
  byId('plays').replaceChildren(...turns.map((turn, i) => {
    const row = document.createElement('li');
    const what = `${turn.dice?.length ? `${digits(turn.dice.join(''))} ` : ''}${turn.written ? `\u2066${turn.text}\u2069` : turn.text}`;
    const text = Object.assign(document.createElement('span'), { className: 'turn-text', textContent: what });
    const who = Object.assign(document.createElement('i'), { className: `swatch ${turn.side}` });
    who.setAttribute('aria-hidden', 'true');
    const player = Object.assign(document.createElement('span'), { className: 'unseen', textContent: `${name(state, turn.side)}: ` });
    row.value = i + 1;
    row.append(Object.assign(document.createElement('span'), { className: 'hint number', textContent: digits(i + 1) }), who, player, text);
    if (turn.illegal) row.append(Object.assign(document.createElement('span'), { className: 'chip', textContent: t('page.illegal') }));
    if (turn.seq) {
      const back = Object.assign(document.createElement('button'), { type: 'button', className: 'back-to', textContent: '↩', title: t('console.undo_to') });
      back.setAttribute('aria-label', `${t('console.undo_to')}: ${i + 1}`);
      back.addEventListener('click', () => {
        if (confirm(t('console.undo_sure', { n: i + 1, text: what }))) decisions.decide('undo', { seq: turn.seq });
      });
      row.append(back);
    }
    return row;
  }).reverse());
}

function openEditor() {
  const state = message?.state;
  if (state) editor.open(state, [0, 1].map((side) => nameOf(state, side)));
}
byId('editor-box').addEventListener('toggle', () => { if (byId('editor-box').open) openEditor(); });

// The picture is asked for while it is in view; the next one only when the last has come.
const picture = byId('picture');
if (picture) {
  let seen = true;
  new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }).observe(picture.parentElement);
  const next = () => {
    if (document.hidden || !seen) return void setTimeout(next, 1000);
    const reply = fetch(`${desk}/picture.jpg${byId('drawn').checked ? '' : '?plain=1'}`, { cache: 'no-store' });
    reply.then(async (r) => {
      const there = r.status === 200;
      if (there) await showPicture(await r.blob());
      picture.hidden = !there;
      byId('no-picture').hidden = there;
    }).catch(() => {}).finally(() => setTimeout(next, 700));
  };
  next();
}

async function showPicture(blob) {
  const bitmap = await createImageBitmap(blob);
  if (picture.width !== bitmap.width) Object.assign(picture, { width: bitmap.width, height: bitmap.height });
  picture.getContext('2d').drawImage(bitmap, 0, 0);
  bitmap.close();
}

narrow.addEventListener('change', () => render());
render();
