"""Trains the network that reads a die or a cube from a crop, and writes it as ONNX. See dice.md."""

import argparse
import math
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import dice_data as D
from dice_find import REF, Finder, fuse, layer

# Places of the outputs; the same stand in vision/dice_reader.go.
KIND, VALUE, NUMERAL, COCKED, CHECKER, UP, SHIFT, SIZE = (0, 3), (3, 10), (10, 21), 21, 22, (23, 25), (25, 27), 27
OUTPUTS = 28
NUMERALS = [None, 2, 4, 8, 16, 32, 64, 1, 3, 5, 6]  # the last four stand on dice with figures instead of pips


class Reader(nn.Module):
    """Crop of D.CROP pixels and the camera's view -> OUTPUTS numbers."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            layer(3, 32, 2, 5), layer(32, 48, 2), layer(48, 64), layer(64, 64), layer(64, 64, 2), layer(64, 64), layer(64, 24, 1, 1)
        )
        self.drop = nn.Dropout(0.1)
        self.hide = nn.Linear(24 * 36 + 4, 80)
        self.out = nn.Linear(80, OUTPUTS)

    def forward(self, x, view):
        y = self.drop(self.body(x).flatten(1))
        return self.out(F.relu(self.hide(torch.cat([y, view], 1))))


def crop(o, rng, scale, shift, quarter, flip, angle, stretch=1.0):
    """The thing's crop in canvas orientation, then flipped and turned; and what the outputs should be told of it."""
    r = o.m[:, :2] / math.hypot(*o.m[0, :2]) if o.m is not None else np.eye(2)
    if flip:
        r = np.diag([-1.0, 1.0]) @ r
    a = angle + quarter * math.pi / 2
    r = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) @ r
    k = D.EDGE / o.size * scale
    r = r * k
    m = np.hstack([r, (np.array([D.CROP / 2, D.CROP / 2]) - 0.5 + shift - r @ o.p)[:, None]])
    im = o.im
    if k < 0.5:  # as the Go side does: no aliasing
        n = int(round(1 / k))
        x0, y0 = (np.maximum(0, o.p - D.CROP / k)).astype(int)
        x1, y1 = (o.p + D.CROP / k).astype(int) + 1
        part = im[y0:y1, x0:x1]
        im = cv2.resize(part, (max(1, part.shape[1] // n), max(1, part.shape[0] // n)), interpolation=cv2.INTER_AREA)
        fx, fy = part.shape[1] / im.shape[1], part.shape[0] / im.shape[0]
        back = np.array([[fx, 0, x0 + (fx - 1) / 2], [0, fy, y0 + (fy - 1) / 2]])
        m = np.hstack([m[:, :2] @ back[:, :2], (m[:, :2] @ back[:, 2] + m[:, 2])[:, None]])
    x = cv2.warpAffine(im, m, (D.CROP, D.CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return x, r


def block(x, rng, edge, numeral):
    """Draws a block with a numeral on top into the middle of the crop; returns the crop and the way to the top face."""
    k = 3  # finer, then shrunk
    big = cv2.resize(x, None, fx=k, fy=k)
    e, a = k * edge, rng.uniform(0, 2 * math.pi)
    r = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    up = r @ rng.uniform(-0.5, 0.5, 2) * e * rng.choice([0, 0.5, 1])
    mid = np.array(big.shape[1::-1]) / 2
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) @ r.T * e
    top, foot = square + mid + up / 2, square + mid - up / 2
    body = rng.uniform(20, 250, 3) if rng.random() < 0.4 else np.array([0.45, 0.7, 1.0]) * rng.uniform(60, 245)
    ink = body * rng.uniform(0, 0.5) if body.mean() > 110 and rng.random() < 0.8 else body + rng.uniform(0.5, 1) * (255 - body)
    hull = lambda p: cv2.convexHull(np.round(p).astype(np.int32))
    cv2.fillPoly(big, [hull(np.vstack([top, foot]))], (body * rng.uniform(0.3, 1)).tolist())
    cv2.fillPoly(big, [hull(top)], body.tolist())
    text, font = str(numeral), int(rng.choice([0, 2, 3, 4]))
    thick, wide = int(rng.integers(3, 9)), rng.uniform(0.42, 0.75)
    (w, h), _ = cv2.getTextSize(text, font, 2, thick)
    face = np.zeros((h + 40, w + 40), np.uint8)
    cv2.putText(face, text, (20, h + 20), font, 2, 255, thick, cv2.LINE_AA)
    s = e * min(wide / h, 0.85 / w)
    m = np.hstack([r * s, (mid + up / 2 - r * s @ (np.array([w, h]) / 2 + 20))[:, None]])
    mask = cv2.warpAffine(face, m, big.shape[1::-1], flags=cv2.INTER_AREA)[..., None] / 255.0
    big = big * (1 - mask) + np.clip(ink, 0, 255) * mask
    grain = cv2.resize(rng.normal(0, rng.uniform(0, 12), (12, 40)).astype(np.float32), big.shape[1::-1])
    big = np.clip(big + grain[..., None], 0, 255).astype(np.uint8)
    return cv2.resize(big, x.shape[1::-1], interpolation=cv2.INTER_AREA), up / k


def turn(v, quarter, flip):
    v = v.copy()
    if flip:
        v[0::2] *= -1
    for _ in range(quarter):
        v[0], v[1], v[2], v[3] = -v[1], v[0], -v[3], v[2]
    return v


def sample(pool, rng):
    """One crop with its targets: image, view, floats."""
    k = rng.random()
    negative = k < 0.3
    if not negative:
        o = pool["cube"][rng.integers(len(pool["cube"]))] if k < 0.45 else pool["pick"](rng)
    else:
        o = pool["none"](rng)
    known = o.view is not None and rng.random() < 0.9
    angle = rng.normal(0, 0.15) if known else rng.uniform(0, 2 * math.pi)
    quarter, flip = int(rng.integers(4)), rng.random() < 0.5 and o.kind != 2
    scale = math.exp(rng.normal(0, 0.2 if o.kind == 2 else 0.12))
    shift = np.clip(rng.normal(0, 1.2, 2), -4, 4)
    x, r = crop(o, rng, scale, shift, quarter, flip, angle)
    view = turn(o.view, quarter, flip) if known else np.zeros(4, np.float32)
    t = np.full(10, np.nan, np.float32)  # kind value numeral cocked checker upx upy shiftx shifty size
    t[0] = o.kind
    if negative and rng.random() < 0.2:  # something with a numeral on it
        n = int(rng.choice([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10]))
        x, up = block(x, rng, D.EDGE * scale * math.exp(rng.normal(0, 0.15)), NUMERALS[n])
        t[0], t[2], t[7:9], t[5:7] = 2, n, 0, up / 20
    if o.kind == 1:
        t[1] = 0 if o.hidden else o.value if o.value >= 0 else np.nan
        t[3], t[4] = o.cocked, o.checker
        t[9] = math.log(scale)
    if o.kind == 2:
        t[2] = 0 if o.hidden else o.value if o.value > 0 else np.nan
    if o.kind:
        t[7:9] = shift / 4
        if o.up is not None:
            t[5:7] = r @ o.up / 10
    if o.kind and rng.random() < 0.02:  # something over it
        x = x.copy()
        c = tuple(int(v) for v in rng.integers(0, 255, 3))
        p = (int(24 + rng.normal(0, 2)), int(24 + rng.normal(0, 2)))
        cv2.ellipse(x, p, (int(rng.integers(9, 18)), int(rng.integers(9, 22))), rng.uniform(0, 180), 0, 360, c, -1)
        t[:] = np.nan
        t[1 if o.kind == 1 else 2] = 0
    fine = o.size * scale
    if fine > 16 and rng.random() < 0.35:  # a camera farther away
        n = int(D.CROP * rng.uniform(9 / D.EDGE, 0.9))
        x = cv2.resize(cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA), (D.CROP, D.CROP))
    x = D.camera(D.colours(rng)(x), rng, 0.2 if fine > 14 else 0.1)
    return D.even(x, x).astype(np.float32), view, t


def mistaken(pictures, state):
    """Places of the pictures that a finder takes for a die or a cube: (index, place, assumed edge)."""
    net = Finder()
    net.load_state_dict(torch.load(state))
    net.eval()
    out = []
    for i, (im, t) in enumerate(pictures):
        if not t.get("corners"):
            continue
        m, s = D.canvas(t["corners"])
        x = cv2.warpAffine(im, m, D.CANVAS)
        x = torch.from_numpy(D.even(x, x).astype(np.float32)).permute(2, 0, 1)[None]
        with torch.no_grad():
            y = net(x)[0]
        back = cv2.invertAffineTransform(m)
        every = things_near(t)
        for ch in (0, 1):
            top = F.max_pool2d(y[None, None, ch], 3, 1, 1)[0, 0]
            for r, c in ((y[ch] == top) & (y[ch] > -1.6)).nonzero().tolist():
                p = D.apply(back, [4 * (c + 0.5 + y[3, r, c].item()), 4 * (r + 0.5 + y[4, r, c].item())])
                size = REF * math.exp(y[2, r, c].item()) / s if ch == 0 else D.CUBE_SHARE * math.sqrt(D.area(t["corners"]))
                if not len(every) or np.hypot(*(every - p).T).min() > size:
                    out.append((i, p, size))
    return out


def things_near(t):
    """Where dice and the cube are."""
    every = [d["center"] for d in (t["dice"] + (t.get("dice_air") or [])) if d["center"]]
    if t.get("cube") and t["cube"]["center"]:
        every.append(t["cube"]["center"])
    return np.float64(every).reshape(-1, 2)


def make_pool(dice, cubes, pictures, mistakes=()):
    """Choosers of dice (cocked, on checkers and hidden ones oftener) and of places with neither die nor cube."""
    w = np.array([1 + 1.5 * o.cocked + 1.5 * o.checker + o.hidden for o in dice])
    w *= np.clip([(o.size - 6) / 8 for o in dice], 0.15, 1)  # of small ones many cannot be read by anybody
    cum = np.cumsum(w) / w.sum()
    spots = []
    for im, t in pictures:
        c = t.get("corners")
        size = 0.03 * math.sqrt(D.area(c)) if c else np.median([d["size_px"] for d in t["dice"]])
        spots.append((im, c, size, things_near(t), t))

    def none(rng):
        while True:
            hard = mistakes[rng.integers(len(mistakes))] if mistakes and rng.random() < 0.7 else None
            im, c, size, every, t = spots[hard[0] if hard else rng.integers(len(spots))]
            o = D.Thing()
            o.im, o.kind, o.size = im, 0, size * math.exp(rng.uniform(-0.8, 0.4))
            k = rng.random()
            if hard:
                o.p, o.size = hard[1] + rng.normal(0, 0.1, 2) * hard[2], hard[2] * math.exp(rng.normal(0, 0.15))
            elif k < 0.35 and t.get("checkers"):
                q = t["checkers"][rng.integers(len(t["checkers"]))]["center"]
                o.p = np.float64(q) + rng.normal(0, 0.4, 2) * size
            elif k < 0.6 and len(every):
                a, d = rng.uniform(0, 2 * math.pi), rng.uniform(0.9, 1.8) * size
                o.p = every[rng.integers(len(every))] + d * np.array([math.cos(a), math.sin(a)])
            else:
                o.p = rng.uniform(0, 1, 2) * im.shape[1::-1]
            if len(every) and np.hypot(*(every - o.p).T).min() < 0.85 * max(size, o.size):
                continue
            if not (0 <= o.p[0] < im.shape[1] and 0 <= o.p[1] < im.shape[0]):
                continue
            o.m, o.view = (D.canvas(c)[0], D.view(c, o.p)) if c else (None, None)
            o.up, o.hidden, o.value, o.cocked, o.checker = None, False, -1, 0.0, 0.0
            return o

    pick = lambda rng: dice[min(len(dice) - 1, int(np.searchsorted(cum, rng.random())))]
    return dict(cube=cubes, pick=pick, none=none)


def part(t, where, f):
    return f[where].mean() if where.any() else t.new_zeros(())


def loss(y, t):
    ok = ~torch.isnan(t)
    z = torch.nan_to_num(t)
    ce = lambda span, col: part(y, ok[:, col], F.cross_entropy(y[:, span[0] : span[1]], z[:, col].long().clamp(min=0), reduction="none"))
    be = lambda i, col: part(y, ok[:, col], F.binary_cross_entropy_with_logits(y[:, i], z[:, col], reduction="none"))
    l1 = lambda i, col: part(y, ok[:, col], F.smooth_l1_loss(y[:, i], z[:, col], reduction="none"))
    v = ce(KIND, 0) + 1.5 * ce(VALUE, 1) + ce(NUMERAL, 2) + be(COCKED, 3) + be(CHECKER, 4)
    return v + sum(l1(i, c) for i, c in ((UP[0], 5), (UP[0] + 1, 6), (SHIFT[0], 7), (SHIFT[0] + 1, 8), (SIZE, 9)))


def export(net, path):
    args = (torch.zeros(1, 3, D.CROP, D.CROP), torch.zeros(1, 4))
    torch.onnx.export(fuse(net), args, path, opset_version=11, input_names=["view", "camera"], output_names=["out"])


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../shared/data/train")
    a.add_argument("--out", default="vision/weights/dice_read.onnx")
    a.add_argument("--state", default="/tmp/dice/read.pt")
    a.add_argument("--minutes", type=float, default=20, help="of processor time")
    a.add_argument("--wall", type=float, default=1e9, help="minutes by the clock after which it ends as well")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--finder", help="weights of a finder whose mistakes become examples of nothing")
    a.add_argument("--resume", action="store_true")
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng = np.random.default_rng(o.seed)
    pictures = D.load(o.data, "truth.jsonl") + D.load(o.data, "dice_truth.jsonl")
    every = D.things(pictures)
    mistakes = mistaken(pictures, o.finder) if o.finder else []
    print("mistakes", len(mistakes), flush=True)
    pool = make_pool([t for t in every if t.kind == 1], [t for t in every if t.kind == 2], pictures, mistakes)
    net = Reader().to(memory_format=torch.channels_last)
    if o.resume:
        net.load_state_dict(torch.load(o.state))
    print("weights", sum(p.numel() for p in net.parameters()))
    opt = torch.optim.AdamW(net.parameters(), o.rate, weight_decay=1e-3)
    begin, clock, step, mean = time.process_time(), time.time(), 0, 0.0
    while True:
        done = max((time.process_time() - begin) / (60 * o.minutes), (time.time() - clock) / (60 * o.wall))
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = o.rate * min(1, step / 100 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * done))
        got = [sample(pool, rng) for _ in range(64)]
        x = torch.from_numpy(np.stack([g[0] for g in got])).permute(0, 3, 1, 2)
        view = torch.from_numpy(np.stack([g[1] for g in got]))
        t = torch.from_numpy(np.stack([g[2] for g in got]))
        y = net(x, view)
        v = loss(y, t)
        opt.zero_grad()
        v.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        step += 1
        mean = v.item() if step == 1 else 0.99 * mean + 0.01 * v.item()
        if step % 200 == 0:
            with torch.no_grad():
                d = ~torch.isnan(t[:, 1])
                acc = (y[:, 3:10].argmax(1) == torch.nan_to_num(t[:, 1]).long())[d].float().mean().item()
            print(f"{step} {time.process_time() - begin:.0f}s loss {mean:.3f} value {acc:.2f}", flush=True)
            torch.save(net.state_dict(), o.state)
    torch.save(net.state_dict(), o.state)
    export(net, o.out)


if __name__ == "__main__":
    main()
