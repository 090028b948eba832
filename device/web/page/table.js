// The table's page: the screen beside the board, and for those who have signed in two clock buttons and the director's
// decisions.
import { Calls } from './calls.js';
import { clockText, Countdown } from './countdown.js';
import { Decisions } from './decisions.js';
import { nameOf } from './players.js';
import { Answer } from './send.js';
import { Stream } from './stream.js';
import { digits, t } from './texts.js';
import { tools } from './tools.js';

const colours = ['light', 'dark'];
const byId = (id) => document.getElementById(id);
const clocks = [...document.querySelectorAll('.clock')];
const presses = [...document.querySelectorAll('[data-press]')];
const calls = new Calls(byId('calls'), { faults: true });

let message = null;
let countdown = null;
let link = 'connecting';
const answer = new Answer(byId('answer'));
const decisions = new Decisions(answer);

tools(() => {
  answer.clear(); // it was in the other language
  render();
});
new Stream({
  state(m) {
    message = m;
    countdown = m.state.clock ? new Countdown(m.state.clock, m.age_ms, m.rate) : null;
    render();
  },
  event(e) { calls.tell(e); },
  status(s) { link = s; renderLink(); },
}, '/events?at=table');

function render() {
  renderLink();
  const state = message?.state;
  const names = [0, 1].map((side) => nameOf(state, side));
  decisions.show(state);
  for (const [side, clock] of clocks.entries()) {
    clock.querySelector('.name').textContent = names[side];
    clock.querySelector('.score').textContent = state ? digits(state.score[colours[side]]) : '';
    if (presses.length) clock.setAttribute('aria-label', `${t('table.press')}: ${names[side]}`);
  }
  if (!state) return;
  const about = [state.length ? t('page.match_to', { n: state.length }) : t('page.money'), t('page.game', { n: state.game })];
  byId('match').textContent = about.join(' · ');
  byId('crawford').hidden = !state.crawford;
  renderCube(state.cube);
  calls.show(state);
}

// renderCube puts the cube before its owner, or between the players.
function renderCube(cube) {
  const el = byId('cube');
  const owner = colours.indexOf(cube.offered ? colours[1 - colours.indexOf(cube.offered)] : cube.owner);
  const value = cube.offered ? 2 * cube.value : cube.value;
  document.querySelectorAll('.holds')[owner < 0 ? 2 : owner].append(el);
  el.hidden = !cube.enabled;
  el.textContent = digits(value);
  el.classList.toggle('wide', value > 99);
  el.classList.toggle('offered', Boolean(cube.offered));
  el.setAttribute('aria-label', `${t('table.cube')}: ${digits(value)}`);
}

function renderLink() {
  byId('link').dataset.state = link;
  byId('link-text').textContent = t({ live: 'page.live', connecting: 'page.connecting', lost: 'page.reconnecting' }[link]);
}

function tick() {
  const now = countdown?.now();
  const clock = message?.state.clock;
  for (const [side, el] of clocks.entries()) {
    const flagged = clock?.flagged === colours[side];
    const running = now?.running === colours[side];
    const time = el.querySelector('time');
    write(time, now ? clockText(now.remaining[side], flagged) : '–:––');
    time.classList.toggle('long', time.textContent.length > 5);
    write(el.querySelector('.delay'), running && now.delay > 0 ? `${t('page.delay')} ${digits(Math.ceil(now.delay / 1000))}` : '');
    el.classList.toggle('running', running);
    el.classList.toggle('flagged', flagged);
    el.classList.toggle('paused', Boolean(now) && !now.running && !clock.flagged && message.state.turn === colours[side]);
  }
}
setInterval(tick, 100);

// write changes a text only when it differs, so that a page at rest costs nothing.
function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

function press(side) {
  answer.of('/press', { side: colours[side] });
  presses[side].classList.add('down');
  setTimeout(() => presses[side].classList.remove('down'), 150);
}

for (const [side, button] of presses.entries()) {
  // The moment that counts is when the finger goes down, not when it leaves.
  button.addEventListener('pointerdown', (e) => { if (e.button === 0) press(side); });
  button.addEventListener('click', (e) => { if (e.detail === 0) press(side); }); // from the keyboard
}

const keys = { KeyA: 0, KeyL: 1, ShiftLeft: 0, ShiftRight: 1 };
addEventListener('keydown', (e) => {
  if (!presses.length || e.repeat || e.ctrlKey || e.altKey || e.metaKey || e.target.matches?.('input') || !(e.code in keys)) return;
  press(keys[e.code]);
});

byId('full').addEventListener('click', () => {
  scrollTo(0, 0);
  document.documentElement.requestFullscreen();
});

render();
