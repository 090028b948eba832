"""Trains the network that finds a board's corners roughly in a whole picture and writes weights/corners.onnx.gz. See README.md.

frame.py's network sets right what this one gives; it only has to come within a few hundredths of the board's size.
"""
import argparse

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import training

SIDE, EDGE, FILL = 192, 8, 114          # canvas, the margin kept free round the picture, and its grey
STRIDE = 8
MAP = SIDE // STRIDE


def conv(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Corners(nn.Module):
    """(1, 3, SIDE, SIDE) -> (1, 4, MAP, MAP): log-probabilities, up to a constant, of where each corner lies, in the
    picture's order: top left, top right, bottom right, bottom left."""

    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(conv(3, 12, 2), conv(12, 24, 2), conv(24, 32, 2), conv(32, 32))
        self.b = nn.Sequential(conv(32, 48, 2), conv(48, 48), conv(48, 64, 2), conv(64, 64))
        self.side = conv(32, 24)
        self.full = nn.Sequential(conv(64, 16), nn.Conv2d(16, 40, MAP // 4), nn.ReLU(inplace=True), nn.Conv2d(40, 24, 1))
        self.up = nn.Conv2d(64, 40, 1)
        self.join = nn.Sequential(conv(64, 48), conv(48, 48))
        self.glob = nn.Conv2d(24, 48, 1)
        self.out = nn.Sequential(conv(48, 32), nn.Conv2d(32, 4, 1))

    def forward(self, x):
        a = self.a(x)
        b = self.b(a)
        u = F.interpolate(self.up(b), scale_factor=4, mode="nearest")
        j = self.join(torch.cat([u, self.side(a)], 1)) + self.glob(self.full(b))
        return self.out(j)


def canvas_of(size):
    """The affine that fits a picture of the size into the canvas."""
    w, h = size
    k = (SIDE - 2 * EDGE) / max(w, h)
    return np.array([[k, 0, (SIDE - k * w) / 2], [0, k, (SIDE - k * h) / 2], [0, 0, 1]])


def paint(image, m):
    """The picture on the canvas, made smaller without aliasing."""
    k = np.sqrt(abs(np.linalg.det(m[:2, :2])))
    f = 0.75 / max(k, 1e-3)
    if f > 1.3:
        h, w = image.shape[:2]
        image = cv2.resize(image, (max(1, round(w / f)), max(1, round(h / f))), interpolation=cv2.INTER_AREA)
        m = m @ np.diag([w / image.shape[1], h / image.shape[0], 1])
    return cv2.warpPerspective(image, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(FILL,) * 3)


def ordered(q):
    """The corners in the picture's order."""
    c = q - q.mean(0)
    score = c[:, 0] + c[:, 1]
    return np.roll(q, -int(np.argmin(score)), 0)


def sample(board, rng, vary=True):
    image, corners = board.image, board.corners
    h, w = image.shape[:2]
    if not vary:
        m = canvas_of((w, h))
        return paint(image, m), ordered(cv2.perspectiveTransform(corners[None], m.astype(np.float32))[0])
    centre = corners.mean(0)
    size = max(np.ptp(corners[:, 0]), np.ptp(corners[:, 1]))
    turn = np.radians(rng.normal(0, 8) + 90 * (rng.integers(4) if rng.random() < 0.35 else 0))
    c, s = np.cos(turn), np.sin(turn)
    k = SIDE / size * rng.uniform(0.35, 0.98)
    stretch = np.exp(rng.normal(0, 0.12))
    flip = 1 if rng.random() < 0.5 else -1
    lin = np.diag([k * stretch * flip, k / stretch]) @ np.array([[c, -s], [s, c]])
    free = max(8.0, (SIDE - size * k) / 2)
    at = SIDE / 2 + rng.uniform(-free, free, 2) * 0.9
    m = np.eye(3)
    m[:2, :2], m[:2, 2] = lin, at - lin @ centre
    bend = np.eye(3)
    bend[2, :2] = rng.normal(0, 0.0007, 2)
    bend[:2, 2] = 0
    shift = np.array([[1, 0, -SIDE / 2], [0, 1, -SIDE / 2], [0, 0, 1]])
    m = np.linalg.inv(shift) @ bend @ shift @ m
    im = paint(image, m)
    q = cv2.perspectiveTransform(np.float32(corners)[None], m.astype(np.float32))[0]
    if flip < 0:
        q = q[[1, 0, 3, 2]]
    if rng.random() < 0.5:                   # a picture of another shape: cut off, never into the board by more than a little
        lo, hi = q.min(0) + 6, q.max(0) - 6
        x0, y0 = (int(rng.uniform(0, max(1, v))) for v in np.maximum(lo, 1))
        x1, y1 = (int(rng.uniform(min(v, SIDE - 1), SIDE)) for v in hi)
        out = np.full_like(im, FILL)
        out[y0:y1, x0:x1] = im[y0:y1, x0:x1]
        im = out
    if rng.random() < 0.15:
        im, _ = boards.paint_arm(cv2.resize(im, (384, 384)), rng)
        im = cv2.resize(im, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return boards.vary_colour(im, rng), ordered(q)


GRID = torch.arange(MAP).float() * STRIDE + (STRIDE - 1) / 2


def expectation(o):
    p = F.softmax(o.flatten(2), 2).view_as(o)
    return torch.stack([(p.sum(2) * GRID).sum(2), (p.sum(3) * GRID).sum(2)], 2)


def loss_of(net, sample):
    x, q = sample
    o = net(x)
    g = torch.exp(-((GRID[None, None, None, :] - q[..., 0][..., None, None]) ** 2 + (GRID[None, None, :, None] - q[..., 1][..., None, None]) ** 2) / (2 * 7.0 ** 2))
    g = g / (g.sum((2, 3), keepdim=True) + 1e-6)
    heat = -(g * F.log_softmax(o.flatten(2), 2).view_as(o)).sum((2, 3)).mean()
    return heat + 0.2 * F.smooth_l1_loss(expectation(o), q, beta=2.0)


def measure(net, items):
    """Share of boards with all corners found within 4 % of the diagonal, and the median of the worst corner's error."""
    net.eval()
    err = []
    with torch.no_grad():
        for b in items:
            im, q = sample(b, None, False)
            p = expectation(net(torch.from_numpy(boards.normal(im))[None]))[0].numpy()
            err.append(np.linalg.norm(p - q, axis=1).max() / max(np.linalg.norm(q[2] - q[0]), np.linalg.norm(q[3] - q[1])))
    err = np.array(err)
    return dict(median=round(float(np.median(err)), 4), near=round(float((err < 0.04).mean()), 4), within8=round(float((err < 0.08).mean()), 4))


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../../../shared/data")
    a.add_argument("--epochs", type=int, default=40)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--real", default="none", help="photographs to learn from too: none, all, or all but a group of boards.GROUPS")
    a.add_argument("--start", help="weights to go on from")
    a.add_argument("--out", default="corners")
    o = a.parse_args()
    torch.manual_seed(o.seed); torch.set_num_threads(1); cv2.setNumThreads(1)
    train = boards.load(o.data + "/train", lambda i, r: i % 10 != 0)
    sets = {"held": boards.load(o.data + "/train", lambda i, r: i % 10 == 0), "dev": boards.load(o.data + "/stills/dev"), "real": boards.load(o.data + "/real")}
    train, sets = boards.with_real(train, sets, o.real)
    net = Corners()
    if o.start:
        net.load_state_dict(torch.load(o.start))

    def make(board, rng):
        im, q = sample(board, rng)
        return boards.normal(im), np.float32(q)

    def report(net):
        return {k: measure(net, items) for k, items in sets.items()}

    net = training.run(net, train * 2, make, loss_of, report, o.out, o.epochs, o.rate, 16, o.seed)
    torch.onnx.export(net, torch.zeros(1, 3, SIDE, SIDE), o.out + ".onnx", opset_version=11, input_names=["view"], output_names=["corners"])


if __name__ == "__main__":
    main()
