// Announcements: open rulings and what the referee asks for stay as long as they hold; news goes by itself.
import { has, t, told } from './texts.js';

const newsFor = 8000; // ms
const worthShowing = new Set([
  'roll.invalid', 'ruling.withdrawn', 'game.ended', 'match.ended', 'match.reopened', 'clock.flagged', 'clock.adjusted', 'decision',
]);

export class Calls {
  // host gets the cards; faults says whether those of the table's devices are shown too.
  constructor(host, { faults = false } = {}) {
    this.host = host;
    this.faults = faults;
    this.cards = new Map();
  }

  // show brings the cards in line with the state.
  show(state) {
    const wanted = new Map();
    for (const r of state.rulings) {
      const foot = [`${t('page.rule')} ${r.rule?.join(', ') ?? ''}`];
      if (r.private) foot.push(t('page.director_only'));
      wanted.set(`ruling ${r.id}`, { kind: r.severity, head: t(`severity.${r.severity}`), text: told(r.text), foot: foot.join(' · ') });
    }
    if (state.notice_text) wanted.set(`notice ${state.notice}`, { kind: 'I', text: told(state.notice_text) });
    for (const fault of (this.faults && state.faults) || []) wanted.set(`fault ${fault}`, { kind: 'R', text: t(`fault.${fault}`) });
    const pause = `pause.${state.clock?.paused || (state.appeal ? 'unclocked' : '')}`; // stops that belong to every game have no text
    if (has(pause)) wanted.set(pause, { kind: 'I', text: t(pause) });
    for (const [key, card] of this.cards) if (!wanted.has(key) && !card.news) this.remove(key);
    for (const [key, what] of wanted) this.put(key, what);
  }

  // tell shows an event for a while, if it is one that the state does not show anyway.
  tell(event) {
    if (!worthShowing.has(event.type)) return;
    const key = `event ${event.seq}`;
    this.put(key, { kind: 'I', text: told(event.text) });
    this.cards.get(key).news = true;
    setTimeout(() => this.remove(key), newsFor);
  }

  put(key, { kind, head = '', text, foot = '' }) {
    let card = this.cards.get(key);
    if (!card) {
      card = { el: document.createElement('div') };
      card.el.innerHTML = '<b></b><p></p><small></small>';
      this.cards.set(key, card);
      this.host.append(card.el);
    }
    card.el.className = `call severity-${kind}`;
    const [b, p, small] = card.el.children;
    for (const [el, value] of [[b, head], [p, text], [small, foot]]) {
      if (el.textContent !== value) el.textContent = value;
      el.hidden = !value;
    }
  }

  remove(key) {
    this.cards.get(key)?.el.remove();
    this.cards.delete(key);
  }
}
