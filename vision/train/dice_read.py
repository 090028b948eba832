"""Trains the network that reads a die or a cube from a crop, and writes it as ONNX. See dice.md."""

import math

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import dice_data as D
import dice_drawn as W
from dice_find import REF, Finder, arguments, fuse, layer, train
from restore import restore

# Places of the outputs; the same stand in vision/dice_reader.go.
KIND, VALUE, NUMERAL, COCKED, CHECKER, UP, SHIFT, SIZE = (0, 3), (3, 10), (10, 21), 21, 22, (23, 25), (25, 27), 27
OUTPUTS = 28
FLAT = 0.95  # how far from a flat die's middle that of its upper face lies, in tenths of a pixel of the crop, where up points by 1
NUMERALS = [None, 2, 4, 8, 16, 32, 64, 1, 3, 5, 6]  # the last four stand on dice with figures instead of pips


class Again(nn.Module):
    """Two more looks at the same resolution, added to what is there; at first they add nothing."""

    def __init__(self, n):
        super().__init__()
        self.a = layer(n, n)
        self.b = nn.Sequential(nn.Conv2d(n, n, 3, 1, 1, bias=False), nn.BatchNorm2d(n))
        nn.init.zeros_(self.b[1].weight)

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class Reader(nn.Module):
    """Crop of D.CROP pixels and where up points in it (x, y, 1; all 0 where nobody knows) -> OUTPUTS numbers.

    Where the upper face lies is first read from the picture alone, and set beside where it would lie on a die that lies flat:
    how far the two are apart, and its square, tell of a die that leans."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            layer(3, 32, 2, 5), layer(32, 48, 2), layer(48, 64), layer(64, 64), Again(64),
            layer(64, 80, 2), layer(80, 80), Again(80), layer(80, 32, 1, 1),
        )
        self.drop = nn.Dropout(0.1)
        self.lies = nn.Linear(32 * 36, 2)
        self.hide = nn.Linear(32 * 36 + 9, 128)
        self.out = nn.Linear(128, OUTPUTS)

    def features(self, x):
        """What the picture shows, and where the upper face lies in it."""
        y = self.drop(self.body(x).flatten(1))
        return y, self.lies(y)

    def answer(self, y, lies, view):
        lean = lies - FLAT * view[:, :2]
        return self.out(F.relu(self.hide(torch.cat([y, view, lies, lean, lean * lean], 1))))

    def forward(self, x, view):
        return self.answer(*self.features(x), view)


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


def told(up, rng):
    """What the reader is told of the way up: mostly about right, sometimes nothing."""
    if up is None or rng.random() < 0.2:
        return np.zeros(3, np.float32)
    return np.float32([*(up + rng.normal(0, 0.04 if rng.random() < 0.7 else 0.15, 2)), 1])


def seen(o, rng):
    """A crop of what the pictures show, with its targets (NaN: not told) and the way up."""
    known = o.m is not None and rng.random() < 0.9
    angle = rng.normal(0, 0.15) if known else rng.uniform(0, 2 * math.pi)
    quarter, flip = int(rng.integers(4)), rng.random() < 0.5 and o.kind != 2
    scale = math.exp(rng.normal(0, 0.2 if o.kind == 2 else 0.12))
    shift = np.clip(rng.normal(0, 1.2, 2), -4, 4)
    x, r = crop(o, rng, scale, shift, quarter, flip, angle)
    t = np.full(10, np.nan, np.float32)  # kind value numeral cocked checker upx upy shiftx shifty size
    t[0] = o.kind
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
    view = None if o.view is None else r @ o.view / math.hypot(*r[0])
    return x, t, told(view, rng), o.size * scale


FINE = 1.5  # drawn crops are made finer, then shrunk


def drawn(o, bank, rng):
    """A crop of a drawn die or cube in a picture's empty place, with its targets and the way up."""
    kind = rng.choice([1, 1, 1, 1, 2, 2, 3])
    groups = {1: bank.dice, 2: bank.cubes, 3: bank.figures}[kind]
    g = groups[rng.integers(len(groups))]
    s = g.sprites[rng.integers(len(g.sprites))]
    angle, flip = rng.uniform(0, 2 * math.pi), kind == 1 and rng.random() < 0.5
    scale = math.exp(rng.normal(0, 0.2 if kind == 2 else 0.12))
    shift = np.clip(rng.normal(0, 1.2, 2), -4, 4)
    x, _ = crop(o, rng, math.exp(rng.normal(0, 0.3)), np.zeros(2), int(rng.integers(4)), rng.random() < 0.5, rng.uniform(0, 0.3))
    side = int(D.CROP * FINE)
    if rng.random() < 0.2:
        x = np.full_like(x, 0)
        x[:] = W.colour(rng)
    x = cv2.resize(x, (side, side)).astype(np.float32)
    other = rng.random() < 0.08  # at quite another scale: only part of a die, or far too small a one
    edge = D.EDGE * FINE * scale * (1 if not other else rng.uniform(2, 4) if rng.random() < 0.6 else rng.uniform(0.25, 0.45))
    at = (D.CROP / 2 + shift * (5 if other else 1)) * FINE - 0.5
    r, shade, t = W.rotation(angle, flip), W.shadow(rng), np.full(10, np.nan, np.float32)
    turn = lambda: W.beside(at, angle, edge, g.lean, rng)
    squeeze, on = math.sqrt(1 - g.lean**2), 0.0
    if s.cocked and rng.random() < 0.7:
        W.support(x, at, angle, g.lean, edge, s.high * [(-1 if flip else 1), 1], rng)
    elif rng.random() < 0.2:
        radius = edge * rng.uniform(0.8, 1.3)
        away = edge * rng.uniform(0.6, 1.2) + radius if rng.random() < 0.4 else radius * rng.uniform(0, 0.5)
        on = float(away < radius * 0.6)
        W.checker(x, at + W.rotation(rng.uniform(0, 2 * math.pi)) @ np.array([away, 0]), radius, squeeze, angle, rng)
    put = []
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        k = rng.random()
        if k < 0.3:
            W.distractor(x, turn() * 1.0, edge, rng)
        else:
            h = g if k < 0.8 else bank.dice[rng.integers(len(bank.dice))]
            put.append((h.sprites[rng.integers(len(h.sprites))], turn()))
    put.append((s, at))
    put.sort(key=lambda q: (r.T @ q[1])[1])  # the farther ones first
    for q, p in put:
        W.put(x, q, p, angle, edge, rng, shade, flip)
    x = cv2.resize(np.clip(x, 0, 255).astype(np.uint8), (D.CROP, D.CROP), interpolation=cv2.INTER_AREA)
    if other:
        t[0] = 0
        return x, t, told(None, rng), 20 * scale
    t[0] = 1 if kind == 1 else 2
    if kind == 1:
        t[1] = s.value or np.nan
        t[3], t[4], t[9] = s.cocked, np.nan if s.cocked else on, math.log(scale)
    elif s.numeral:
        t[2] = NUMERALS.index(s.numeral)
    t[5:7] = r @ s.top * edge / FINE / 10
    t[7:9] = shift / 4
    return x, t, told(r @ np.array([0, -g.lean]), rng), 20 * scale


def nothing(o, rng):
    """A crop of a place with neither die nor cube, sometimes with something drawn into it."""
    x, t, view, fine = seen(o, rng)
    if rng.random() < 0.25:
        x = np.ascontiguousarray(x)
        W.distractor(x, np.full(2, D.CROP / 2) + rng.normal(0, 2, 2), D.EDGE, rng)
    return x, t, view, fine


def sample(pool, bank, rng):
    """One crop with its targets: image, way up, floats."""
    k = rng.random()
    if k < 0.27:
        x, t, view, fine = nothing(pool["none"](rng), rng)
    elif k < 0.34:
        x, t, view, fine = seen(pool["cube"][rng.integers(len(pool["cube"]))], rng)
    elif k < 0.60:
        x, t, view, fine = seen(pool["pick"](rng), rng)
    else:
        x, t, view, fine = drawn(pool["none"](rng), bank, rng)
    if t[0] and rng.random() < 0.02:  # something over it
        x = x.copy()
        c = tuple(int(v) for v in rng.integers(0, 255, 3))
        p = (int(24 + rng.normal(0, 2)), int(24 + rng.normal(0, 2)))
        cv2.ellipse(x, p, (int(rng.integers(9, 18)), int(rng.integers(9, 22))), rng.uniform(0, 180), 0, 360, c, -1)
        place = 1 if t[0] == 1 else 2
        t[:] = np.nan
        t[place] = 0
    if fine > 16 and rng.random() < 0.35:  # a camera farther away
        tiny = rng.random() < 0.2
        edge = rng.uniform(5, 9) if tiny else rng.uniform(9, 0.9 * D.EDGE)
        if edge < 6.5:  # that it is one, nothing more
            t[1:4] = np.nan
        n = int(D.CROP * edge / D.EDGE)
        x = cv2.resize(cv2.resize(x, (n, n), interpolation=cv2.INTER_AREA), (D.CROP, D.CROP))
    x = D.camera(D.colours(rng)(x), rng, 0.2 if fine > 14 else 0.1)
    return D.even(x, x).astype(np.float32), view, t


class Replay:
    """Samples, of which every other one is an earlier one seen otherwise: drawing them anew costs as much time as training on
    them."""

    def __init__(self, draw, otherwise, rng, size=6000):
        self.draw, self.otherwise, self.rng, self.size, self.kept, self.n = draw, otherwise, rng, size, [], 0

    def __call__(self):
        self.n += 1
        if self.n % 2 == 0 and len(self.kept) >= 64:
            return self.otherwise(*self.kept[self.rng.integers(len(self.kept))], self.rng)
        got = self.draw()
        if len(self.kept) < self.size:
            self.kept.append(got)
        else:
            self.kept[self.rng.integers(self.size)] = got
        return got


def turned(x, view, t, rng):
    """A sample turned by some quarters."""
    k = int(rng.integers(1, 4))
    view, t = view.copy(), t.copy()
    for _ in range(k):
        for a, i in ((view, 0), (t, 5), (t, 7)):
            a[i], a[i + 1] = -a[i + 1], a[i]
    return np.ascontiguousarray(np.rot90(x, -k)), view, t


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


def make_pool(every, extra, pictures, mistakes=()):
    """Choosers of dice (cocked, on checkers and hidden ones oftener, of the extra sets every third, each set alike), cubes, and places
    with neither."""
    dice, more = [o for o in every if o.kind == 1], [[o for o in s if o.kind == 1] for s in extra]
    cubes = [o for s in [every, *extra] for o in s if o.kind == 2]
    w = np.array([1 + 1.5 * o.cocked + 1.5 * o.checker + o.hidden for o in dice])
    w *= np.clip([(o.size - 6) / 8 for o in dice], 0.15, 1)  # of small ones many cannot be read by anybody
    cum = np.cumsum(w) / w.sum()
    spots = []
    for im, t in pictures:
        c = t.get("corners")
        size = 0.03 * math.sqrt(D.area(c)) if c else np.median([D.edge(d, t) for d in t["dice"]])
        spots.append((im, c, size, things_near(t), t, (D.canvas(c)[0], D.stance(c, im.shape[1::-1])) if c else None))

    def none(rng):
        while True:
            hard = mistakes[rng.integers(len(mistakes))] if mistakes and rng.random() < 0.7 else None
            im, c, size, every, t, stand = spots[hard[0] if hard else rng.integers(len(spots))]
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
            o.m, o.view = (stand[0], D.up(stand[1], o.p)) if c else (None, None)
            o.up, o.hidden, o.value, o.cocked, o.checker = None, False, -1, 0.0, 0.0
            return o

    def pick(rng):
        if more and rng.random() < 0.33:
            s = more[rng.integers(len(more))]
            return s[rng.integers(len(s))]
        return dice[min(len(dice) - 1, int(np.searchsorted(cum, rng.random())))]

    return dict(cube=cubes, pick=pick, none=none)


def part(t, where, f):
    return f[where].mean() if where.any() else t.new_zeros(())


def loss(y, t):
    ok = ~torch.isnan(t)
    z = torch.nan_to_num(t)
    ce = lambda span, col: part(y, ok[:, col], F.cross_entropy(y[:, span[0] : span[1]], z[:, col].long().clamp(min=0), reduction="none"))
    be = lambda i, col: part(y, ok[:, col], F.binary_cross_entropy_with_logits(y[:, i], z[:, col], reduction="none"))
    l1 = lambda i, col: part(y, ok[:, col], F.smooth_l1_loss(y[:, i], z[:, col], reduction="none", beta=0.1))
    v = ce(KIND, 0) + 1.5 * ce(VALUE, 1) + ce(NUMERAL, 2) + 3 * be(COCKED, 3) + 0.5 * be(CHECKER, 4)
    return v + sum(l1(i, c) for i, c in ((UP[0], 5), (UP[0] + 1, 6), (SHIFT[0], 7), (SHIFT[0] + 1, 8), (SIZE, 9)))


def export(net, path):
    args = (torch.zeros(1, 3, D.CROP, D.CROP), torch.zeros(1, 3))
    torch.onnx.export(fuse(net), args, path, opset_version=11, input_names=["view", "camera"], output_names=["out"])


def main():
    a = arguments("read")
    a.add_argument("--finder", help="weights of a finder whose mistakes become examples of nothing")
    a.add_argument("--also", nargs="*", default=[], help="sets beside data/train, as dice_data.part takes them")
    o = a.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    rng = np.random.default_rng(o.seed)
    pictures = D.load(f"{o.data}/train", "truth.jsonl") + D.load(f"{o.data}/train", "dice_truth.jsonl")
    sets = [D.part(o.data, name) for name in o.also]
    more = [p for s in sets for p in s]
    mistakes = mistaken(pictures + more, o.finder) if o.finder else []
    print("mistakes", len(mistakes), flush=True)
    every, extra = D.things(pictures), [D.things(s) for s in sets]
    pool = make_pool(every, extra, pictures + more, mistakes)
    bank = W.Bank(o.seed)
    print("drawn", flush=True)
    net = Reader().to(memory_format=torch.channels_last)
    draw = Replay(lambda: sample(pool, bank, rng), turned, rng)
    begin(net, o, draw)
    train(net, o, draw, 64, step)
    export(net, o.out)


def begin(net, o, draw):
    """Loads the weights that training goes on from, where any are given."""
    if o.resume:
        net.load_state_dict(torch.load(o.state))
    if o.shipped:
        restore(net, o.shipped, [batch([draw() for _ in range(64)])[:2] for _ in range(8)])
    print("weights", sum(p.numel() for p in net.parameters()), flush=True)


def batch(got):
    """Samples as pictures, ways up and targets."""
    x, view, t = (torch.from_numpy(np.stack(column)) for column in zip(*got))
    return x.permute(0, 3, 1, 2), view, t


def step(net, got):
    """The loss of a batch."""
    x, view, t = batch(got)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        seen, lies = net.features(x)
        y = net.answer(seen, lies, view)
        blind = net.answer(seen, lies, torch.zeros_like(view))
    y = y.float()
    with torch.no_grad():
        d = ~torch.isnan(t[:, 1])
        right = (y[:, VALUE[0] : VALUE[1]].argmax(1) == torch.nan_to_num(t[:, 1]).long())[d].float().mean().item()
    ok = ~torch.isnan(t[:, 5])
    alone = part(y, ok, F.smooth_l1_loss(lies.float(), torch.nan_to_num(t[:, 5:7]), reduction="none", beta=0.1).sum(1))
    return loss(y, t) + 0.3 * loss(blind.float(), t) + 2 * alone, right


if __name__ == "__main__":
    main()
