// Posting what somebody decided, and saying what became of it.
import { t } from './texts.js';

// post sends JSON and returns the answer; who is no longer signed in is led to the door.
export async function post(path, body) {
  const reply = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  if (reply.status === 401) location.reload();
  return reply;
}

// Answer is the line that says what became of a wish.
export class Answer {
  constructor(el) { this.el = el; }

  say(text, refused = false) {
    if (!this.el) return;
    this.el.textContent = text;
    this.el.classList.toggle('refused', refused);
  }

  clear() { this.say(''); }

  // of sends a wish and says what became of it; it returns the answer, null when there was none.
  async of(path, body) {
    this.clear();
    try {
      const reply = await post(path, body);
      this.say(reply.ok ? t('table.sent') : t('table.failed', { why: (await reply.clone().text()).trim() }), !reply.ok);
      return reply;
    } catch {
      this.say(t('table.failed', { why: t('table.no_answer') }), true);
      return null;
    }
  }
}
