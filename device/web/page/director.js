// The console's first page: all tables, who needs the director first, and the tablets at the tables.
import { clockText, Countdown } from './countdown.js';
import { mini, rows } from './mini.js';
import { nameOf } from './players.js';
import { Poll } from './poll.js';
import { Answer, post } from './send.js';
import { digits, has, language, t, told } from './texts.js';
import { tools } from './tools.js';

const colours = ['light', 'dark'];
const urgent = new Set(['appeal', 'flag', 'question', 'ruling', 'camera', 'away', 'time']);
const byId = (id) => document.getElementById(id);
const cards = new Map(); // by keyOf the table
const keyOf = (table) => `${table.club ?? ''}/${table.name}`;
let tables = null;
let link = 'connecting';

const tablets = byId('tablets'); // none on the console of a hall, whose tables are elsewhere

tools(() => { cards.clear(); byId('tables').replaceChildren(); render(); if (tablets) showTablets(); });
new Poll('/director/tables.json', 1000, (list) => {
  tables = list;
  link = 'live';
  render();
}, () => { link = 'lost'; renderLink(); });

// element makes an element with a class and text.
function element(name, className = '', text = '') {
  const el = document.createElement(name);
  if (className) el.className = className;
  if (text) el.textContent = text;
  return el;
}

function renderLink() {
  byId('link').dataset.state = link;
  byId('link-text').textContent = t({ live: 'page.live', connecting: 'page.connecting', lost: 'page.reconnecting' }[link]);
}

function render() {
  renderLink();
  if (!tables) return;
  const waiting = tables.filter((table) => table.needs.length).length;
  const summary = tables.length === 0 ? t('console.no_tables')
    : waiting ? t('console.some_need', { n: waiting, all: tables.length }) : t('console.all_quiet');
  if (byId('summary').textContent !== summary) byId('summary').textContent = summary;
  const list = byId('tables');
  const gone = new Set(cards.keys());
  tables.forEach((table, i) => {
    const key = keyOf(table);
    gone.delete(key);
    if (!cards.has(key)) cards.set(key, new Card());
    const card = cards.get(key);
    card.show(table);
    if (list.children[i] !== card.el) list.insertBefore(card.el, list.children[i] ?? null); // moving one that stays would lose its focus
  });
  for (const key of gone) {
    cards.get(key).el.remove();
    cards.delete(key);
  }
}

// Card is one table in the list.
class Card {
  constructor() {
    this.el = element('li', 'table-card');
    this.head = element('div', 'table-head');
    this.name = element('h2');
    this.club = element('bdi', 'club');
    this.needs = element('p', 'needs');
    this.head.append(this.name, this.club, this.needs);
    this.players = [0, 1].map(() => {
      const row = element('p', 'seat');
      const swatch = element('i', 'swatch');
      swatch.setAttribute('aria-hidden', 'true');
      const parts = { row, swatch, name: element('bdi', 'name'), score: element('b', 'score'), time: element('time') };
      row.append(parts.swatch, parts.name, parts.score, parts.time);
      return parts;
    });
    this.about = element('p', 'hint');
    this.says = element('ul', 'says');
    this.board = element('div', 'mini');
    this.board.setAttribute('aria-hidden', 'true');
    this.open = element('a', 'open');
    const seats = element('div', 'seats');
    seats.append(...this.players.map((p) => p.row), this.about);
    this.el.append(this.head, this.board, seats, this.says, this.open);
  }

  show(table) {
    const key = JSON.stringify({ ...table, age_ms: 0, lang: language() });
    this.countdown = table.clock ? new Countdown(table.clock, table.age_ms, table.rate) : null;
    if (key !== this.key) this.fill(table);
    this.key = key;
    this.table = table;
    this.tick();
  }

  fill(table) {
    const write = (el, text) => { if (el.textContent !== text) el.textContent = text; };
    write(this.name, table.name ? t('console.table_n', { name: digits(table.name) }) : t('console.room_table'));
    write(this.club, table.club ?? '');
    this.needs.replaceChildren(...table.needs.map((need, i) => element('span', `need need-${need}${urgent.has(need) ? ' urgent' : ''}${i === 0 ? ' first' : ''}`, t(`console.need_${need}`))));
    this.el.classList.toggle('waits', table.needs.some((need) => urgent.has(need)));
    for (const [side, p] of this.players.entries()) {
      p.swatch.classList.toggle('dark', side === 1);
      write(p.name, nameOf(table.known ? table : null, side));
      write(p.score, table.known ? digits(table.score[colours[side]]) : '');
      p.row.classList.toggle('on-turn', table.turn === colours[side]);
    }
    const about = !table.known ? t('console.no_state')
      : [table.length ? t('page.match_to', { n: table.length }) : t('page.money'), t('page.game', { n: table.game }),
        t(`phase.${table.phase}`, { player: nameOf(table, table.turn === 'dark' ? 1 : 0) })].join(' · ');
    write(this.about, about);
    const pause = `pause.${table.clock?.paused || (table.appeal ? 'unclocked' : '')}`;
    const says = [...table.says.map(told), ...(has(pause) ? [t(pause)] : []), ...table.faults.map((f) => t(`fault.${f}`))];
    this.says.replaceChildren(...says.map((text) => element('li', '', text)));
    this.board.replaceChildren(...(table.known ? [mini(rows(table))] : []));
    this.open.hidden = !table.link;
    if (table.link) this.open.href = table.link;
    write(this.open, t('console.details'));
    this.open.setAttribute('aria-label', `${t('console.details')}: ${this.name.textContent} ${this.club.textContent}`.trim());
  }

  tick() {
    const now = this.countdown?.now();
    for (const [side, p] of this.players.entries()) {
      const flagged = this.table.clock?.flagged === colours[side];
      const text = now ? clockText(now.remaining[side], flagged) : '';
      if (p.time.textContent !== text) p.time.textContent = text;
      p.row.classList.toggle('running', now?.running === colours[side]);
      p.row.classList.toggle('flagged', flagged);
    }
  }
}
setInterval(() => { for (const card of cards.values()) card.tick(); }, 250);

// The tablets.
const answer = new Answer(byId('code'));

async function showTablets() {
  const reply = await fetch('/director/tablets.json', { cache: 'no-store' });
  if (!reply.ok) return;
  const list = await reply.json();
  const day = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  tablets.replaceChildren(...(list.length ? list.map((tablet) => {
    const row = element('li');
    const button = element('button', 'danger', t('console.revoke'));
    button.type = 'button';
    button.setAttribute('aria-label', `${t('console.revoke')}: ${tablet.name}`);
    button.addEventListener('click', () => revoke(tablet));
    row.append(element('bdi', '', tablet.name), element('span', 'hint', t('console.paired_on', { day: day.format(new Date(tablet.paired)) })), button);
    return row;
  }) : [element('li', 'hint', t('console.no_tablets'))]));
}

async function revoke(tablet) {
  if (!confirm(t('console.revoke_sure', { name: tablet.name }))) return;
  await post('/director/tablets/revoke', { id: tablet.id });
  showTablets();
}

async function invite(e) {
  e.preventDefault();
  byId('code').hidden = false;
  const reply = await answer.of('/director/tablets', { name: byId('tablet-name').value.trim() });
  if (!reply?.ok) return;
  const { code, minutes } = await reply.json();
  byId('code').replaceChildren(
    element('span', '', t('console.code_is', { address: `${location.origin}/pair` })),
    Object.assign(element('b', 'code', code), { dir: 'ltr' }), element('span', 'hint', t('console.code_lasts', { min: minutes })));
  byId('tablet-name').value = '';
}

if (tablets) {
  byId('invite').addEventListener('submit', invite);
  byId('invite').querySelector('button').disabled = false; // without this script the form would be sent as forms are
  setInterval(() => { if (!document.hidden) showTablets(); }, 10_000);
  showTablets();
}
renderLink();
