"""Trains the network that finds the edges of a roughly placed board and writes weights/edges.onnx.gz. See README.md.

It sees the picture rectified by the rough corners with a margin round them. In each row of that view it tells where the left
and the right edge of the playing surface and those of the bar lie, in each column where the upper and lower edge lie, and how
sure it is; the corners are those that agree best with all of them. It also tells whether the bar stands or lies, and whether
there is a board at all.
"""
import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import finding
import training
from frame import astray, rough

SIDE = finding.SIDE
REACH = 0.2                     # how far the view goes beyond the corners, as a share of the board
FINEST = 1.5                    # a board whose diagonal is more than this many times the view's side is made smaller first
LINES = SIDE // 4               # rows and columns of what the network says
UNIT = 20                       # errors are measured in 1/20 of the board
SOFTEST = 4.0                   # the logarithm of a weight lies within this of 0
ALONG = torch.tensor([0, 0, 1, 1, 0, 0]).bool()     # lines found in columns instead of rows: the upper and the lower edge


class Edges(finding.Trunk):
    """(1, 3, SIDE, SIDE) -> lines (1, 12, LINES, LINES): for the left, right, upper, lower edge, the bar's left and right edge
    the log-probability, up to a constant within a row (column for upper and lower), that it lies there; then the logarithms of
    their weights, were they there; and frame (1, 2, 1, 1): logits of "bar lies" and "no board"."""

    def __init__(self):
        super().__init__()
        self.up = nn.Conv2d(64, 32, 1)
        self.fine = nn.Sequential(finding.conv(32, 32), finding.conv(32, 32))
        self.lines = nn.Conv2d(32, 12, 1)
        self.frame = nn.Conv2d(64, 2, 1)

    def forward(self, x):
        fine, x, full = self.features(x)
        fine = self.fine(fine + F.interpolate(self.up(x), scale_factor=2, mode="nearest"))
        return self.lines(fine), self.frame(full)


def motions(places):
    """How much each of eight small motions of a board, the generators of the homographies, moves the places (n, 2)."""
    x, y = places[:, 0] - 0.5, places[:, 1] - 0.5
    o = torch.zeros_like(x)
    u = torch.stack([o + 1, x, y, o, o, o, x * x, x * y], 1)
    v = torch.stack([o, o, o, o + 1, x, y, x * y, y * y], 1)
    return torch.stack([u, v], 1)


AT = (torch.arange(LINES).float() + 0.5) * (1 + 2 * REACH) / LINES - REACH
INSIDE = (AT > 0) & (AT < 1)
EDGES = [motions(torch.stack([torch.full((LINES,), c), AT] if k < 2 else [AT, torch.full((LINES,), c)], 1))[:, k // 2] for k, c in enumerate((0.0, 1.0, 0.0, 1.0))]
EDGES = torch.stack(EDGES)      # (4, LINES, 8): how much each motion moves each edge across itself
CORNERS = motions(torch.from_numpy(boards.SQUARE))


def observations(lines):
    """Where each line lies in each row or column (b, 6, LINES), the logarithms of weights (b, 6, LINES), and the logarithms of
    the probabilities of all places (b, 6, LINES, LINES)."""
    lines = lines.float()
    lines = torch.where(ALONG.repeat(2)[None, :, None, None], lines.transpose(2, 3), lines)
    log = F.log_softmax(lines[:, :6], 3)
    p = log.exp()
    return (p * AT).sum(3), SOFTEST * torch.tanh((p * lines[:, 6:]).sum(3) / SOFTEST), log


def agree(places, weights):
    """The corners' offsets (b, 4, 2) that agree best with the edges: least squares over the eight motions."""
    w = torch.exp(2 * weights[:, :4]) * INSIDE
    off = places[:, :4] - torch.tensor([0.0, 1.0, 0.0, 1.0])[:, None]
    normal = torch.einsum("bkn,kni,knj->bij", w, EDGES, EDGES)
    right = torch.einsum("bkn,kni,bkn->bi", w, EDGES, off)
    ridge = torch.eye(8) * 1e-5 * normal.diagonal(dim1=1, dim2=2).mean(1)[:, None, None]
    return torch.einsum("nki,bi->bnk", CORNERS, torch.linalg.solve(normal + ridge, right))


def view(image, corners):
    """The picture rectified by corners, REACH beyond them."""
    diagonal = max(np.linalg.norm(corners[2] - corners[0]), np.linalg.norm(corners[3] - corners[1]))
    image, corners = boards.shrink(image, np.float32(corners), FINEST * SIDE / diagonal)
    s = (1 + 2 * REACH) / SIDE
    to_board = np.array([[s, 0, s / 2 - REACH], [0, s, s / 2 - REACH], [0, 0, 1]])
    m = cv2.getPerspectiveTransform(boards.SQUARE, np.float32(corners)) @ to_board
    return cv2.warpPerspective(image, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def sample(board, rng, vary=True, spread=None):
    """A view of the board from roughly placed corners, and its truth."""
    corners, image, bar = board.corners, board.image, np.float32(board.bar if board.bar else [0.5, 0.5])
    nothing = vary and rng.random() < 0.07
    turn = rng.integers(4) if vary and rng.random() < 0.4 else 0
    if turn in (2, 3):
        bar = 1 - bar[::-1]
    corners = np.roll(corners, -turn, 0)
    spread = spread if spread is not None else rng.choice([0.015, 0.03, 0.05, 0.08])
    quad = rough(corners, rng, spread)
    if nothing:
        quad = astray(quad, corners, rng)
    im = view(image, quad)
    ends = np.float32([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0], [1, 0], [0, 1], [1, 1], [bar[0], 0], [bar[0], 1], [bar[1], 0], [bar[1], 1]])
    m = cv2.getPerspectiveTransform(quad, boards.SQUARE) @ cv2.getPerspectiveTransform(boards.SQUARE, corners)
    lines = cv2.perspectiveTransform(ends[None], m)[0].reshape(6, 2, 2)
    far = np.abs(lines[:2] - ends[:4].reshape(2, 2, 2)).max() > 0.35
    if vary and rng.random() < 0.06:
        im, _ = boards.paint_arm(cv2.resize(im, (320, 320)), rng)
        im = cv2.resize(im, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return im, np.float32(lines), np.int64([turn % 2, nothing, far, board.bar is not None])


def varied(im, lines, flags, rng):
    """The view and its truth mirrored, and in another light."""
    if rng.random() < 0.5:                          # left and right exchanged
        im, lines = im[:, ::-1], (lines * [-1, 1] + [1, 0])[[1, 0, 2, 3, 5, 4]]
    if rng.random() < 0.5:                          # above and below
        im, lines = im[::-1], (lines * [1, -1] + [0, 1])[[0, 1, 3, 2, 4, 5]]
        lines[[0, 1, 4, 5]] = lines[[0, 1, 4, 5], ::-1]
    return boards.vary_colour(np.ascontiguousarray(im), rng), np.float32(lines), flags


def empty(image, rng):
    """A view of a picture that shows no board."""
    h, w = image.shape[:2]
    quad = rough(np.float32([[0, 0], [w, 0], [w, h], [0, h]]) * rng.uniform(0.3, 1.0) + rng.uniform(0, 0.3, 2) * (w, h), rng, 0.06)
    return view(image, np.float32(quad)), np.zeros((6, 2, 2), np.float32), np.int64([0, 1, 1, 0])


def loss_of(net, sample):
    x, ends, flags = sample
    with torch.autocast("cpu", dtype=torch.bfloat16):
        lines, frame = net(x.contiguous(memory_format=torch.channels_last))
    lies, nothing, far, has_bar = (flags[:, i].bool() for i in range(4))
    ok = ~nothing & ~far
    places, weights, log = observations(lines[ok])
    ends = torch.where(ALONG[None, :, None, None], ends[ok].flip(3), ends[ok])      # across, along
    a, b = ends[:, :, 0], ends[:, :, 1]
    t = (AT - a[:, :, 1:]) / (b - a)[:, :, 1:].clamp(min=0.1)
    true = a[:, :, :1] + t * (b - a)[:, :, :1]
    told = ((t > -0.05) & (t < 1.05) & (true > AT[0]) & (true < AT[-1])).float()
    told[:, 4:] *= (~lies[ok] & has_bar[ok]).float()[:, None, None]
    step = AT[1] - AT[0]
    g = torch.exp(-((AT - true[..., None]) / step) ** 2 / (2 * 0.8 ** 2))
    g = g / (g.sum(3, keepdim=True) + 1e-6)
    off = (places - true).abs() * UNIT
    each = -(g * log).sum(3) + 0.3 * off.clamp(max=4) + 0.3 * (off.detach() * torch.exp(weights) - weights)
    total = (each * told).sum() / told.sum().clamp(min=1)
    offset = torch.stack([ends[:, 0, 0], ends[:, 1, 0], ends[:, 1, 1], ends[:, 0, 1]], 1) - torch.from_numpy(boards.SQUARE)
    err = (agree(places, weights) - offset).norm(dim=2)
    near = 0.006 + 0.25 * offset.norm(dim=2).amax(1, keepdim=True)
    total = total + F.smooth_l1_loss(err / near, torch.zeros_like(err), beta=0.3)
    f = frame.float()[:, :, 0, 0]
    total = total + 0.3 * F.binary_cross_entropy_with_logits(f[ok, 0], lies[ok].float())
    return total + 0.3 * F.binary_cross_entropy_with_logits(f[~far | nothing, 1], nothing[~far | nothing].float())


def look(net, image, quad):
    """What the network says of a board roughly placed: the corners set right, the bar's edges, logits of "lies", "nothing"."""
    with torch.no_grad():
        lines, frame = net(torch.from_numpy(boards.normal(view(image, quad)))[None])
        places, weights, _ = observations(lines)
        offset = agree(places, weights)[0].numpy()
        w = torch.exp(2 * weights[0, 4:]) * INSIDE
        bar = ((places[0, 4:] * w).sum(1) / w.sum(1)).numpy()
    p = cv2.perspectiveTransform(np.float32(boards.SQUARE + offset)[None], cv2.getPerspectiveTransform(boards.SQUARE, np.float32(quad)))[0]
    return p, bar, frame[0, :, 0, 0].numpy()


def worst(found, true):
    """How far the worst corner is off, in shares of the diagonal."""
    return np.linalg.norm(found - true, axis=1).max() / max(np.linalg.norm(true[2] - true[0]), np.linalg.norm(true[3] - true[1]))


def measure(net, items, spread, times=4):
    """Median of the worst corner in shares of the diagonal, share of boards with all corners within 1.5 %, the bar's error."""
    net.eval()
    err, bars, turned, none = [], [], 0, 0
    for i, b in enumerate(items):
        quad = rough(b.corners, np.random.default_rng(i), spread)
        for _ in range(times):
            quad, _, _ = look(net, b.image, quad)
        err.append(worst(quad, b.corners))
        _, bar, (lies, nothing) = look(net, b.image, b.corners)
        turned, none = turned + (lies > 0), none + (nothing > 0)
        if b.bar:
            bars.append(np.abs(bar - b.bar).max())
    err = np.array(err)
    r = dict(corner=float(np.median(err)), ok=float((err < 0.015).mean()), turned=int(turned), none=int(none))
    if bars:
        r.update(bar=float(np.median(bars)), bar90=float(np.percentile(bars, 90)))
    return {k: round(v, 4) for k, v in r.items()}


def main():
    o = finding.arguments("edges", epochs=40, rate=3e-3)
    pool = finding.Pool.of(o)
    net = Edges().to(memory_format=torch.channels_last)
    stock = finding.Stock(1500)

    def make(item, rng):
        def fresh():
            if rng.random() < 0.05 and pool.rooms.photographs:
                return empty(pool.rooms.background(rng, 320, 240), rng)
            return sample(pool.take(item, rng), rng)
        im, *truth = varied(*stock.take(fresh, rng), rng)
        return boards.normal(im), *truth

    rng = np.random.default_rng(o.seed)
    finding.begin(net, o, lambda: make(pool.items[rng.integers(len(pool.items))], rng)[0])

    def report(net):
        return {k: measure(net, items, 0.03) for k, items in pool.measured.items() if items}

    net = training.run(net, pool.items * o.times, make, loss_of, report, o.out, o.epochs, o.rate, 16, o.seed, minutes=o.minutes)
    finding.export(net, o.out + ".onnx")


if __name__ == "__main__":
    main()
