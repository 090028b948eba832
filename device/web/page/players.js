// The two players' panels: name, score, pips and clock.
import { clockText, Countdown } from './countdown.js';
import { digits, t } from './texts.js';

const colours = ['light', 'dark'];

// nameOf is what a player is called: his name, or his colour when nobody has said it.
export function nameOf(state, side) {
  const name = state?.players[side];
  return !name || name === 'Light' || name === 'Dark' ? t(`side.${colours[side]}`) : name;
}

export class Players {
  // hosts: the elements for the player at the top and at the bottom.
  constructor(top, bottom) {
    this.panels = [new Panel(top), new Panel(bottom)];
    this.tick = this.tick.bind(this);
    setInterval(this.tick, 100);
  }

  // show fills the panels from a state; message carries the age of its clock.
  show(message, bottom, pips) {
    const { state } = message;
    this.countdown = state.clock ? new Countdown(state.clock, message.age_ms, message.rate) : null;
    this.state = state;
    this.panels[0].fill(state, 1 - bottom, pips[1 - bottom]);
    this.panels[1].fill(state, bottom, pips[bottom]);
    this.tick();
  }

  tick() {
    if (!this.state) return;
    const now = this.countdown?.now();
    for (const panel of this.panels) panel.tick(this.state, now);
  }
}

class Panel {
  constructor(host) {
    this.host = host;
    host.innerHTML = `
      <span class="swatch" aria-hidden="true"></span>
      <div class="who"><h2 class="name" dir="auto"></h2><p class="pips"></p></div>
      <p class="score"><span class="unseen"></span><b></b></p>
      <p class="clock" role="timer" aria-live="off"><span class="unseen"></span><time></time><span class="delay"></span></p>`;
    const find = (selector) => host.querySelector(selector);
    Object.assign(this, {
      name: find('.name'), pips: find('.pips'), score: find('.score b'), scoreLabel: find('.score .unseen'),
      clock: find('.clock'), clockLabel: find('.clock .unseen'), time: find('time'), delay: find('.delay'),
    });
  }

  fill(state, side, pips) {
    this.side = side;
    const colour = colours[side];
    this.host.dataset.side = colour;
    this.host.classList.toggle('on-turn', state.turn === colour);
    this.host.classList.toggle('winner', state.winner === colour);
    this.host.setAttribute('aria-label', nameOf(state, side) + (state.turn === colour ? ` · ${t('page.on_turn')}` : ''));
    write(this.name, nameOf(state, side));
    write(this.pips, `${t('page.pips')} ${digits(pips)}`);
    write(this.score, digits(state.score[colour]));
    write(this.scoreLabel, `${t('page.score')} `);
    write(this.clockLabel, `${t('page.clock')} `);
    this.clock.hidden = !state.clock;
  }

  tick(state, now) {
    if (!now) return;
    const colour = colours[this.side];
    const flagged = state.clock.flagged === colour;
    const running = now.running === colour;
    const inDelay = running && now.delay > 0;
    write(this.time, clockText(now.remaining[this.side], flagged));
    write(this.delay, inDelay ? `${t('page.delay')} ${digits(Math.ceil(now.delay / 1000))}` : '');
    const { classList } = this.host;
    classList.toggle('running', running);
    classList.toggle('in-delay', inDelay);
    classList.toggle('short', !flagged && now.remaining[this.side] < 60_000);
    classList.toggle('flagged', flagged);
  }
}

// write changes a text only when it differs, so that a page at rest costs nothing.
function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}
