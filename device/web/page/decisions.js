// The buttons of the decisions, on the table's page and on the console.
import { nameOf } from './players.js';
import { t } from './texts.js';

const colours = ['light', 'dark'];
const byId = (id) => document.getElementById(id);
const number = (id) => Math.trunc(Number(byId(id).value)) || 0;

// What goes along with a decision, from the fields beside its button.
const extras = {
  score: () => ({ score: { light: number('score-light'), dark: number('score-dark') } }),
  resign: () => ({ points: number('points') }),
  adjust: () => ({ remaining_ms: (number('minutes') * 60 + number('seconds')) * 1000 }),
  roll: () => ({ dice: [number('die-1'), number('die-2')] }),
  cube: (button) => ({ cube: number('cube-value'), ...(button.dataset.owner && { owner: button.dataset.owner }) }),
};

export class Decisions {
  // answer says what became of a decision, which goes to address.
  constructor(answer, address = '/decision') {
    this.answer = answer;
    this.address = address;
    this.touched = false; // the director is typing a score
    for (const button of document.querySelectorAll('[data-decide]')) button.addEventListener('click', () => this.press(button));
    for (const c of colours) byId(`score-${c}`)?.addEventListener('input', () => { this.touched = true; });
  }

  press(button) {
    const { decide, why, sure, for: side } = button.dataset;
    if (sure && !confirm(t(sure))) return;
    const about = decide === 'cube' ? null : side; // whose the cube is, is not whom the decision is about
    this.decide(decide, { ...(about && { side: about }), ...(why && { why }), ...extras[decide]?.(button) });
    if (decide === 'score') this.touched = false;
  }

  decide(what, more = {}) { return this.answer.of(this.address, { decision: what, ...more }); }

  // show writes the players' names onto the buttons, and the score into its fields unless somebody is typing there.
  show(state) {
    const names = [0, 1].map((side) => nameOf(state, side));
    for (const el of document.querySelectorAll('[data-for]')) {
      el.textContent = names[colours.indexOf(el.dataset.for)];
      el.setAttribute('aria-label', `${el.closest('.group').querySelector('.what').textContent}: ${el.textContent}`);
    }
    for (const [side, c] of colours.entries()) {
      for (const el of document.querySelectorAll(`.name-${c}`)) el.textContent = names[side];
      if (state && !this.touched && byId(`score-${c}`)) byId(`score-${c}`).value = state.score[c];
    }
  }
}
