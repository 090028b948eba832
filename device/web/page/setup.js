// Setting up a match, and the draw sheet it may come from.
import { Answer, post } from './send.js';
import { t } from './texts.js';
import { tools } from './tools.js';

const { desk } = document.body.dataset; // below which all about the table lies
const byId = (id) => document.getElementById(id);
const form = byId('setup');
const answer = new Answer(byId('answer'));
const fields = [...document.querySelectorAll('[data-key]')];

tools(() => { answer.clear(); byId('sheet-answer')?.replaceChildren(); });

const value = (field) => (field.type === 'checkbox' ? String(field.checked) : field.value.trim());

form?.addEventListener('submit', async (e) => {
  e.preventDefault();
  mark({});
  if (byId('abandon') && !byId('abandon').checked) {
    byId('abandon').focus();
    return answer.say(t('console.abandon_first'), true);
  }
  const values = Object.fromEntries(fields.map((field) => [field.dataset.key, value(field)]));
  byId('begin').disabled = true;
  try {
    const reply = await post(`${desk}/setup`, { values, abandon: Boolean(byId('abandon')?.checked), pairing: Number(form.dataset.pairing) });
    const { wrong } = reply.ok ? await reply.json() : {};
    if (wrong) {
      mark(wrong);
      answer.say(t('console.mend'), true);
    } else if (reply.ok) answer.say(t('console.begun'));
    else answer.say(t('table.failed', { why: (await reply.text()).trim() }), true);
  } catch {
    answer.say(t('table.failed', { why: t('table.no_answer') }), true);
  }
  byId('begin').disabled = false;
});

// mark shows what is wrong beside each field and goes to the first.
function mark(wrong) {
  let first = null;
  for (const field of fields) {
    const why = wrong[field.dataset.key] ?? '';
    const says = byId(`wrong-${field.id}`);
    says.textContent = why;
    says.hidden = !why;
    field.toggleAttribute('aria-invalid', Boolean(why));
    if (why) {
      field.setAttribute('aria-describedby', says.id);
      first ??= field;
    }
  }
  if (first) {
    const box = first.closest('details');
    if (box) box.open = true;
    first.focus();
  }
}

byId('import')?.addEventListener('submit', async (e) => {
  e.preventDefault();
  const says = byId('sheet-answer');
  const file = byId('sheet').files[0];
  if (!file) return;
  const line = (name, className, text) => Object.assign(document.createElement(name), { className, textContent: text });
  try {
    const reply = await fetch('/director/draw', { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: file });
    if (reply.status === 401) return location.reload();
    if (!reply.ok) throw new Error((await reply.text()).trim());
    const { wrong } = await reply.json();
    if (!wrong) return location.assign('/director/setup');
    const list = line('ul', 'mistakes', '');
    list.append(...wrong.map((w) => line('li', '', t('console.sheet_line', { line: w.line, what: t(`console.sheet_${w.why}`, { column: w.column ?? '', value: w.value ?? '' }) }))));
    says.replaceChildren(line('p', 'refused', t('console.sheet_wrong', { n: wrong.length })), list);
  } catch (error) {
    says.replaceChildren(line('p', 'refused', t('table.failed', { why: error.message || t('table.no_answer') })));
  }
});

// The buttons wait for this script: without it a form would be sent as forms are.
for (const button of document.querySelectorAll('button.main')) button.disabled = false;

byId('clear')?.addEventListener('click', async () => {
  await fetch('/director/draw/clear', { method: 'POST' });
  location.assign('/director/setup');
});
