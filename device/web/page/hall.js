// The hall: all tables at a glance, each a link to its own page.
import { nameOf } from './players.js';
import { Stream } from './stream.js';
import { digits, t } from './texts.js';
import { tools } from './tools.js';

const byId = (id) => document.getElementById(id);
const cards = new Map(); // by club and table
let clubs = new Map(); // section of each club
let deaf = false;
let link = 'connecting';
let known = false;

byId('missing').hidden = location.pathname === '/';
tools(() => {
  for (const card of cards.values()) fill(card);
  byId('find').placeholder = t('page.hall_find');
  render();
});

new Stream({
  state({ state }) { // the whole list
    const here = new Set(state.tables.map(keyOf));
    for (const key of [...cards.keys()]) if (!here.has(key)) drop(key);
    take(state);
  },
  tables: take, // what is new in it
  event() {},
  status(s) {
    link = s;
    render();
  },
}, '/events');

function take(list) {
  known = true;
  deaf = Boolean(list.deaf);
  for (const row of list.tables) {
    if (row.gone) drop(keyOf(row));
    else put(row);
  }
  render();
}

function keyOf(row) { return `${row.club}/${row.table}`; }

function put(row) {
  const key = keyOf(row);
  let card = cards.get(key);
  if (!card) {
    card = { el: document.createElement('a') };
    card.el.className = 'card';
    card.el.href = `/t/${encodeURIComponent(row.club)}/${encodeURIComponent(row.table)}/`;
    card.el.innerHTML = `<span class="top"><b class="table"></b><span class="what"></span></span>
      <span class="line" data-side="light"><span class="swatch"></span><bdi></bdi><b></b></span>
      <span class="line" data-side="dark"><span class="swatch"></span><bdi></bdi><b></b></span>`;
    cards.set(key, card);
    card.row = row;
    place(card);
  }
  card.row = row;
  fill(card);
}

// place puts a card among those of its club, in the order of tables.
function place(card) {
  const { club } = card.row;
  let section = clubs.get(club);
  if (!section) {
    section = document.createElement('section');
    section.innerHTML = '<h2 dir="auto"></h2><div class="cards"></div>';
    section.querySelector('h2').textContent = club;
    clubs.set(club, section);
    clubs = new Map([...clubs].sort(([a], [b]) => a.localeCompare(b)));
    byId('clubs').replaceChildren(...clubs.values());
  }
  const list = section.querySelector('.cards');
  const order = new Intl.Collator(undefined, { numeric: true });
  const next = [...cards.values()].filter((other) => other !== card && other.row.club === club && order.compare(other.row.table, card.row.table) > 0)
    .sort((a, b) => order.compare(a.row.table, b.row.table))[0];
  list.insertBefore(card.el, next?.el ?? null);
}

function drop(key) {
  const card = cards.get(key);
  if (!card) return;
  card.el.remove();
  cards.delete(key);
}

function fill({ el, row }) {
  el.querySelector('.table').textContent = t('page.hall_table', { table: digits(row.table) });
  el.querySelector('.what').textContent = what(row);
  for (const [i, side] of ['light', 'dark'].entries()) {
    const line = el.querySelector(`[data-side="${side}"]`);
    line.querySelector('bdi').textContent = nameOf(row, i);
    line.querySelector('b').textContent = digits(row.score[side]);
    line.classList.toggle('on-turn', !row.away && row.turn === side);
    line.classList.toggle('winner', row.winner === side);
  }
  el.classList.toggle('away', Boolean(row.away));
  el.classList.toggle('called', row.calls > 0);
}

// what says how far a table is.
function what(row) {
  if (row.away) return t(`page.away_${row.away}`);
  const words = [row.length ? t('page.match_to', { n: row.length }) : t('page.money')];
  if (row.game) words.push(t('page.game', { n: row.game }));
  if (row.cube) words.push(`×${digits(row.cube)}`);
  if (row.paused) words.push(t('page.hall_pause'));
  return words.join(' · ');
}

function render() {
  const wanted = byId('find').value.trim().toLocaleLowerCase();
  let seen = 0;
  for (const { el, row } of cards.values()) {
    const fits = !wanted || [row.club, row.table, ...row.players].some((word) => word.toLocaleLowerCase().includes(wanted));
    el.hidden = !fits;
    if (fits) seen++;
  }
  for (const [club, section] of clubs) section.hidden = ![...cards.values()].some(({ el, row }) => row.club === club && !el.hidden);
  byId('find').parentElement.hidden = cards.size < 9;
  const none = byId('none');
  none.hidden = seen > 0 || !known;
  none.textContent = cards.size ? t('page.hall_nothing') : t('page.hall_none');
  byId('link').dataset.state = link === 'live' && deaf ? 'lost' : link;
  byId('link-text').textContent = link === 'live' && deaf ? t('page.hall_deaf') : t({ live: 'page.live', connecting: 'page.connecting', lost: 'page.reconnecting' }[link]);
}

byId('find').addEventListener('input', render);
render();
