// Where things lie on the drawn board, in units of its view box, for any side at the bottom and any home side.

export const radius = 30; // of a checker
export const dieSize = 54;
export const cubeSize = 52;
export const stacked = 5; // checkers drawn on a point; more are told by a number
export const onBar = 4; // the same for a half of the bar

const column = 66;
const row = 314; // height of a half of the board from the frame to the middle strip
const middle = 80;

// Two shapes of the same board: wide has a tray on both sides and the cube in one of them, narrow (phones) has one
// tray and the cube on the bar.
const shapes = {
  wide: { frameX: 34, frameY: 36, tray: 72, gap: 12, bar: 70, cubeTray: true },
  narrow: { frameX: 12, frameY: 38, tray: 58, gap: 8, bar: 64, cubeTray: false },
};

export class Geometry {
  // bottom is the side (0 light, 1 dark) at the bottom, home 'left' or 'right'.
  constructor(bottom, home, narrow) {
    Object.assign(this, shapes[narrow ? 'narrow' : 'wide'], { bottom, home, narrow, row, middle, column });
    const trayWidth = this.tray + this.gap;
    this.left = this.frameX + (home === 'left' || this.cubeTray ? trayWidth : 0);
    this.right = this.left + 12 * column + this.bar;
    this.width = this.right + this.frameX + (home === 'right' || this.cubeTray ? trayWidth : 0);
    this.height = 2 * this.frameY + 2 * row + middle;
    this.barX = this.left + 6 * column + this.bar / 2;
    this.middleY = this.height / 2;
    this.homeTrayX = home === 'right' ? this.right + this.gap : this.frameX;
    this.cubeTrayX = home === 'right' ? this.frameX : this.right + this.gap;
  }

  // columnX is the middle of column i, 0...11 from the left.
  columnX(i) { return this.left + (i + 0.5) * column + (i > 5 ? this.bar : 0); }

  // place says where a side's own point lies: {x, up} with up true for the row at the bottom.
  place(side, point) {
    const p = side === this.bottom ? point : 25 - point;
    const up = p <= 12;
    const fromHome = up ? p - 1 : 24 - p;
    return { x: this.columnX(this.home === 'right' ? 11 - fromHome : fromHome), up };
  }

  // checker is the centre of the k-th checker (from 0) of n on a point, the bar (25) or in the tray (0).
  checker(side, point, k) {
    if (point === 0) return this.slice(side, k);
    if (point === 25) return this.hit(side, k);
    const { x, up } = this.place(side, point);
    const offset = this.frameY + 2 + radius + Math.min(k, stacked - 1) * 2 * radius;
    return { x, y: up ? this.height - offset : offset };
  }

  // A hit checker waits on the half of the bar where it will enter.
  hit(side, k) {
    const offset = cubeSize / 2 + 8 + radius + Math.min(k, onBar - 1) * 2 * radius;
    return { x: this.barX, y: this.middleY + (side === this.bottom ? -offset : offset) };
  }

  // Borne-off checkers stand on edge in the home tray, in groups of five.
  slice(side, k) {
    const offset = this.frameY + 18 + k * 20.5 + Math.floor(k / 5) * 7;
    return { x: this.homeTrayX + this.tray / 2, y: side === this.bottom ? this.height - offset : offset };
  }

  // rightHand is the middle of the half to the right of a side's own chair (DICE-2).
  rightHand(side) {
    const half = 3 * column;
    return { x: side === this.bottom ? this.right - half : this.left + half, y: this.middleY };
  }

  // cube is where the cube lies: owner 0, 1 or -1 (middle).
  cube(owner) {
    const x = this.cubeTray ? this.cubeTrayX + this.tray / 2 : this.barX;
    if (owner < 0) return { x, y: this.middleY };
    const offset = this.frameY + 14 + cubeSize / 2;
    return { x, y: owner === this.bottom ? this.height - offset : offset };
  }

  // offered is where a cube lies that a side has just offered: in the other half of the doubler's board.
  offered(doubler) { return { x: this.rightHand(1 - doubler).x, y: this.middleY }; }
}
