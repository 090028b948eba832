"""Trains the network that finds dice and cube on the canvas, and writes it as ONNX. See dice.md."""

import argparse
import copy
import math
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import dice_data as D
import dice_drawn as W
from restore import restore

SIDE = 192  # of the training cut-outs
REF = 11.0  # a die's edge on the canvas, about


def layer(i, o, stride=1, k=3):
    return nn.Sequential(nn.Conv2d(i, o, k, stride, k // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Finder(nn.Module):
    """Picture -> at a quarter of the resolution: die, cube (logits), log of the edge over REF, offset x, y in cells."""

    def __init__(self, a=12, b=20, c=32, h=16, d=40):
        super().__init__()
        self.s2 = layer(3, a, 2)
        self.s4 = layer(a, b, 2)
        self.s8 = nn.Sequential(layer(b, c, 2), layer(c, c), layer(c, c))
        self.s16 = nn.Sequential(layer(c, d, 2), layer(d, d))
        self.back = nn.ConvTranspose2d(d, c, 2, 2)
        nn.init.zeros_(self.back.weight)  # at first what lies around changes nothing
        nn.init.zeros_(self.back.bias)
        self.skip = nn.Conv2d(b, h, 1)
        self.up = nn.ConvTranspose2d(c, h, 2, 2)
        self.out = layer(h, h)
        self.head = nn.Conv2d(h, 5, 1)
        self.head.bias.data[:2] = -4

    def forward(self, x):
        y = self.s4(self.s2(x))
        z = self.s8(y)
        z = z + self.back(self.s16(z))
        return self.head(self.out(F.relu(self.skip(y) + self.up(z))))


def prepare(pictures):
    """Pictures shrunk to a little over canvas scale, with their things in those pixels: (image, dice, cubes, ignored)."""
    out = []
    for im, t in pictures:
        if t["corners"]:
            s = min(1.0, 1.35 * D.canvas(t["corners"])[1])
        else:
            s = 0.5
        small = cv2.resize(im, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
        base = (D.canvas(t["corners"])[1] / s) if t["corners"] else None
        dice, ignored = [], []
        for d in t["dice"]:
            row = [d["center"][0] * s, d["center"][1] * s, D.edge(d, t) * s]
            (dice if d.get("visible", True) and d.get("in_frame", True) else ignored).append(row)
        for d in t.get("dice_air") or []:
            ignored.append([d["center"][0] * s, d["center"][1] * s, d["size_px"] * s])
        cubes, q = [], t.get("cube")
        if q and q["center"]:
            row = [q["center"][0] * s, q["center"][1] * s, D.CUBE_SHARE * math.sqrt(D.area(t["corners"])) * s]
            (cubes if q.get("visible", True) and q.get("in_frame", True) else ignored).append(row)
        f = lambda a: np.float64(a).reshape(-1, 3)
        out.append((small, f(dice), f(cubes), f(ignored), base, thumbnail(im, t["corners"])))
    return out


def thumbnail(im, corners):
    """What the canvas shows, small: its colours are what the network's input is evened out by."""
    if not corners:
        return cv2.resize(im, (64, 48), interpolation=cv2.INTER_AREA)
    canvas = cv2.warpAffine(im, D.canvas(corners)[0], D.CANVAS)
    return cv2.resize(canvas, (128, 96), interpolation=cv2.INTER_NEAREST)


def paste(im, things, donors, rng):
    """Puts a die of another picture somewhere, with a soft round edge."""
    src, dice = donors[rng.integers(len(donors))]
    if not len(dice):
        return things
    x, y, e = dice[rng.integers(len(dice))]
    size = rng.uniform(7, 17)
    n = int(size * 2.2)
    k = size / e
    a = rng.uniform(0, 2 * math.pi)
    r = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) * k
    m = np.hstack([r, (np.array([n / 2, n / 2]) - r @ [x, y])[:, None]])
    cut = cv2.warpAffine(src, m, (n, n), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    yy, xx = np.mgrid[:n, :n]
    w = np.clip((size * 0.72 - np.hypot(xx - n / 2 + 0.5, yy - n / 2 + 0.5)) / 1.5, 0, 1)[..., None]
    X, Y = rng.integers(0, SIDE - n, 2)
    c = np.array([X + n / 2, Y + n / 2])
    if len(things) and np.hypot(*(things[:, :2] - c).T).min() < size * 1.6 + 8:
        return things
    im[Y : Y + n, X : X + n] = (cut * w + im[Y : Y + n, X : X + n] * (1 - w)).astype(np.uint8)
    return np.vstack([things, [*c, size]])


def draw(im, dice, cubes, ignored, bank, rng):
    """Draws dice, cubes and what is neither on the picture where nothing lies; returns picture, dice and cubes."""
    x = im.astype(np.float32)
    every = [tuple(t) for t in np.vstack([dice, cubes, ignored])]
    free = lambda p, size: all(math.hypot(p[0] - a, p[1] - b) > 0.62 * (size + c) for a, b, c in every)
    for _ in range(rng.integers(0, 4)):
        size, at = rng.uniform(7, 20), rng.uniform(0, SIDE, 2)
        if free(at, 3.5 * size):
            W.distractor(x, at, size, rng)
    new = [[], []]
    for _ in range(rng.integers(0, 5)):
        cube = rng.random() < 0.2
        groups = bank.cubes if cube else bank.dice if rng.random() < 0.9 else bank.figures
        g = groups[rng.integers(len(groups))]
        size = rng.uniform(13, 30) if cube else rng.uniform(6.5, 19) if rng.random() < 0.8 else rng.uniform(15, 26)
        angle, flip, shade = rng.uniform(0, 2 * math.pi), not cube and rng.random() < 0.5, W.shadow(rng)
        at, put = rng.uniform(size, SIDE - size, 2), []
        for _ in range(1 if cube else rng.choice([1, 2, 2, 3])):
            if all(math.hypot(at[0] - a, at[1] - b) > 0.62 * (size + c) for a, b, c in every[: len(every) - len(put)]):
                s = g.sprites[rng.integers(len(g.sprites))]
                if s.cocked and free(at, 3 * size) and rng.random() < 0.7:
                    W.support(x, at, angle, g.lean, size, s.high * [(-1 if flip else 1), 1], rng)
                elif free(at, 2 * size) and rng.random() < 0.15:
                    radius = size * rng.uniform(0.8, 1.3)
                    W.checker(x, at + rng.uniform(-1, 1, 2) * radius * 0.5, radius, math.sqrt(1 - g.lean**2), angle, rng)
                put.append((s, at))
                every.append((*at, size))
                new[cube].append((*at, size))
            at = W.beside(at, angle, size, g.lean, rng)
        r = W.rotation(angle, flip)
        for s, p in sorted(put, key=lambda q: (r.T @ q[1])[1]):
            W.put(x, s, p, angle, size, rng, shade, flip)
    join = lambda old, more: np.vstack([old, np.float64(more).reshape(-1, 3)])
    return np.clip(x, 0, 255).astype(np.uint8), join(dice, new[0]), join(cubes, new[1])


def sample(pictures, rng, donors, bank):
    im, dice, cubes, ignored, base, small = pictures[rng.integers(len(pictures))]
    if base is None:
        size = rng.uniform(7, 20)
        k = size / np.median(dice[:, 2]) if len(dice) else 0.4
    else:
        k = base * math.exp(rng.normal(0, 0.22) if rng.random() < 0.75 else rng.uniform(-0.4, 0.65))
    every = np.vstack([dice, cubes])
    if len(every) and rng.random() < 0.8:
        c = every[rng.integers(len(every)), :2] + rng.uniform(-0.42, 0.42, 2) * SIDE / k
    else:
        c = rng.uniform(0, 1, 2) * im.shape[1::-1]
    a = rng.uniform(0, 2 * math.pi)
    r = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) * k
    if rng.random() < 0.5:
        r[:, 0] *= -1
    if rng.random() < 0.3:
        r = r @ np.diag(np.exp(rng.normal(0, 0.1, 2)))
    m = np.hstack([r, (np.array([SIDE / 2, SIDE / 2]) - r @ c)[:, None]])
    out = cv2.warpAffine(im, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    move = lambda t: np.hstack([t[:, :2] @ r.T + m[:, 2], t[:, 2:] * k]) if len(t) else t
    dice, cubes, ignored = move(dice), move(cubes), move(ignored)
    for _ in range(rng.integers(0, 3)):
        n = len(dice)
        dice = paste(out, np.vstack([dice, cubes]), donors, rng)
        dice = np.vstack([dice[:n], dice[n + len(cubes) :]])
    if rng.random() < 0.7:
        out, dice, cubes = draw(out, dice, cubes, ignored, bank, rng)
    colours = D.colours(rng)
    x = D.even(D.camera(colours(out), rng, 0.35), colours(small))
    return x.astype(np.float32), target(dice, cubes, ignored)


def target(dice, cubes, ignored):
    """Heat of die and cube, log size, offsets, weight of the heat, weight of the rest."""
    n = SIDE // 4
    y = np.zeros((7, n, n), np.float32)
    y[5] = 1
    gy, gx = np.mgrid[:n, :n]
    for ch, rows in ((0, dice), (1, cubes)):
        for px, py, e in rows:
            cx, cy = px / 4 - 0.5, py / 4 - 0.5
            if not (-1 < cx < n and -1 < cy < n):
                continue
            sigma = max(0.7, 0.16 * e / 4)
            g = np.exp(-((gx - cx) ** 2 + (gy - cy) ** 2) / (2 * sigma**2)).astype(np.float32)
            ix, iy = int(round(cx)), int(round(cy))
            if 0 <= ix < n and 0 <= iy < n:
                g[iy, ix] = 1
                near = (abs(gx - ix) <= 1) & (abs(gy - iy) <= 1)
                y[3][near], y[4][near] = (cx - gx)[near], (cy - gy)[near]
                y[6][near] = 1
                if ch == 0:
                    y[2][near] = math.log(e / REF)
                else:
                    y[2][near] = math.log(e / REF)
            y[ch] = np.maximum(y[ch], g)
    for px, py, e in ignored:
        y[5][np.hypot(gx - px / 4 + 0.5, gy - py / 4 + 0.5) < max(2, 0.35 * e)] = 0
    return y


def loss(out, y):
    heat, want, w = torch.sigmoid(out[:, :2]).clamp(1e-4, 1 - 1e-4), y[:, :2], y[:, 5:6]
    at = (want > 0.999).float()
    pos = at * (1 - heat) ** 2 * torch.log(heat)
    neg = (1 - at) * (1 - want) ** 4 * heat**2 * torch.log(1 - heat) * w
    n = at.sum().clamp(min=1)
    rest = (F.smooth_l1_loss(out[:, 2:5], y[:, 2:5], reduction="none") * y[:, 6:7]).sum() / y[:, 6].sum().clamp(min=1)
    return -(pos + neg).sum() / n + rest


def fuse(net):
    """The network without batch normalisation, for export."""
    net = net.eval()
    for seq in [m for m in net.modules() if isinstance(m, nn.Sequential)]:
        if isinstance(seq[0], nn.Conv2d) and isinstance(seq[1], nn.BatchNorm2d):
            seq[0] = torch.nn.utils.fuse_conv_bn_eval(seq[0], seq[1])
            seq[1] = nn.Identity()
    return net


def export(net, path):
    torch.onnx.export(fuse(net), torch.zeros(1, 3, D.CANVAS[1], D.CANVAS[0]), path, opset_version=11, input_names=["view"])


def main():
    a = arguments("find")
    a.add_argument("--also", nargs="*", default=[], help="sets beside data/train, as dice_data.part takes them")
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng = np.random.default_rng(o.seed)
    pictures = prepare(D.load(f"{o.data}/train", "truth.jsonl") + D.load(f"{o.data}/train", "dice_truth.jsonl"))
    more = prepare([p for name in o.also for p in D.part(o.data, name)])
    pictures += more * round(0.3 * len(pictures) / max(1, len(more)))  # a quarter of what it sees
    donors = [(p[0], p[1]) for p in pictures if len(p[1])]
    bank = W.Bank(o.seed, dice=3000, figures=300, cubes=1000)
    net = Finder().to(memory_format=torch.channels_last)
    if o.resume:
        net.load_state_dict(torch.load(o.state))
    draw = lambda: sample(pictures, rng, donors, bank)
    if o.shipped:
        restore(net, o.shipped, [(torch.from_numpy(np.stack([draw()[0] for _ in range(16)])).permute(0, 3, 1, 2),) for _ in range(8)])
    train(net, o, draw, 16, step)
    export(net, o.out)


def step(net, got):
    """The loss of a batch."""
    x = torch.from_numpy(np.stack([g[0] for g in got])).permute(0, 3, 1, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = net(x)
    return loss(y.float(), torch.from_numpy(np.stack([g[1] for g in got]))), 0.0


def arguments(name):
    """The arguments that all trainers of dice have."""
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../shared/data")
    a.add_argument("--out", default=f"vision/weights/dice_{name}.onnx")
    a.add_argument("--state", default=f"/tmp/dice/{name}.pt")
    a.add_argument("--minutes", type=float, default=20, help="of processor time")
    a.add_argument("--wall", type=float, default=1e9, help="minutes by the clock after which it ends as well")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--resume", action="store_true")
    a.add_argument("--shipped", help="an ONNX file of weights to go on from")
    return a


def train(net, o, draw, batch, step):
    """Trains for o.minutes; the weights are averaged over time at the end."""
    opt = torch.optim.AdamW(net.parameters(), o.rate, weight_decay=1e-3)
    begin, clock, n, mean, good = time.process_time(), time.time(), 0, 0.0, 0.0
    slow = copy.deepcopy(net)
    while True:
        done = max((time.process_time() - begin) / (60 * o.minutes), (time.time() - clock) / (60 * o.wall))
        if done >= 1:
            break
        for g in opt.param_groups:
            g["lr"] = o.rate * min(1, n / 100 + 0.01) * (0.5 + 0.5 * math.cos(math.pi * done))
        v, right = step(net, [draw() for _ in range(batch)])
        opt.zero_grad()
        v.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        k = max(0.002, 1 / (n + 1))
        with torch.no_grad():
            for p, q in zip(slow.state_dict().values(), net.state_dict().values()):
                p += (k * (q - p)).to(p.dtype)
        n += 1
        k = max(0.005, 1 / n)
        mean, good = mean + k * (v.item() - mean), good + k * (right - good)
        if n % 200 == 0:
            print(f"{n} {time.process_time() - begin:.0f}s loss {mean:.3f} value {good:.3f}", flush=True)
            torch.save(slow.state_dict(), o.state)
    net.load_state_dict(slow.state_dict())
    torch.save(net.state_dict(), o.state)


if __name__ == "__main__":
    main()
