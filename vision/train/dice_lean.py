"""Trains the network that tells a leaning die from one that lies flat, and writes it as ONNX. See dice.md."""

import math

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import dice_data as D
import dice_drawn as W
import dice_read as R
from dice_find import arguments, fuse, layer, train

# leans; where the middle of the upper face lies from that of the die, quarters of an edge; sine of the tilt; where the die's middle lies
# from the crop's, in units of 4 pixels; then the number on the upper face of one that leans, 1 to 6
NUMBER = 6
OUTPUTS = NUMBER + 6
TARGETS = NUMBER + 1


class Leaner(nn.Module):
    """Crop of D.CROP pixels in which up points to its upper edge, and how far up points -> OUTPUTS numbers."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            layer(3, 32, 2, 5), layer(32, 40), layer(40, 56, 2), layer(56, 56), layer(56, 56), layer(56, 64, 2), layer(64, 64), layer(64, 20, 1, 1)
        )
        self.drop = nn.Dropout(0.1)
        self.hide = nn.Linear(20 * 36 + 2, 48)
        self.out = nn.Linear(48, OUTPUTS)

    def forward(self, x, view):
        y = self.drop(self.body(x).flatten(1))
        return self.out(F.relu(self.hide(torch.cat([y, view, view * view], 1))))


class Plain:
    """What R.crop needs to know of a thing, its picture not turned."""

    def __init__(self, o):
        self.im, self.m, self.size, self.p = o.im, None, o.size, o.p


def misjudged(view, rng):
    """Where up points as it is told: the corners tell it with errors."""
    return view + rng.normal(0, 0.035 if rng.random() < 0.8 else 0.13, 2)


def turn(view):
    """By how much to turn a picture so that view points to its upper edge."""
    return -math.pi / 2 - math.atan2(view[1], view[0])


def beside(rng):
    """How far the crop's middle is from where the die lies, pixels of the crop: where die and ground are alike, far."""
    return np.clip(rng.normal(0, 1 if rng.random() < 0.7 else 2.5, 2), -5, 5)


def targets(cocked, top, tilt, shift, number):
    t = np.full(TARGETS, np.nan, np.float32)
    t[0] = cocked
    t[4:6] = shift / 4
    if top is not None:
        t[1:3] = top * 4
    if tilt is not None:
        t[3] = math.sin(math.radians(tilt))
    if number and cocked:
        t[NUMBER] = number - 1
    return t


def seen(o, rng, exact=False):
    """A crop of a rendered or photographed die, how far up points in it, and the targets."""
    flip = not exact and rng.random() < 0.5
    mirror = np.diag([-1.0 if flip else 1.0, 1.0])
    view = mirror @ (o.view if exact else misjudged(o.view, rng))
    scale, shift = (1, np.zeros(2)) if exact else (math.exp(rng.normal(0, 0.08)), beside(rng))
    a = turn(view)
    x, r = R.crop(Plain(o), rng, scale, shift, 0, flip, a)
    top = None if o.up is None else r @ o.up / math.hypot(*r[0]) / o.size
    return x, np.float32([np.hypot(*view)]), targets(o.cocked, top, o.tilt, shift, o.number), o.size * scale


def drawn(o, bank, rng):
    """The same of a drawn die in a picture's empty place."""
    g = bank.dice[rng.integers(len(bank.dice))]
    s = g.sprites[rng.integers(len(g.sprites))]
    flip, scale, shift = rng.random() < 0.5, math.exp(rng.normal(0, 0.08)), beside(rng)
    x, _ = R.crop(o, rng, math.exp(rng.normal(0, 0.3)), np.zeros(2), int(rng.integers(4)), rng.random() < 0.5, rng.uniform(0, 0.3))
    side = int(D.CROP * R.FINE)
    x = cv2.resize(x, (side, side)).astype(np.float32)
    edge, at = D.EDGE * R.FINE * scale, (D.CROP / 2 + shift) * R.FINE - 0.5
    view = misjudged(np.array([0, -g.lean]), rng)
    angle = turn(view)
    r, shade, squeeze = W.rotation(angle, flip), W.shadow(rng), math.sqrt(1 - g.lean**2)
    if s.cocked and rng.random() < 0.8:
        W.support(x, at, angle, g.lean, edge, s.high * [(-1 if flip else 1), 1], rng)
    elif rng.random() < 0.5:  # as much beside flat ones: what is near tells little
        k, a = rng.random(), rng.uniform(0, 2 * math.pi)
        if k < 0.5:
            W.support(x, at, angle, g.lean, edge * rng.uniform(1, 1.4), np.array([math.cos(a), math.sin(a)]), rng)
        else:
            radius = edge * rng.uniform(0.8, 1.3)
            W.checker(x, at + W.rotation(a) @ np.array([radius + edge * rng.uniform(0.5, 0.9) if rng.random() < 0.7 else radius * rng.uniform(0, 0.5), 0]), radius, squeeze, angle, rng)
    put = [(s, at)]
    for _ in range(rng.choice([0, 0, 0, 1])):
        h = g if rng.random() < 0.5 else bank.dice[rng.integers(len(bank.dice))]
        put.append((h.sprites[rng.integers(len(h.sprites))], W.beside(at, angle, edge, g.lean, rng)))
    put.sort(key=lambda q: (r.T @ q[1])[1])
    for q, p in put:
        W.put(x, q, p, angle, edge, rng, shade, flip)
    x = cv2.resize(np.clip(x, 0, 255).astype(np.uint8), (D.CROP, D.CROP), interpolation=cv2.INTER_AREA)
    return x, np.float32([np.hypot(*view)]), targets(float(s.cocked), r @ s.top, None, shift, s.value), 20 * scale


def sample(pool, bank, rng):
    k = rng.random()
    if k < 0.4:
        x, view, t, fine = drawn(pool["none"](rng), bank, rng)
    else:
        x, view, t, fine = seen(pool["die"](rng), rng)
    if fine > 15 and rng.random() < 0.4:  # a camera farther away
        n = int(D.CROP * rng.uniform(10, 0.9 * D.EDGE) / D.EDGE)
        x = cv2.resize(cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA), (D.CROP, D.CROP))
    x = D.colours(rng)(x)
    if rng.random() < 0.6:
        x = D.camera(x, rng, 0.2 if fine > 14 else 0.1)
    return D.even(x, x).astype(np.float32), view, t


def mirrored(x, view, t, rng):
    """A sample seen in a mirror."""
    t = t.copy()
    t[1], t[4] = -t[1], -t[4]
    return np.ascontiguousarray(x[:, ::-1]), view, t


class Die:
    __slots__ = ("im", "m", "p", "size", "cocked", "up", "view", "tilt", "number")


def dice(pictures):
    """The dice of pictures of which the corners are known."""
    out = []
    for im, t in pictures:
        c = t.get("corners")
        if not c or im is None:
            continue
        m, stand = D.canvas(c)[0], D.stance(c, im.shape[1::-1])
        for d in t.get("dice") or []:
            if not d.get("in_frame", True) or not d.get("visible", True) or d["center"] is None or d.get("on") == "checker":
                continue
            o = Die()
            o.im, o.m, o.p, o.size = im, m, np.float64(d["center"]), D.edge(d, t)
            if o.size < 7:
                continue
            o.cocked, o.tilt = float(bool(d["cocked"])), d.get("tilt")
            o.up = None if not d.get("top") or d.get("ambiguous") else np.float64(d["top"]) - o.p
            o.view = D.up(stand, o.p)
            o.number = 0 if d.get("ambiguous") else d["value"]
            out.append(o)
    return out


def make_pool(every, photos, pictures):
    lean, flat = [o for o in every if o.cocked], [o for o in every if not o.cocked]
    spots = R.make_pool([], [], pictures)["none"]

    def die(rng):
        k = rng.random()
        if k < 0.08 and photos:
            return photos[rng.integers(len(photos))]
        s = lean if k < 0.52 else flat
        return s[rng.integers(len(s))]

    return dict(die=die, none=spots)


def loss(y, t):
    ok, z = ~torch.isnan(t), torch.nan_to_num(t)
    v = R.part(y, ok[:, 0], F.binary_cross_entropy_with_logits(y[:, 0], z[:, 0], reduction="none"))
    for i, weight in ((1, 2), (2, 2), (3, 1), (4, 1), (5, 1)):
        v = v + weight * R.part(y, ok[:, i], F.smooth_l1_loss(y[:, i], z[:, i], reduction="none", beta=0.1))
    return v + R.part(y, ok[:, NUMBER], F.cross_entropy(y[:, NUMBER:], z[:, NUMBER].long(), reduction="none"))


def step(net, got):
    x, view, t = R.batch(got)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = net(x, view)
    y = y.float()
    known = ~torch.isnan(t[:, NUMBER])
    right = (y[:, NUMBER:].argmax(1) == torch.nan_to_num(t[:, NUMBER]).long())[known].float().mean().item()
    return loss(y, t), right


def export(net, path):
    args = (torch.zeros(1, 3, D.CROP, D.CROP), torch.zeros(1, 1))
    torch.onnx.export(fuse(net), args, path, opset_version=11, input_names=["view", "camera"], output_names=["out"])


def main():
    a = arguments("lean")
    a.add_argument("--more", nargs="*", default=[], help="folders of more rendered pictures, each with truth.jsonl")
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng = np.random.default_rng(o.seed)
    pictures = D.load(f"{o.data}/train", "truth.jsonl")
    for folder in o.more:
        pictures += D.load(folder, "truth.jsonl")
    every, photos = dice(pictures), dice(D.part(o.data, "real:2/4"))
    print("dice", len(every), "leaning", sum(d.cocked for d in every), "photographed", len(photos), flush=True)
    pool, bank = make_pool(every, photos, pictures), W.Bank(o.seed, figures=1, cubes=1)
    net = Leaner().to(memory_format=torch.channels_last)
    draw = R.Replay(lambda: sample(pool, bank, rng), mirrored, rng)
    R.begin(net, o, draw)
    train(net, o, draw, 64, step)
    export(net, o.out)


if __name__ == "__main__":
    main()
