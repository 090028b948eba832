"""Trains the reader of trays and writes trays.onnx. See README.md."""
import argparse
import math

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import training
from restore import restore

# The view of a quarter: a strip beside the board, mirrored so that it looks like the one left of the upper half. Package vision
# (trays.go) makes the same view; change both together.
ACROSS, DOWN = 48, 288                    # pixels
REACH, INSIDE = 0.22, 0.01                # how far the view reaches from the board's edge, and into it: shares of its width
ABOVE, BELOW = 0.1, 0.52                  # and from the edge above up and down: shares of its height
CELL = 4
IGNORE = -1
SEEN = 0.6                                # a strip of which less lies in the picture is not read
WAYS = [(s, r) for s in (0, 1) for r in (0, 1)]   # mirrored left and right, top and bottom


# ---- network -----------------------------------------------------------------------------------------------------

def conv(i, o, kernel=3, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Trays(nn.Module):
    """(n, 3, DOWN, ACROSS) -> (n, 17): 16 counts and light, as logits."""

    def __init__(self, a=16, b=24, c=32, d=40, e=64):
        super().__init__()
        self.near = nn.Sequential(conv(3, a, 5, 2), conv(a, b, 3, 2), conv(b, c), conv(c, c))
        self.rows = nn.Sequential(nn.Conv2d(c, d, (1, ACROSS // CELL), bias=False), nn.BatchNorm2d(d), nn.ReLU(inplace=True))
        self.along = nn.Sequential(nn.Conv2d(d, d, (3, 1), 1, (1, 0), bias=False), nn.BatchNorm2d(d), nn.ReLU(inplace=True))
        self.narrow = nn.Sequential(nn.Conv2d(d, 8, (2, 1), (2, 1)), nn.ReLU(inplace=True))
        self.all = nn.Sequential(nn.Conv2d(8, e, (DOWN // CELL // 2, 1)), nn.ReLU(inplace=True), nn.Dropout(0.2))
        self.out = nn.Conv2d(e, 17, 1)
        self.places = nn.Conv2d(d, 3, 1)      # only for training: which rows hold the middle of a checker, and whose

    def row(self, x):
        return self.along(self.rows(self.near(x)))

    def forward(self, x):
        return self.out(self.all(self.narrow(self.row(x)))).flatten(1)


# ---- samples -----------------------------------------------------------------------------------------------------

def quarter(way):
    """From pixels of a quarter's view, twice as wide as the network's, to the board, 0...1."""
    sides, rows = way
    x = np.array([[(REACH + INSIDE) / (2 * ACROSS), 0, -REACH], [0, (ABOVE + BELOW) / DOWN, -ABOVE], [0, 0, 1]])
    turn = np.array([[-1, 0, 1] if sides else [1, 0, 0], [0, -1, 1] if rows else [0, 1, 0], [0, 0, 1]], float)
    return turn @ x


def views(image, corners, bar):
    """The four quarters' views (4, DOWN, ACROSS, 3), how much of each lies in the picture, and the board's own view, by whose mean
    and spread they are evened out."""
    board = boards.rectify(image, corners, bar)
    width = (np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    image, corners = boards.shrink(image, corners, boards.FINEST * 14 * boards.SLOT / width)
    to_picture = cv2.getPerspectiveTransform(boards.SQUARE, np.float32(corners))
    h, w = image.shape[:2]
    grid = np.stack(np.meshgrid(np.linspace(0, 2 * ACROSS, 9), np.linspace(0, DOWN, 9)), 2).reshape(1, -1, 2)
    out, seen = [], []
    for way in WAYS:
        m = to_picture @ quarter(way)
        wide = cv2.warpPerspective(image, m, (2 * ACROSS, DOWN), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        out.append(cv2.resize(wide, (ACROSS, DOWN), interpolation=cv2.INTER_AREA))
        p = cv2.perspectiveTransform(grid, m)[0]
        seen.append(((p >= 0) & (p < (w, h))).all(1).mean())
    return np.stack(out), np.array(seen), board


def labels(board, corners, seen):
    """count, light (4), places (4, rows); IGNORE where the truth does not tell or too little is seen. And of each strip the middles of its
    checkers, rows of the view from the board's edge on, where they stand on edge in one row."""
    count, light = np.zeros(4, np.int64), np.full(4, IGNORE, np.int64)
    places = np.zeros((4, DOWN // CELL), np.int64)
    off, edges = board.row.get("off") or {}, [[], [], [], []]
    if board.checkers is None:
        places[:] = IGNORE
        if off.get("light") != 0 or off.get("dark") != 0:
            count[:] = IGNORE
    else:
        mine = [c for c in board.checkers if c["where"] == "off"]
        of = np.zeros((4, 2), np.int64)
        if mine:
            uv = cv2.perspectiveTransform(np.float32([[c["center"] for c in mine]]), cv2.getPerspectiveTransform(np.float32(corners), boards.SQUARE))[0]
            for c, (u, v) in zip(mine, uv):
                q = WAYS.index((int(u > 0.5), int(v > 0.5)))
                whose = 1 if c["color"] == "light" else 2
                of[q, 2 - whose] += 1
                y = ((1 - v if v > 0.5 else v) + ABOVE) / (ABOVE + BELOW) * DOWN
                if c["vis"] > 0.3 and 0 <= y < DOWN:
                    places[q, int(y / CELL)] = whose
                    if c["on_edge"]:
                        edges[q].append(y)
        count = np.where((of > 0).all(1), IGNORE, of.sum(1))
        light = np.where((of > 0).any(1), (of[:, 1] > 0).astype(np.int64), IGNORE)
    away = seen < SEEN
    count[away], light[away], places[away] = IGNORE, IGNORE, IGNORE
    return count, light, places, [sorted(e) if len(e) == n else [] for e, n in zip(edges, count)]


def recount(im, count, light, places, ys, rng):
    """A strip with a row on edge with some of its checkers taken out, or put in once more."""
    n, h = len(ys), len(im)
    pitch = (ys[-1] - ys[0]) / (n - 1) if n > 1 else 9.0
    between = [ys[0] - pitch / 2, *((a + b) / 2 for a, b in zip(ys, ys[1:])), ys[-1] + pitch / 2]
    i = int(rng.integers(n))
    k = int(rng.integers(1, n - i + 1))
    y0, y1 = (int(round(np.clip(between[j], 0, h))) for j in (i, i + k))
    more = rng.random() < 0.55
    if y1 <= y0 or more and (n + k > 15 or ys[-1] + y1 - y0 > h - 4):
        return im, count, light, places, ys
    if more:
        im = np.concatenate([im[:y1], im[y0:]])[:h]
        ys = ys[:i + k] + [y + y1 - y0 for y in ys[i:]]
    else:
        im = np.concatenate([im[:y0], im[y1:], np.repeat(im[-1:], y1 - y0, 0)])
        ys = ys[:i] + [y - (y1 - y0) for y in ys[i + k:]]
    whose = 1 if light == 1 else 2
    places = np.zeros_like(places)
    for y in ys:
        if 0 <= y < h:
            places[int(y / CELL)] = whose
    return im, len(ys), light if ys else IGNORE, places, ys


def stretch(im, places, rng):
    """A strip as of a board of other proportions, or beside its place."""
    down, across = math.exp(rng.normal(0, 0.12)), math.exp(rng.normal(0, 0.1))
    m = np.float32([[across, 0, ACROSS * (1 - across) + rng.normal(0, 1.5)], [0, down, rng.normal(0, 5)]])
    rows = np.nonzero(places > 0)[0]
    new = np.full_like(places, IGNORE) if (places == IGNORE).all() else np.zeros_like(places)
    for r in rows:
        y = int(((r + 0.5) * CELL * down + m[1, 2]) / CELL)
        if 0 <= y < len(new):
            new[y] = places[r]
    return cv2.warpAffine(im, m, (ACROSS, DOWN), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), new


def clutter(im, rng):
    """An empty strip with what else lies in trays and beside boards: cubes, cups, pens, corners of cloth."""
    im = np.ascontiguousarray(im)
    for _ in range(rng.integers(1, 3)):
        c = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.repeat(rng.uniform(0, 255), 3) + rng.normal(0, 12, 3)
        ink = tuple(float(v) for v in c)
        shade = tuple(float(v) for v in c * rng.uniform(0.4, 1.5))
        p = np.array([rng.uniform(0, ACROSS), rng.uniform(20, DOWN)])
        k = rng.random()
        if k < 0.35:                          # a cube or box, with a sign on it
            r, a = rng.uniform(5, 13), rng.normal(0, 0.3)
            box = cv2.boxPoints(((float(p[0]), float(p[1])), (float(r * 1.6), float(r * 2.4)), float(np.degrees(a)))).astype(np.int32)
            cv2.fillConvexPoly(im, box, ink, cv2.LINE_AA)
            cv2.putText(im, str(rng.choice([2, 4, 8, 16, 32, 64])), (int(p[0] - r * 0.6), int(p[1] + r * 0.5)), cv2.FONT_HERSHEY_SIMPLEX, r / 30, shade, 1, cv2.LINE_AA)
        elif k < 0.75:                        # a cup, a pen, a sleeve: long, with light along it
            a, length, r = rng.uniform(0, np.pi), rng.uniform(20, 120), rng.uniform(2, 14)
            q = p + length * np.array([np.cos(a) * 0.7, np.sin(a)])
            ends = [tuple(int(v) for v in e) for e in (p, q)]
            cv2.line(im, *ends, ink, int(2 * r), cv2.LINE_AA)
            cv2.line(im, *[(x + int(r * 0.3), y) for x, y in ends], shade, max(1, int(r * 0.6)), cv2.LINE_AA)
        else:                                 # paper or cloth, or one large round thing
            if rng.random() < 0.5:
                cv2.fillConvexPoly(im, cv2.convexHull((p + rng.normal(0, 25, (4, 2))).astype(np.int32)), ink, cv2.LINE_AA)
            else:
                cv2.ellipse(im, (int(p[0]), int(p[1])), (int(rng.uniform(16, 40)), int(rng.uniform(30, 60))), 0, 0, 360, ink, -1, cv2.LINE_AA)
    return im


def cut(image, corners, rng):
    """The picture ends near the board, or within its trays."""
    h, w = image.shape[:2]
    if rng.random() < 0.5:
        x = int(max(0, corners[:, 0].min() - rng.uniform(0, 0.25) * w))
        return image[:, x:], corners - (x, 0)
    x = int(min(w, corners[:, 0].max() + rng.uniform(0, 0.25) * w))
    return image[:, :x], corners


def sample(board, rng, vary=True):
    """The normal views of the quarters (4, 3, DOWN, ACROSS), count, light, places."""
    image, corners, bar = board.image, board.corners, np.float32(board.bar)
    if vary and rng.random() < 0.2:
        image, corners = cut(image, corners, rng)
    truly = corners
    if vary:
        corners = corners + rng.normal(0, rng.choice([0.001, 0.004, 0.008]) * np.linalg.norm(corners[2] - corners[0]), (4, 2))
    corners = np.float32(corners)
    four, seen, own = views(image, corners, bar)
    count, light, places, edges = labels(board, truly, seen)
    if vary:
        for q in range(4):
            for _ in range(2):
                if edges[q] and rng.random() < 0.6:
                    four[q], count[q], light[q], places[q], edges[q] = recount(four[q], count[q], light[q], places[q], edges[q], rng)
            if count[q] == 0 and rng.random() < 0.25:
                four[q] = clutter(four[q], rng)
            if rng.random() < 0.7:
                four[q], places[q] = stretch(four[q], places[q], rng)
        h = max(boards.HEIGHT, DOWN)        # all in one picture, so that the light changes for all alike
        sheet = np.zeros((h, boards.WIDTH + 4 * ACROSS, 3), np.uint8)
        sheet[:boards.HEIGHT, 4 * ACROSS:] = own
        for i in range(4):
            sheet[:DOWN, i * ACROSS:(i + 1) * ACROSS] = four[i]
        sheet = boards.vary_colour(sheet, rng)
        own = sheet[:boards.HEIGHT, 4 * ACROSS:]
        four = np.stack([sheet[:DOWN, i * ACROSS:(i + 1) * ACROSS] for i in range(4)])
    mean, sd = cv2.meanStdDev(np.ascontiguousarray(own))
    spread = max(4.0, float(np.sqrt((sd ** 2).mean())))
    x = (four.astype(np.float32) - mean.ravel()) / spread
    return [np.ascontiguousarray(x.transpose(0, 3, 1, 2), np.float32), count, light, places]


# ---- training ----------------------------------------------------------------------------------------------------

def loss_of(net, batch):
    x, count, light, places = (v.flatten(0, 1) for v in batch)
    with torch.autocast("cpu", torch.bfloat16):
        rows = net.row(x.to(memory_format=torch.channels_last))
    rows = rows.float()
    out = net.out(net.all(net.narrow(rows))).flatten(1)
    total = F.cross_entropy(out[:, :16], count, ignore_index=IGNORE)
    known = (light != IGNORE) & (count > 0)
    if known.any():
        total = total + 0.3 * F.binary_cross_entropy_with_logits(out[known, 16], light[known].float())
    if (places != IGNORE).any():
        total = total + 0.7 * F.cross_entropy(net.places(rows)[..., 0], places, weight=torch.tensor([1.0, 3.0, 3.0]), ignore_index=IGNORE)
    return total


def measure(net, items):
    """Of quarters that can be seen: right where none lie, right and off by at most one where some do, colour right, and the mean of -log p."""
    net.eval()
    right, nll = {k: [] for k in ("none", "some", "nearly", "whose")}, []
    with torch.no_grad():
        for b in items:
            x, count, light, _ = sample(b, None, False)
            out = net(torch.from_numpy(x))
            logp = F.log_softmax(out[:, :16], 1).numpy()
            for q in range(4):
                if count[q] == IGNORE:
                    continue
                n = logp[q].argmax()
                nll.append(-logp[q, count[q]])
                if count[q] == 0:
                    right["none"].append(n == 0)
                else:
                    right["some"].append(n == count[q])
                    right["nearly"].append(abs(n - count[q]) <= 1)
                    if light[q] != IGNORE:
                        right["whose"].append((out[q, 16] > 0).item() == bool(light[q]))
    return {**{k: float(np.mean(v)) if v else 0 for k, v in right.items()}, "nll": float(np.mean(nll)) if nll else 0}


def export(net, path):
    torch.onnx.export(net.eval(), torch.zeros(1, 3, DOWN, ACROSS), path, opset_version=11, input_names=["view"], output_names=["tray"])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../../../shared/data")
    a.add_argument("--epochs", type=int, default=200)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=4e-3)
    a.add_argument("--minutes", type=float, help="end after this time by the clock")
    a.add_argument("--also", action="store_true", help="learn from photographs and stills too")
    a.add_argument("--more", nargs="*", default=[], help="folders of more rendered boards, each with truth.jsonl")
    a.add_argument("--watch", nargs="*", default=[], help="folders of boards to measure on only")
    a.add_argument("--start", help="weights to go on from: a state, or an ONNX file of the project")
    a.add_argument("--out", default="trays")
    o = a.parse_args()
    torch.manual_seed(o.seed); torch.set_num_threads(1); cv2.setNumThreads(1)
    train, sets = boards.collection(o.data, o.more)
    for folder in o.watch:
        sets[folder.rstrip("/").split("/")[-1]] = boards.load(folder)
    if o.also:
        train = train + 2 * sets["real"] + 2 * sets["stills"]
    for b in set(train):
        b.shrink()
    some = [b for b in train if b.checkers and any(c["where"] == "off" for c in b.checkers)]
    net = Trays()
    if o.start and o.start.endswith(".gz"):
        rng = np.random.default_rng(o.seed)
        restore(net, o.start, [(torch.from_numpy(np.concatenate([sample(train[rng.integers(len(train))], rng)[0] for _ in range(8)])),) for _ in range(8)])
    elif o.start:
        net.load_state_dict(torch.load(o.start))

    def report(net):
        return {k: {n: round(v, 4) for n, v in measure(net, items).items()} for k, items in sets.items()}

    net = training.run(net, train + 2 * some, sample, loss_of, report, o.out, o.epochs, o.rate, 8, o.seed, minutes=o.minutes)
    export(net, o.out + ".onnx")


if __name__ == "__main__":
    main()
