// The two clocks between messages: counted down here from figures the server sent, never summed from ticks.
import { digits } from './texts.js';

export class Countdown {
  // view is the state's clock, age how many ms old its figures were on arrival, rate how fast the match's time runs.
  constructor(view, age, rate) {
    Object.assign(this, { view, age, rate, arrived: performance.now() });
  }

  // now returns {remaining: [light, dark], delay, running} in ms of the match; delay is that of the running side.
  now() {
    const { view } = this;
    const remaining = [...view.remaining_ms];
    const running = view.paused || view.flagged ? '' : view.running;
    if (!running) return { remaining, delay: view.delay_ms, running };
    const passed = Math.max(0, (this.age + performance.now() - this.arrived) * this.rate);
    const side = running === 'dark' ? 1 : 0;
    remaining[side] -= Math.max(0, passed - view.delay_ms);
    return { remaining, delay: Math.max(0, view.delay_ms - passed), running };
  }
}

// clockText writes a reserve. 0:00 means that time is up and nothing else, so whole seconds are rounded up and
// a clock that has run out stays at 0:01 until the flag is told.
export function clockText(ms, flagged) {
  if (flagged) return digits('0:00');
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const two = (n) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return digits(hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`);
}
