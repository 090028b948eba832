// The record of the game: a list in two columns, each turn a button that shows the position after it.
import { t } from './texts.js';

export class Plays {
  // pick(i) is called with the index of the turn chosen.
  constructor(host, pick) {
    this.host = host;
    this.pick = pick;
    new ResizeObserver(() => this.scroll?.()).observe(host);
  }

  // show lists the turns of a game (Game.turns); chosen is the index shown on the board, null when the page follows the game.
  show(plays, names, chosen) {
    const key = JSON.stringify([names, plays.map((p) => [p.seq, p.side, p.text, p.illegal, p.errors])]);
    if (key !== this.key) this.build(plays, names);
    this.key = key;
    const marked = chosen ?? plays.length - 1;
    for (const [i, button] of this.buttons.entries()) {
      if (i === marked) button.setAttribute('aria-current', chosen === null ? 'step' : 'true');
      else button.removeAttribute('aria-current');
    }
    this.scroll = () => this.scrollTo(this.buttons[marked], chosen === null);
    this.scroll();
  }

  build(plays, names) {
    this.buttons = [];
    const head = element('div', 'plays-names');
    head.append(element('span', ''), ...[0, 1].map((side) => {
      const name = element('span', 'plays-name');
      name.append(element('i', `swatch ${side ? 'dark' : 'light'}`), element('bdi', '', names[side]));
      return name;
    }));
    const list = element('ol', 'plays-list');
    let row = null;
    let filled = -1;
    for (const [i, play] of plays.entries()) {
      const side = play.side === 'dark' ? 1 : 0;
      if (!row || side <= filled) {
        row = element('li', 'plays-row');
        row.append(element('span', ''), element('span', ''));
        list.append(row);
        filled = -1;
      }
      filled = side;
      row.children[side].replaceWith(this.button(play, i, names[side]));
    }
    this.host.replaceChildren(plays.length ? head : element('p', 'plays-none', t('page.no_plays')), list);
  }

  button(play, i, name) {
    const button = element('button', `turn ${play.side}`);
    button.type = 'button';
    if (play.dice?.length) button.append(element('span', 'roll', play.dice.join('')));
    const text = element('span', 'notation', play.text);
    if (play.written) text.dir = 'ltr';
    button.append(text);
    if (play.illegal) button.append(element('span', 'illegal', t('page.illegal')));
    for (const { text: words, grave } of play.errors ?? []) button.append(element('span', grave ? 'error grave' : 'error', words));
    button.setAttribute('aria-label', [name, ...[...button.children].map((child) => child.textContent)].join(' '));
    button.addEventListener('click', () => this.pick(i));
    this.buttons[i] = button;
    return button;
  }

  scrollTo(button, toEnd) {
    if (toEnd) this.host.scrollTop = this.host.scrollHeight;
    else if (button) {
      const { top, bottom } = button.getBoundingClientRect();
      const box = this.host.getBoundingClientRect();
      if (top < box.top) this.host.scrollTop -= box.top - top + 8;
      if (bottom > box.bottom) this.host.scrollTop += bottom - box.bottom + 8;
    }
  }
}

function element(name, className, text) {
  const el = document.createElement(name);
  if (className) el.className = className;
  if (text !== undefined) el.textContent = text;
  return el;
}
