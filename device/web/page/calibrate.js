// Calibration: four corners dragged over the camera's picture, and beside it the board as it is read with them.
import { mini } from './mini.js';
import { Answer, post } from './send.js';
import { digits, t } from './texts.js';
import { tools } from './tools.js';

const { desk } = document.body.dataset; // below which all about the table lies
const byId = (id) => document.getElementById(id);
const stage = byId('stage');
const shot = byId('shot');
const handles = [...document.querySelectorAll('.corner')];
const answer = new Answer(byId('answer'));
const afterwards = 250; // ms after the last movement before the board is read anew

let size = null; // width and height of the camera's picture
let corners = null; // [x, y] of each, in pixels of the picture
let reading = null; // what the server made of the corners last
let asked = 0; // counts questions: only the newest answer counts
let timer = null;

tools(() => { answer.clear(); place(); tellReading(); });

// fetchPicture returns the newest picture, null when there is none; the first comes a moment after it was asked for.
async function fetchPicture() {
  for (let tries = 0; tries < 10; tries++) {
    const reply = await fetch(`${desk}/picture.jpg?plain=1`, { cache: 'no-store' });
    if (reply.status === 200) {
      // From afar the picture may come smaller than the camera gave it.
      const full = reply.headers.get('Davar-Picture-Size')?.split('x').map(Number);
      return { bitmap: await createImageBitmap(await reply.blob()), full };
    }
    await new Promise((done) => { setTimeout(done, 500); });
  }
  return null;
}

// load fetches a picture and shows it; the corners stay where they are.
async function load() {
  const taken = await fetchPicture();
  if (!taken) return answer.say(t('console.no_picture'), true);
  const { bitmap } = taken;
  [shot.width, shot.height] = [bitmap.width, bitmap.height];
  size = taken.full ?? [bitmap.width, bitmap.height];
  shot.getContext('2d').drawImage(bitmap, 0, 0);
  bitmap.close();
  byId('outline').setAttribute('viewBox', `0 0 ${size[0]} ${size[1]}`);
  stage.style.setProperty('aspect-ratio', `${size[0]} / ${size[1]}`);
  if (corners) place();
  else {
    const inset = (x, y) => [Math.round(size[0] * x), Math.round(size[1] * y)];
    corners = [inset(0.15, 0.15), inset(0.85, 0.15), inset(0.85, 0.85), inset(0.15, 0.85)];
    place();
    find();
  }
}

// place brings handles and outline in line with the corners.
function place() {
  if (!corners || !size) return;
  for (const [i, handle] of handles.entries()) {
    const [x, y] = corners[i];
    handle.style.left = `${(100 * x) / size[0]}%`;
    handle.style.top = `${(100 * y) / size[1]}%`;
    handle.setAttribute('aria-label', t('console.corner_at', { name: t(handle.dataset.tName), x: digits(Math.round(x)), y: digits(Math.round(y)) }));
  }
  byId('surface').setAttribute('points', corners.map((c) => c.join(',')).join(' '));
}

function moveTo(i, x, y) {
  const within = (v, most) => Math.min(Math.max(v, 0), most);
  corners[i] = [Math.round(within(x, size[0]) * 10) / 10, Math.round(within(y, size[1]) * 10) / 10];
  place();
  byId('keep').disabled = true;
  answer.clear();
  clearTimeout(timer);
  timer = setTimeout(() => read(corners), afterwards);
}

for (const [i, handle] of handles.entries()) {
  handle.addEventListener('pointerdown', (e) => {
    if (!corners || e.button !== 0) return;
    handle.setPointerCapture(e.pointerId);
    const box = stage.getBoundingClientRect();
    const scale = size[0] / box.width;
    // Where the handle is taken stays under the finger.
    const hold = [corners[i][0] - (e.clientX - box.left) * scale, corners[i][1] - (e.clientY - box.top) * scale];
    const drag = (move) => {
      moveTo(i, (move.clientX - box.left) * scale + hold[0], (move.clientY - box.top) * scale + hold[1]);
      magnify(i);
    };
    const drop = () => {
      handle.removeEventListener('pointermove', drag);
      byId('loupe').hidden = true;
    };
    handle.addEventListener('pointermove', drag);
    handle.addEventListener('pointerup', drop, { once: true });
    handle.addEventListener('pointercancel', drop, { once: true });
    magnify(i);
  });
  handle.addEventListener('keydown', (e) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (!way || !corners) return;
    e.preventDefault();
    const step = e.shiftKey ? 20 : 1;
    moveTo(i, corners[i][0] + way[0] * step, corners[i][1] + way[1] * step);
    magnify(i);
  });
  handle.addEventListener('blur', () => { byId('loupe').hidden = true; });
}

// magnify shows the surroundings of a corner enlarged, in the half of the picture where the finger is not.
function magnify(i) {
  const loupe = byId('loupe');
  const [x, y] = corners[i];
  const pen = loupe.getContext('2d');
  const part = shot.width / 16;
  const [px, py] = [(x * shot.width) / size[0], (y * shot.height) / size[1]];
  const side = loupe.width;
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, side, side);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(shot, px - part / 2, py - part / 2, part, part, 0, 0, side, side);
  pen.strokeStyle = '#ffd400';
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(side / 2, 0);
  pen.lineTo(side / 2, side);
  pen.moveTo(0, side / 2);
  pen.lineTo(side, side / 2);
  pen.stroke();
  loupe.classList.toggle('right', x < size[0] / 2);
  loupe.classList.toggle('below', y < size[1] / 2);
  loupe.hidden = false;
}

// read has the server read the board at the corners, or find it when there are none.
async function read(at) {
  const mine = ++asked;
  byId('reading').textContent = t('console.working');
  let reply;
  try {
    reply = await post(`${desk}/calibration`, at ? { corners: at } : {});
  } catch {
    return answer.say(t('table.no_answer'), true);
  }
  if (mine !== asked) return;
  if (!reply.ok) {
    byId('reading').textContent = '';
    return answer.say(t('table.failed', { why: (await reply.text()).trim() }), true);
  }
  reading = await reply.json();
  if (mine !== asked) return;
  if (!at) {
    corners = reading.corners;
    place();
  }
  byId('keep').disabled = false;
  const bytes = Uint8Array.from(atob(reading.view), (c) => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  const view = byId('view');
  view.width = bitmap.width;
  view.height = bitmap.height;
  view.getContext('2d').drawImage(bitmap, 0, 0);
  bitmap.close();
  tellReading();
}

function tellReading() {
  if (!reading) return;
  const all = [...reading.top, ...reading.bottom];
  const n = all.reduce((sum, c) => sum + Math.max(c, 0), reading.bar[0]);
  const m = all.reduce((sum, c) => sum + Math.max(-c, 0), reading.bar[1]);
  byId('reading').textContent = `${t('console.reading_counts', { n, m, sure: Math.round(100 * reading.sure) })} ${t(reading.start ? 'console.reading_start' : 'console.reading_no_start')}`;
  byId('reading').dataset.start = reading.start;
  byId('read').replaceChildren(mini({ top: reading.top, bottom: reading.bottom, bar: [reading.bar[0], -reading.bar[1]] }));
}

const find = () => read(null);

byId('find')?.addEventListener('click', find);
byId('again')?.addEventListener('click', () => load().then(() => read(corners)));
byId('keep')?.addEventListener('click', async () => {
  byId('keep').disabled = true;
  const reply = await answer.of(`${desk}/calibration/keep`, { corners });
  byId('keep').disabled = false;
  if (reply?.ok) answer.say(t('console.kept'));
});
if (stage) load();
