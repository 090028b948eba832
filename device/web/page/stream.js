// The connection to the server: the state and what is told, pushed; kept alive through sleep, loss of network and
// restarts of the server without a reload.

const silence = 40_000; // ms without a sign of life after which a connection counts as dead
const waits = [1000, 2000, 4000, 8000]; // ms between attempts

export class Stream {
  // handlers: state(message), event(message), status('live' | 'connecting' | 'lost'), tables(list) in a hall, and late(delay in ms) where what
  // comes is held back. The stream lies beside the page, unless at says where.
  constructor(handlers, at = 'events') {
    this.handlers = handlers;
    this.at = at;
    this.failures = 0;
    this.open();
    setInterval(() => { if (!this.timer) this.check(); }, 5000);
    for (const name of ['online', 'pageshow', 'focus']) addEventListener(name, () => this.check());
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.check(); });
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    this.source?.close();
    this.heard = Date.now();
    const source = new EventSource(`${this.at}?plays=new`);
    this.plays = [];
    this.source = source;
    source.addEventListener('open', () => this.alive());
    source.addEventListener('beat', () => this.alive());
    source.addEventListener('state', (e) => { this.alive(); this.handlers.state(this.whole(JSON.parse(e.data))); });
    source.addEventListener('event', (e) => { this.alive(); this.handlers.event(JSON.parse(e.data)); });
    source.addEventListener('tables', (e) => { this.alive(); this.handlers.tables?.(JSON.parse(e.data)); });
    source.addEventListener('late', (e) => { this.handlers.late?.(JSON.parse(e.data).delay_ms); this.alive(); });
    source.addEventListener('error', () => this.retry(source));
  }

  // whole puts the plays before those in the message that a new state alone holds.
  whole(message) {
    const { state } = message;
    if (state.plays_from) state.plays = this.plays.slice(0, state.plays_from).concat(state.plays);
    this.plays = state.plays;
    return message;
  }

  alive() {
    this.heard = Date.now();
    this.failures = 0;
    this.handlers.status('live');
  }

  // retry takes reconnecting into its own hands: a browser gives up for good after an answer such as 503.
  retry(source) {
    if (source !== this.source || this.timer) return;
    source.close();
    this.handlers.status('lost');
    const wait = waits[Math.min(this.failures++, waits.length - 1)];
    this.timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  // check opens a new connection at once when one is awaited or the old one has been silent too long, as after sleep.
  check() {
    const silent = Date.now() - this.heard > silence;
    if (silent) this.handlers.status('lost');
    if (silent || this.timer) this.open();
  }
}
