// What an engine makes of the game: the chances of both players as a bar, and the error of each decision. The server
// sends it to spectators alone, as late as all they see.
import { digits, language, t } from './texts.js';

const percent = (share) => digits(Math.round(100 * share)) + (language() === 'fa' ? '٪' : '%');

// errorsOf lists what a turn's decisions gave away, as short texts: of the cube and of the play.
export function errorsOf(state, seq) {
  const error = state.judged?.errors?.[seq] ?? {};
  return ['cube', 'play'].filter((part) => error[part] >= 0.02).map((part) => (
    { text: `${part === 'cube' ? `${t('page.cube')} ` : ''}${lost(error[part])}`, grave: error[part] >= 0.08 }));
}

// lost writes an error with the minus before it in both directions of writing.
function lost(error) {
  const figure = digits(error.toFixed(3));
  return `\u2066−${language() === 'fa' ? figure.replace('.', '٫') : figure}\u2069`;
}

// Chances draws the bar into host: the wins of the two sides from its ends, gammons and backgammons darker within them.
export class Chances {
  constructor(host) {
    this.host = host;
    host.className = 'chances';
    host.hidden = true;
  }

  // show draws what a state says; first is the side (0 light, 1 dark) at the beginning of the line.
  show(state, names, first = 0) {
    const chances = state.judged?.chances;
    this.host.hidden = !chances;
    const key = JSON.stringify([chances, names, first, language()]);
    if (!chances || key === this.key) return;
    this.key = key;
    const sides = [first, 1 - first].map((i) => this.side(['light', 'dark'][i], names[i], chances[['light', 'dark'][i]]));
    const bar = element('div', 'chances-bar');
    bar.append(...sides.map(({ part }) => part));
    const words = element('p', 'chances-words');
    words.append(...sides.map(({ label }) => label));
    this.host.replaceChildren(bar, words);
    this.host.setAttribute('role', 'img');
    this.host.setAttribute('aria-label', `${t('page.chances')}: ${sides.map(({ text }) => text).join('; ')}`);
  }

  side(side, name, { win, gammon, backgammon }) {
    const part = element('span', `chances-side ${side}`);
    part.style.flexGrow = win;
    for (const [kind, share] of [['gammon', gammon], ['backgammon', backgammon]]) {
      const piece = element('i', kind);
      piece.style.width = `${win ? Math.min(100, (100 * share) / win) : 0}%`;
      part.append(piece);
    }
    const label = element('span', side);
    label.append(element('b', '', percent(win)));
    if (gammon >= 0.005) label.append(` ${t('page.chances_gammons', { n: percent(gammon) })}`);
    return { part, label, text: t('page.chances_of', { player: name, win: percent(win), gammon: percent(gammon) }) };
  }
}

function element(name, className, text) {
  const el = document.createElement(name);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = text;
  return el;
}
