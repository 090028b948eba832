// What is open at the table: each ruling and question with its evidence, and a button for each way to decide it.
import { nameOf } from './players.js';
import { has, t, told } from './texts.js';

const colours = ['light', 'dark'];
// Decisions that need more than a tap, with what to open for them.
const elsewhere = {
  set: 'editor-box', exclude: 'editor-box', roll: 'roll-cube', cube: 'roll-cube', score: 'decisions', adjust: 'decisions', resign: 'decisions',
};
const aboutSide = new Set(['replay', 'rethrow', 'start', 'take', 'drop', 'double', 'forfeit']);

export class Cases {
  // decide(what, more) carries a decision out.
  constructor(host, decide) { Object.assign(this, { host, decide, key: '' }); }

  show(cases, state) {
    const key = JSON.stringify([cases, state?.players, state?.turn, document.documentElement.lang]);
    if (key === this.key) return;
    this.key = key;
    this.host.replaceChildren(...cases.map((one) => this.card(one, state)));
  }

  card(one, state) {
    const card = element('article', `case severity-${one.severity}`);
    card.dataset.code = one.code;
    const head = [t(one.question ? 'console.need_question' : `severity.${one.severity}`), one.code];
    card.append(element('p', 'case-head', head.join(' · ')), element('h3', '', told(one.text)));
    const about = [`${t('page.rule')} ${one.rule.join(', ')}`];
    if (one.side) about.push(t('console.concerns', { player: nameOf(state, colours.indexOf(one.side)) }));
    if (one.until && has(`console.until_${one.until}`)) about.push(t('console.until', { when: t(`console.until_${one.until}`) }));
    if (one.private) about.push(t('page.director_only'));
    card.append(element('p', 'hint', about.join(' · ')));
    card.append(this.evidence(one));
    if (one.nearest?.length) {
      const p = element('p', 'hint');
      p.textContent = t('console.nearest', { plays: one.nearest.map((play) => `\u2066${play}\u2069`).join(' · ') });
      card.append(p);
    }
    card.append(this.buttons(one, state));
    return card;
  }

  evidence(one) {
    const box = element('div', 'evidence');
    for (const role of ['before', 'after']) {
      if (!one[role]) continue;
      const figure = element('figure');
      const link = Object.assign(document.createElement('a'), { href: one[role], target: '_blank' });
      const image = Object.assign(document.createElement('img'), { src: one[role], alt: t(`console.${role}`) });
      patient(image, figure, one[role]);
      link.append(image);
      figure.append(link, element('figcaption', '', t(`console.${role}`)));
      box.append(figure);
    }
    box.append(element('p', 'hint none', t('console.no_evidence')));
    return box;
  }

  buttons(one, state) {
    const row = element('div', 'row answers');
    const answers = [...one.answers];
    if (!one.question && !answers.includes('overrule')) answers.push('overrule'); // a ruling can always have been wrong (DIR-2)
    for (const what of answers) {
      const sides = !aboutSide.has(what) ? [null] : one.side ? [one.side] : what === 'rethrow' ? [state?.turn || 'light'] : colours;
      for (const side of sides) {
        const text = [`console.answer_${what}_${one.code}`, `console.answer_${what}`].find(has);
        const name = text ? t(text, { player: nameOf(state, colours.indexOf(side ?? 'light')) }) : what;
        const button = element('button', '', name);
        button.type = 'button';
        button.dataset.answer = what;
        if (what === 'overrule') button.classList.add('danger');
        else if (!row.children.length) button.classList.add('main'); // what the rules say first
        button.addEventListener('click', () => this.answer(one, what, side));
        row.append(button);
      }
    }
    return row;
  }

  answer(one, what, side) {
    if (elsewhere[what]) {
      const box = document.getElementById(elsewhere[what]);
      box.open = true;
      box.scrollIntoView({ block: 'start', behavior: 'smooth' });
      box.querySelector('summary').focus({ preventScroll: true });
      return;
    }
    this.decide(what, { ...(side && { side }), ...(!one.question && { ruling: one.code }) });
  }
}

// patient asks again for a picture that is not kept yet, or was lost on its way from a table far away.
function patient(image, figure, address) {
  let tries = 0;
  image.addEventListener('load', () => { figure.hidden = false; });
  image.addEventListener('error', () => {
    figure.hidden = true;
    if (++tries <= 20) setTimeout(() => { if (image.isConnected) image.src = `${address}?try=${tries}`; }, 1500 + 500 * tries);
  });
}

function element(name, className = '', text = '') {
  const el = document.createElement(name);
  if (className) el.className = className;
  if (text) el.textContent = text;
  return el;
}
