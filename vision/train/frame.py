"""Trains the network that sets a roughly placed frame right and writes weights/frame.onnx.gz. See README.md.

It sees the picture rectified by the rough corners with a margin round them and tells how far each corner is off, where the
bar's edges are, whether the bar stands or lies, and whether there is a board at all.
"""
import argparse

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import training

SIDE, REACH = 160, 0.2          # the view's side in pixels, and how far it goes beyond the corners, as a share of the board
FINEST = 1.5                    # a board whose diagonal is more than this many times the view's side is made smaller first


def conv(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class Frame(nn.Module):
    """(1, 3, SIDE, SIDE) -> (1, 12, 1, 1): offsets of TL, TR, BR, BL (u, v) in 1/20 of the frame, the bar's middle and width
    in 1/10 of the board (middle from 0.5), logits of "bar lies" and "no board"."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(3, 12, 2), conv(12, 24, 2), conv(24, 32), conv(32, 32, 2), conv(32, 48), conv(48, 48, 2), conv(48, 48))
        self.squeeze = nn.Sequential(nn.Conv2d(48, 20, 1), nn.ReLU(inplace=True))
        self.full = nn.Sequential(nn.Conv2d(20, 64, SIDE // 16), nn.ReLU(inplace=True))
        self.out = nn.Conv2d(64, 12, 1)

    def forward(self, x):
        return self.out(self.full(self.squeeze(self.body(x))))


def view(image, corners):
    """The picture rectified by corners, REACH beyond them."""
    diagonal = max(np.linalg.norm(corners[2] - corners[0]), np.linalg.norm(corners[3] - corners[1]))
    image, corners = boards.shrink(image, np.float32(corners), FINEST * SIDE / diagonal)
    s = (1 + 2 * REACH) / SIDE
    to_board = np.array([[s, 0, -REACH], [0, s, -REACH], [0, 0, 1]])
    m = cv2.getPerspectiveTransform(boards.SQUARE, np.float32(corners)) @ to_board
    return cv2.warpPerspective(image, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def rough(corners, rng, spread):
    """Corners as a finder might give them: moved together, scaled, sheared and each for itself."""
    side = np.sqrt(np.linalg.norm(corners[2] - corners[0]) ** 2 / 2)
    c = corners.mean(0)
    scale = np.exp(rng.normal(0, spread, 2))
    a = rng.normal(0, spread)
    r = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    q = (corners - c) @ r.T * scale + c + rng.normal(0, spread, 2) * side
    return np.float32(q + rng.normal(0, spread * 0.7, (4, 2)) * side)


def astray(quad, corners, rng):
    """quad moved to some other part of the picture than the board at corners, or to a part of the board."""
    side = np.linalg.norm(corners[2] - corners[0])
    quad = np.float32(quad + rng.choice([-1, 1], 2) * rng.uniform(0.45, 0.9, 2) * side)
    if rng.random() < 0.4:
        quad = np.float32(corners.mean(0) + (quad - quad.mean(0)) * rng.choice([0.3, 0.45, 2.5]))
    return quad


def sample(board, rng, vary=True, spread=None, turn=None):
    corners = board.corners
    mirror = vary and rng.random() < 0.5
    image, bar = board.image, np.float32(board.bar if board.bar else [0.5, 0.5])
    if mirror:
        image = np.ascontiguousarray(image[:, ::-1])
        corners = np.float32([[image.shape[1] - 1 - x, y] for x, y in corners[[1, 0, 3, 2]]])
        bar = 1 - bar[::-1]
    nothing = vary and rng.random() < 0.08
    turn = rng.integers(4) if vary and rng.random() < 0.4 else 0
    if turn in (2, 3):
        bar = 1 - bar[::-1]
    corners = np.roll(corners, -turn, 0)
    spread = spread if spread is not None else rng.choice([0.003, 0.01, 0.03, 0.06])
    quad = rough(corners, rng, spread)
    if nothing:
        quad = astray(quad, corners, rng)
    im = view(image, quad)
    to_frame = cv2.getPerspectiveTransform(quad, boards.SQUARE)
    offset = cv2.perspectiveTransform(np.float32(corners)[None], to_frame)[0] - boards.SQUARE
    if vary:
        if rng.random() < 0.12:
            im, _ = boards.paint_arm(cv2.resize(im, (320, 320)), rng)
            im = cv2.resize(im, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        im = boards.vary_colour(im, rng)
    y = np.concatenate([offset.ravel() * 20, [(bar.mean() - 0.5) * 10, (bar[1] - bar[0]) * 10]]).astype(np.float32)
    far = np.abs(offset).max() > 0.19
    return im, y, np.int64([turn % 2, nothing, far, board.bar is not None])


def loss_of(net, sample):
    x, y, flags = sample
    o = net(x)[:, :, 0, 0]
    lies, nothing, far, bar = (flags[:, i].bool() for i in range(4))
    ok = ~nothing & ~far
    total = F.smooth_l1_loss(o[ok, :8], y[ok, :8], beta=0.1)
    up = ok & ~lies & bar
    total = total + F.smooth_l1_loss(o[up, 8:10], y[up, 8:10], beta=0.05)
    total = total + 0.2 * F.binary_cross_entropy_with_logits(o[ok, 10], lies[ok].float())
    return total + 0.2 * F.binary_cross_entropy_with_logits(o[~far | nothing, 11], nothing[~far | nothing].float())


def measure(net, items, spread):
    """Mean worst corner in shares of the side, share of boards with all corners within 1.5 % of the diagonal, the bar's error."""
    net.eval()
    err, bars, turned = [], [], 0
    with torch.no_grad():
        for i, b in enumerate(items):
            rng = np.random.default_rng(i)
            quad = rough(b.corners, rng, spread)
            for _ in range(2):
                o = net(torch.from_numpy(boards.normal(view(b.image, quad)))[None])[0, :, 0, 0].numpy()
                p = boards.SQUARE + o[:8].reshape(4, 2) / 20
                quad = cv2.perspectiveTransform(np.float32(p)[None], cv2.getPerspectiveTransform(boards.SQUARE, np.float32(quad)))[0]
            diag = max(np.linalg.norm(b.corners[2] - b.corners[0]), np.linalg.norm(b.corners[3] - b.corners[1]))
            err.append(np.linalg.norm(quad - b.corners, axis=1).max() / diag)
            o = net(torch.from_numpy(boards.normal(view(b.image, b.corners)))[None])[0, :, 0, 0].numpy()
            turned += o[10] > 0
            if b.bar:
                edges = np.array([0.5 + o[8] / 10 - o[9] / 20, 0.5 + o[8] / 10 + o[9] / 20])
                bars.append(np.abs(edges - b.bar).max())
    err = np.array(err)
    r = dict(corner=float(np.median(err)), ok=float((err < 0.015).mean()), turned=turned)
    if bars:
        r.update(bar=float(np.median(bars)), bar90=float(np.percentile(bars, 90)), barmax=float(np.max(bars)))
    return {k: round(v, 4) for k, v in r.items()}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--data", default="../../../shared/data")
    a.add_argument("--epochs", type=int, default=40)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--real", default="none", help="photographs to learn from too: none, all, or all but a group of boards.GROUPS")
    a.add_argument("--start", help="weights to go on from")
    a.add_argument("--out", default="frame")
    o = a.parse_args()
    torch.manual_seed(o.seed); torch.set_num_threads(1); cv2.setNumThreads(1)
    train = boards.load(o.data + "/train", lambda i, r: i % 10 != 0)
    sets = {"held": boards.load(o.data + "/train", lambda i, r: i % 10 == 0), "dev": boards.load(o.data + "/stills/dev"), "real": boards.load(o.data + "/real")}
    train, sets = boards.with_real(train, sets, o.real)
    net = Frame()
    if o.start:
        net.load_state_dict(torch.load(o.start))

    def make(board, rng):
        im, y, flags = sample(board, rng)
        return boards.normal(im), y, flags

    def report(net):
        return {k: measure(net, items, 0.03) for k, items in sets.items()}

    net = training.run(net, train * 2, make, loss_of, report, o.out, o.epochs, o.rate, 16, o.seed)
    torch.onnx.export(net, torch.zeros(1, 3, SIDE, SIDE), o.out + ".onnx", opset_version=11, input_names=["view"], output_names=["frame"])


if __name__ == "__main__":
    main()
