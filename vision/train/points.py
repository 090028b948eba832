"""Trains the reader of points and bar and writes weights/points.onnx. See README.md."""
import argparse

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import drawn
import training
from boards import CELL, HALF, HEIGHT, MARGIN, SLOT, WIDTH
from restore import restore

IGNORE = -1
ROWS = 26                                 # rows of cells that a point's head looks at, from its base


# ---- network -----------------------------------------------------------------------------------------------------

def conv(i, o, kernel=3, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


def cross(c, k):
    """A layer of 3x3 made of one of 3x1 and one of 1x3, with k channels between: a third of the cost in OpenCV 4.6."""
    return nn.Sequential(nn.Conv2d(c, k, (3, 1), 1, (1, 0), bias=False), nn.Conv2d(k, c, (1, 3), 1, (0, 1), bias=False), nn.BatchNorm2d(c), nn.ReLU(inplace=True))


class Context(nn.Module):
    """Adds to every cell what the whole board looks like: light and dark mean something only side by side."""

    def __init__(self, c):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(2 * c, c, 1), nn.ReLU(inplace=True), nn.Conv2d(c, c, 1))

    def forward(self, x):
        return x + self.f(torch.cat([F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(x, 1)], 1))


class Points(nn.Module):
    """(1, 3, HEIGHT, WIDTH) -> points (1, 19, 2, 14): 16 counts, light, hidden, mixed as logits for each slot of the
    top and bottom row (slots 6 and 7 are the bar's and mean nothing); bar (1, 32, 1, 1): 16 counts of each side."""

    def __init__(self, b=32, c=48, d=32, e=112, k=32):
        super().__init__()
        self.near = nn.Sequential(conv(3, b, 6, 4), conv(b, c, 3, 2))
        self.first = Context(c)
        self.far = nn.Sequential(cross(c, k), cross(c, k), cross(c, k))
        self.second = Context(c)
        self.column = nn.Sequential(nn.Conv2d(c, d, (1, 8), (1, 4)), nn.ReLU(inplace=True))
        self.stack = nn.Conv2d(d, e, (ROWS, 1))
        self.third = Context(e)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Conv2d(e, 19, 1)
        self.bar = nn.Sequential(nn.Conv2d(d, 24, (3, 2)), nn.ReLU(inplace=True))
        self.bar_out = nn.Sequential(nn.Conv2d(48, 48, 1), nn.ReLU(inplace=True), nn.Conv2d(48, 32, 1))
        self.places = nn.Conv2d(d, 3, 1)      # only for training: where the centres of checkers lie

    def columns(self, x):
        return self.column(self.second(self.far(self.first(self.near(x)))))

    def heads(self, c):
        down = F.conv2d(c[:, :, -ROWS:], self.stack.weight.flip(2), self.stack.bias)
        return self.rows_head(torch.cat([self.stack(c[:, :, :ROWS]), down], 2)), self.bar_head(c)

    def rows_head(self, rows):
        return self.out(self.drop(F.relu(self.third(F.relu(rows)))))

    def bar_head(self, c):
        q = self.bar(c[:, :, :, 6:8])
        return self.bar_out(torch.cat([F.adaptive_avg_pool2d(q, 1), F.adaptive_max_pool2d(q, 1)], 1))

    def forward(self, x):
        return self.heads(self.columns(x))


# ---- samples -----------------------------------------------------------------------------------------------------

def labels(board, bar):
    """count, light, hidden, mixed (2, 12), bar (2), places (44, 14); IGNORE where the truth does not tell."""
    count = np.abs(board.counts).astype(np.int64)
    light = np.where(board.counts > 0, 1, np.where(board.counts < 0, 0, IGNORE)).astype(np.int64)
    hidden, mixed = np.zeros((2, 12), np.int64), np.zeros((2, 12), np.int64) if board.mixed_at is None else board.mixed_at.astype(np.int64)
    places = np.full((HEIGHT // CELL, 14), IGNORE if board.checkers is None else 0, np.int64)
    spots = []
    if board.checkers is not None:
        on = [c for c in board.checkers if c["where"] in ("point", "bar")]
        xy = boards.to_view([c["center"] for c in on], board.corners, bar, [c["where"] == "bar" for c in on])
        if board.occluded:
            hidden[count == 0] = IGNORE
        for c, (x, y) in zip(on, xy):
            s, r = int((x - MARGIN) // SLOT), int(y // CELL)
            if not (0 <= s < 14 and 0 <= r < places.shape[0]) or (c["where"] == "bar") != (s in (6, 7)):
                continue
            if c["vis"] > 0.35:
                places[r, s] = 1 if c["color"] == "light" else 2
            if c["where"] == "point" and s not in (6, 7):
                k = s if s < 6 else s - 2
                spots.append((int(y > HEIGHT / 2), k, x, y, c["color"], c["layer"], c["vis"]))
                if board.occluded and c["layer"] == 0 and c["vis"] < 0.3 and count[int(y > HEIGHT / 2), k] < 6:
                    hidden[int(y > HEIGHT / 2), k] = 1
    return count, light, hidden, mixed, np.array(board.bar_counts, np.int64), places, spots


def cover(mask, count, hidden):
    """Marks the points an arm covers as hidden, those it only touches as unknown."""
    for r in range(2):
        for k in range(12):
            x = boards.slot(k)
            y = min(HALF + MARGIN, 29 * (count[r, k] + 1) + MARGIN)
            zone = mask[:y, x:x + SLOT] if r == 0 else mask[HEIGHT - y:, x:x + SLOT]
            part, base = zone.mean() * (count[r, k] + 1), (mask[:MARGIN + 29, x:x + SLOT] if r == 0 else mask[HEIGHT - MARGIN - 29:, x:x + SLOT]).mean()
            if part > 0.8 or (count[r, k] and base > 0.5):
                hidden[r, k] = 1
            elif part > 0.2:
                hidden[r, k] = IGNORE


def lay(im, spots, lab, rng):
    """Lays copies of checkers seen elsewhere on the board at the end of stacks: more counts, and mixed points."""
    count, light, _, mixed, _, places, _ = lab
    done = set()
    flat = [s for s in spots if s[5] == 0 and s[6] > 0.95]
    for _ in range(rng.integers(1, 4)):
        if len(flat) < 4:
            return
        src = flat[rng.integers(len(flat))]
        r, k = rng.integers(2), rng.integers(12)
        mine = [s for s in spots if s[0] == r and s[1] == k]
        if (r, k) in done or len(mine) != count[r, k] or len(mine) > 4 or len(mine) == 0 or any(s[5] for s in mine):
            continue
        ys = sorted((s[3] for s in mine), reverse=bool(r == 1))
        last = [s for s in mine if s[3] == ys[-1]][0]
        pitch = abs(ys[-1] - ys[-2]) if len(ys) > 1 else 28
        if not 20 < pitch < 36:
            continue
        x, y = int(last[2]), int(ys[-1] + (pitch if r == 0 else -pitch))
        sx, sy = int(src[2]), int(src[3])
        w, h = 15, int(min(15, pitch / 2))
        if min(x, sx) < 17 or max(x, sx) > WIDTH - 17 or min(y, sy) < 17 or max(y, sy) > HEIGHT - 17 or not HEIGHT * 0.02 < y < HEIGHT * 0.98:
            continue
        m = np.zeros((2 * h + 3, 2 * w + 3), np.float32)
        cv2.ellipse(m, (w + 1, h + 1), (w, h), 0, 0, 360, 1, -1, cv2.LINE_AA)
        patch = im[sy - h - 1:sy + h + 2, sx - w - 1:sx + w + 2]
        at = im[y - h - 1:y + h + 2, x - w - 1:x + w + 2]
        if patch.shape != at.shape or patch.shape[:2] != m.shape:
            continue
        at[:] = (at * (1 - m[..., None]) + patch * m[..., None]).astype(np.uint8)
        places[y // CELL, (x - MARGIN) // SLOT] = 1 if src[4] == "light" else 2
        if src[4] == last[4]:
            count[r, k] += 1
        else:
            mixed[r, k] = 1
        done.add((r, k))


def cut(im, places, rng):
    """The picture ends within a row: what lies beyond repeats its last line."""
    for side in rng.permutation(4)[:rng.integers(1, 3)]:
        n = MARGIN + int(rng.uniform(0, 30) if side % 2 == 0 else rng.uniform(-10, 12))
        v = [im, im[:, ::-1].transpose(1, 0, 2), im[::-1], im.transpose(1, 0, 2)][side]
        v[:n] = v[n]
        if side % 2 == 0:
            cells = (places if side == 0 else places[::-1])[:n // CELL]
            cells[cells > 0] = IGNORE


def sample(board, rng, vary=True):
    bar = np.float32(board.bar)
    lab = labels(board, bar)
    corners = board.corners
    if vary:
        diag = np.linalg.norm(corners[2] - corners[0])
        corners = corners + rng.normal(0, rng.choice([0.001, 0.004, 0.008]) * diag, (4, 2)).astype(np.float32)
        jit = rng.normal(0, 0.004, 2)
        bar = np.float32([min(bar[0] + jit[0], bar[1] + jit[1]), bar[1] + jit[1]])
    im = boards.rectify(board.image, corners, bar)
    count, light, hidden, mixed, bars, places, spots = lab
    if vary:
        if board.checkers is not None and not board.occluded and board.mixed_at is None and rng.random() < 0.35:
            lay(im, spots, lab, rng)
        if rng.random() < 0.15:
            im, mask = boards.paint_arm(im, rng)
            cover(mask, count, hidden)
            for r in range(places.shape[0]):
                for s in range(14):
                    if mask[r * CELL + 4, MARGIN + s * SLOT + 16]:
                        places[r, s] = IGNORE
            if mask[:, MARGIN + 6 * SLOT:MARGIN + 8 * SLOT].mean() > 0.1:
                bars = np.array([IGNORE, IGNORE])
        if rng.random() < 0.1:
            cut(im, places, rng)
        im = boards.vary_colour(im, rng)
        if rng.random() < 0.5:
            im, places = im[:, ::-1], places[:, ::-1]
            count, light, hidden, mixed = (v[:, ::-1] for v in (count, light, hidden, mixed))
        if rng.random() < 0.5:
            im, places = im[::-1], places[::-1]
            count, light, hidden, mixed = (v[::-1] for v in (count, light, hidden, mixed))
    return boards.normal(im), [np.ascontiguousarray(v) for v in (count, light, hidden, mixed, bars, places)]


# ---- training ----------------------------------------------------------------------------------------------------

def loss_of(net, sample):
    x, *lab = sample
    with torch.autocast("cpu", torch.bfloat16):
        c = net.columns(x.to(memory_format=torch.channels_last))
    c = c.float()
    (points, bars), places = net.heads(c), net.places(c)
    count, light, hidden, mixed, bar, where = lab
    p = torch.cat([points[..., :6], points[..., 8:]], 3)
    seen = (hidden != 1) & (mixed != 1)
    weight = torch.where(hidden == IGNORE, 0.3, 1.0) * seen * torch.where(count > 4, 2.0, 1.0)
    n = F.cross_entropy(p[:, :16], count, reduction="none")
    total = (n * weight).sum() / weight.sum()
    mask = (light != IGNORE) & seen
    total = total + 0.5 * F.binary_cross_entropy_with_logits(p[:, 16][mask], light[mask].float())
    mask = hidden != IGNORE
    total = total + 0.3 * F.binary_cross_entropy_with_logits(p[:, 17][mask], hidden[mask].float())
    mask = (hidden == 0)
    total = total + 0.3 * F.binary_cross_entropy_with_logits(p[:, 18][mask], mixed[mask].float())
    for s in range(2):
        total = total + 0.15 * F.cross_entropy(bars[:, 16 * s:16 * s + 16, 0, 0], bar[:, s], ignore_index=IGNORE)
    if (where != IGNORE).any():
        total = total + 0.5 * F.cross_entropy(places, where, weight=torch.tensor([1.0, 4.0, 4.0]), ignore_index=IGNORE)
    return total


def measure(net, items):
    """Shares of points, pictures, bars right on pictures as they are."""
    net.eval()
    good = total = whole = bar_good = 0
    nll = 0.0
    worst = []
    with torch.no_grad():
        for b in items:
            x, lab = sample(b, None, False)
            points, bars = net(torch.from_numpy(x)[None])
            p = torch.cat([points[..., :6], points[..., 8:]], 3)[0]
            n = p[:16].argmax(0).numpy() * np.where(p[16].numpy() > 0, 1, -1)
            use = lab[2] != 1
            wrong = (n != b.counts) & use & ~((p[17].numpy() > 0) & b.occluded)
            nll += F.cross_entropy(p[None, :16], torch.from_numpy(lab[0])[None]).item()
            good += (use & ~wrong).sum(); total += use.sum()
            q = [int(bars[0, :16].argmax()), int(bars[0, 16:].argmax())]
            bar_good += q == list(b.bar_counts)
            whole += not wrong.any() and q == list(b.bar_counts)
            if wrong.any() or q != list(b.bar_counts):
                worst.append((b.name, int(wrong.sum()), q, list(b.bar_counts)))
    k = max(1, len(items))
    return dict(points=good / max(1, total), whole=whole / k, bar=bar_good / k, nll=nll / k), worst


class Exported(nn.Module):
    """One output in a row, as points.go takes it: logits by output, row and slot, then the bar's. The bottom row's head has
    weights of its own here, the top row's upside down."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.down = nn.Conv2d(net.stack.in_channels, net.stack.out_channels, (ROWS, 1))
        self.down.weight.data = net.stack.weight.data.flip(2).clone()
        self.down.bias.data = net.stack.bias.data.clone() + 1e-9

    def forward(self, x):
        net, c = self.net, self.net.columns(x)
        rows = torch.cat([net.stack(c[:, :, :ROWS]), self.down(c[:, :, -ROWS:])], 2)
        return torch.cat([net.rows_head(rows).flatten(1), net.bar_head(c).flatten(1)], 1)


def export(net, path):
    torch.onnx.export(Exported(net).eval(), torch.zeros(1, 3, HEIGHT, WIDTH), path, opset_version=11, input_names=["view"],
                      output_names=["points"])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../../../shared/data")
    a.add_argument("--epochs", type=int, default=50)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=4e-3)
    a.add_argument("--also", default="none", help="photographs and stills to learn from too: none, all, or all but those of a fold (boards.fold), 0 to 2")
    a.add_argument("--often", type=int, default=12, help="how often a photograph comes in an epoch; a still two thirds as often")
    a.add_argument("--drawn", type=int, default=1275, help="drawn boards an epoch, besides the pictures")
    a.add_argument("--minutes", type=float, help="end after this time by the clock")
    a.add_argument("--more", nargs="*", default=[], help="folders of more rendered boards, each with truth.jsonl")
    a.add_argument("--start", help="weights to go on from: a state, or an ONNX file of the project")
    a.add_argument("--out", default="points")
    o = a.parse_args()
    torch.manual_seed(o.seed); torch.set_num_threads(1); cv2.setNumThreads(1)
    train, sets = boards.collection(o.data, o.more)
    if o.also != "none":
        learn = {k: [b for b in sets[k] if str(boards.fold(b)) != o.also] for k in ("real", "stills")}
        train = train + o.often * learn["real"] + o.often * 2 // 3 * learn["stills"]
        sets = {k: [b for b in v if k == "held" or str(boards.fold(b)) == o.also] for k, v in sets.items()}
    for b in set(train):
        b.shrink()
    net, pool = Points(), drawn.Pool(train)

    def make(board, rng):
        x, lab = sample(board or pool.take(rng), rng)
        return [x, *lab]

    if o.start and o.start.endswith(".gz"):
        rng = np.random.default_rng(o.seed)
        views = lambda: torch.from_numpy(np.stack([make(train[rng.integers(len(train))], rng)[0] for _ in range(16)]))
        restore(Exported(net), o.start, [(views(),) for _ in range(8)])
    elif o.start:
        net.load_state_dict(torch.load(o.start), strict=False)

    def report(net):
        return {k: {n: round(float(v), 4) for n, v in measure(net, items)[0].items()} for k, items in sets.items()}

    net = training.run(net, train + [None] * o.drawn, make, loss_of, report, o.out, o.epochs, o.rate, 8, o.seed, minutes=o.minutes)
    export(net, o.out + ".onnx")


if __name__ == "__main__":
    main()
