"""Trains the network that pins down one corner of a board from near and writes weights/pinpoint.onnx. See README.md.

It sees a patch round where a corner should be, rectified and mirrored so that every corner looks like a top left one, and
says where in the patch the corner of the playing surface truly lies.
"""
import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import boards
import finding
import frame
import training

SIDE, OUT, IN = 96, 0.16, 0.32          # the patch's side in pixels; how far it goes out of and into the board
FINEST = 1.25
STRIDE = 4
MAP = SIDE // STRIDE
WIDTH = 48


class Pinpoint(nn.Module):
    """(1, 3, SIDE, SIDE) -> (1, 1, MAP, MAP): log-probability, up to a constant, of where the corner lies. What the whole patch
    shows, how the walls stand and which way the picture was taken, is added to what is seen at each place of it."""

    def __init__(self):
        super().__init__()
        conv = finding.conv
        self.stem = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, WIDTH))
        self.near = nn.ModuleList([conv(WIDTH, WIDTH, 1, d) for d in (1, 2)])
        self.squeeze = nn.Sequential(nn.Conv2d(WIDTH, 10, 1), nn.ReLU(inplace=True), nn.AvgPool2d(3))
        self.whole = nn.Sequential(nn.Conv2d(10, 40, MAP // 3), nn.ReLU(inplace=True))
        self.spread = nn.Conv2d(40, WIDTH, 1)
        self.far = nn.ModuleList([conv(WIDTH, WIDTH, 1, d) for d in (4, 2, 1)])
        self.out = nn.Conv2d(WIDTH, 1, 1)

    def forward(self, x):
        x = self.stem(x)
        for f in self.near:
            x = x + f(x)
        x = x + self.spread(self.whole(self.squeeze(x)))
        for f in self.far:
            x = x + f(x)
        return self.out(x)


def view(image, corners, k):
    """The patch round corner k of the board with the given corners."""
    size = (np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
            + np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 4
    image, corners = boards.shrink(image, np.float32(corners), FINEST * SIDE / (OUT + IN) / size)
    s, (u, v) = (OUT + IN) / SIDE, boards.SQUARE[k]
    du, dv = 1 - 2 * u, 1 - 2 * v
    to_board = np.array([[du * s, 0, u - du * OUT], [0, dv * s, v - dv * OUT], [0, 0, 1]])
    m = cv2.getPerspectiveTransform(boards.SQUARE, np.float32(corners)) @ to_board
    return cv2.warpPerspective(image, m, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE)


def place(true, corners, k):
    """Where corner k of the true corners lies in the patch."""
    u, v = cv2.perspectiveTransform(np.float32(true)[None], cv2.getPerspectiveTransform(np.float32(corners), boards.SQUARE))[0][k]
    s = (OUT + IN) / SIDE
    return np.float32([((u if boards.SQUARE[k][0] == 0 else 1 - u) + OUT) / s, ((v if boards.SQUARE[k][1] == 0 else 1 - v) + OUT) / s])


def sample(board, rng):
    k = rng.integers(4)
    quad = frame.rough(board.corners, rng, rng.choice([0.008, 0.016, 0.03]))
    return view(board.image, quad, k), place(board.corners, quad, k)


def varied(im, p, rng):
    """The patch and where its corner lies mirrored, and in another light."""
    if rng.random() < 0.5:                  # a board on its side has its corner mirrored at the diagonal
        im, p = im.transpose(1, 0, 2), p[::-1]
    return boards.vary_colour(np.ascontiguousarray(im), rng), np.float32(p)


GRID = torch.arange(MAP).float() * STRIDE + (STRIDE - 1) / 2


def expectation(o):
    p = F.softmax(o.flatten(2), 2).view_as(o)
    return torch.stack([(p.sum(2) * GRID).sum(2), (p.sum(3) * GRID).sum(2)], 2)


def loss_of(net, sample):
    x, q = sample
    with torch.autocast("cpu", dtype=torch.bfloat16):
        o = net(x.contiguous(memory_format=torch.channels_last))
    o, q = o.float(), q[:, None]
    inside = ((q > 0) & (q < SIDE)).all(2)
    if not inside.any():
        return o.sum() * 0
    o, q = o[inside[:, 0]], q[inside[:, 0]]
    g = torch.exp(-((GRID[None, None, None, :] - q[..., 0][..., None, None]) ** 2 + (GRID[None, None, :, None] - q[..., 1][..., None, None]) ** 2) / (2 * 3.5 ** 2))
    g = g / (g.sum((2, 3), keepdim=True) + 1e-6)
    heat = -(g * F.log_softmax(o.flatten(2), 2).view_as(o)).sum((2, 3)).mean()
    return heat + 0.2 * F.smooth_l1_loss(expectation(o), q, beta=1.0)


def refine(net, image, quad):
    """The corners set right once."""
    found = []
    for k in range(4):
        with torch.no_grad():
            p = expectation(net(torch.from_numpy(boards.normal(view(image, quad, k)))[None]))[0, 0].numpy()
        uv = p * (OUT + IN) / SIDE - OUT
        found.append([uv[i] if boards.SQUARE[k][i] == 0 else 1 - uv[i] for i in range(2)])
    return cv2.perspectiveTransform(np.float32(found)[None], cv2.getPerspectiveTransform(boards.SQUARE, np.float32(quad)))[0]


def measure(net, items, spread=0.015):
    net.eval()
    err = []
    for i, b in enumerate(items):
        quad = frame.rough(b.corners, np.random.default_rng(i), spread)
        for _ in range(2):
            quad = refine(net, b.image, quad)
        err.append(np.linalg.norm(quad - b.corners, axis=1).max() / max(np.linalg.norm(b.corners[2] - b.corners[0]), np.linalg.norm(b.corners[3] - b.corners[1])))
    err = np.array(err)
    return dict(worst=round(float(np.median(err)), 4), ok=round(float((err < 0.015).mean()), 4))


def main():
    o = finding.arguments("pinpoint", epochs=24, rate=4e-3)
    pool = finding.Pool.of(o)
    net = Pinpoint().to(memory_format=torch.channels_last)
    stock = finding.Stock(3000)

    def make(item, rng):
        im, p = varied(*stock.take(lambda: sample(pool.take(item, rng), rng), rng), rng)
        return boards.normal(im), p

    rng = np.random.default_rng(o.seed)
    finding.begin(net, o, lambda: make(pool.items[rng.integers(len(pool.items))], rng)[0])

    def report(net):
        return {k: measure(net, items) for k, items in pool.measured.items() if items}

    net = training.run(net, pool.items * o.times, make, loss_of, report, o.out, o.epochs, o.rate, 32, o.seed, minutes=o.minutes)
    net = net.to(memory_format=torch.contiguous_format)
    torch.onnx.export(net, torch.zeros(1, 3, SIDE, SIDE), o.out + ".onnx", opset_version=11, input_names=["view"], output_names=["corner"])


if __name__ == "__main__":
    main()
