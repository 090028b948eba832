// One game as the page can show it: every position there was and what lay on the board with it.
import { decode, pips, start } from './position.js';
import { t } from './texts.js';

// The ID of a play is written as if the player who made it were on roll.
const colours = ['light', 'dark'];
const sideOf = (name) => colours.indexOf(name); // -1 for nobody

export class Game {
  constructor(state) {
    this.state = state;
    this.moments = [];
    let position = this.opening();
    let cube = { value: 1, owner: -1, offered: -1 };
    for (const play of state.plays) {
      const side = sideOf(play.side);
      const before = position;
      if (play.dice?.length) position = decode(play.position, side) ?? position;
      else cube = turnCube(cube, play.notation, side);
      this.moments.push({
        position, dice: play.dice, roller: side, rollId: play.seq, counter: side, doubled: cube.value * 2,
        cube: this.cubeInPlay ? cube : null,
        moved: play.dice?.length && before ? { from: before, side } : null,
      });
    }
  }

  // cubeInPlay is false in the Crawford game, when the cube is off the table (CUBE-11).
  get cubeInPlay() { return this.state.cube.enabled && !this.state.crawford; }

  // opening is the usual starting position, if the first play fits it: a game may have begun from another one.
  opening() {
    const first = this.state.plays.find((play) => play.dice?.length);
    const after = first && decode(first.position, sideOf(first.side));
    if (!after) return start();
    const [a, b] = first.dice;
    const rolled = (a === b ? 4 : 2) * (a + b) / 2;
    return 167 - pips(after, sideOf(first.side)) === rolled ? start() : null;
  }

  // first is the index of the earliest position that can be shown: -1 is the start.
  get first() { return this.opening() ? -1 : 0; }

  // at returns the view after play i, as Board.show takes it.
  at(i) {
    const cube = this.cubeInPlay ? { value: 1, owner: -1, offered: -1 } : null;
    if (i < 0) return { position: this.opening() ?? start(), counter: 0, cube, moved: null };
    return this.moments[i];
  }

  // turns lists the plays with what to call them: as players write them, cube actions and lost turns in words.
  turns() {
    return this.state.plays.map((play, i) => ({
      ...play, written: Boolean(play.dice?.length && play.notation), text: this.text(play, this.moments[i]),
    }));
  }

  text(play, moment) {
    if (play.dice?.length) {
      if (play.notation) return play.notation;
      return moment.moved && !same(moment.moved.from, moment.position) ? t('page.played') : t('page.dances');
    }
    switch (play.notation) {
      case 'double': return t('page.doubles_to', { value: moment.doubled });
      case 'take': return t('page.takes');
      case 'drop': return t('page.drops');
      default: return play.notation;
    }
  }

  // live returns the view of this moment.
  live(bottom) {
    const { state } = this;
    const turn = sideOf(state.turn);
    const position = { points: state.points, bar: state.bar, off: state.off };
    const last = this.moments.findLast((moment) => moment.moved);
    const { value, owner, offered } = state.cube;
    return {
      position, dice: state.dice, roller: turn, rollId: state.plays.length + 31 * state.game,
      counter: turn < 0 ? bottom : turn,
      cube: this.cubeInPlay ? { value: value || 1, owner: sideOf(owner), offered: sideOf(offered) } : null,
      moved: last && same(last.position, position) ? last.moved : null,
    };
  }
}

function turnCube(cube, action, side) {
  if (action === 'double') return { ...cube, offered: side };
  if (action === 'take') return { value: cube.value * 2, owner: side, offered: -1 };
  return cube;
}

const same = (a, b) => `${a.points} ${a.bar}` === `${b.points} ${b.bar}`;
