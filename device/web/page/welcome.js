// The code for phones. It makes way for the table's page when the match begins.
import { tools } from './tools.js';

tools(() => {});

const every = 2000;
async function look() {
  try {
    const answer = await fetch('/state.json?at=table', { cache: 'no-store' });
    if (answer.status === 200) {
      const { state } = await answer.json();
      const begun = state.clock?.running || !['', 'setup', 'opening'].includes(state.phase ?? '');
      if (begun) return location.replace('/table');
    }
  } catch { /* the table is starting */ }
  setTimeout(look, every);
}
if (new URLSearchParams(location.search).has('wait')) look();
