// Asking again and again, for what is not pushed: at rest while nobody looks, and slower while the server does not answer.

export class Poll {
  // every is in ms; got is called with what came, lost when nothing did.
  constructor(address, every, got, lost = () => {}) {
    Object.assign(this, { address, every, got, lost, failures: 0 });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.now(); });
    this.now();
  }

  async now() {
    clearTimeout(this.timer);
    const round = (this.round = (this.round ?? 0) + 1);
    try {
      const reply = await fetch(this.address, { cache: 'no-store' });
      if (reply.status === 401) return void location.reload();
      if (!reply.ok) throw new Error(reply.statusText);
      const what = await reply.json();
      if (round !== this.round) return;
      this.failures = 0;
      this.got(what);
    } catch {
      if (round !== this.round) return;
      this.failures++;
      this.lost();
    }
    if (!document.hidden) this.timer = setTimeout(() => this.now(), this.every * Math.min(2 ** this.failures, 8));
  }
}
