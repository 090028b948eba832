"""Pictures, crops and augmentation for the dice and cube networks. Run by dice_find.py and dice_read.py."""

import json
import math
import pathlib

import cv2
import numpy as np

cv2.setNumThreads(1)

# The canvas: the picture turned and scaled so that the board's bounding box fits BOARD in the middle of CANVAS.
# The same numbers stand in vision/dice_canvas.go.
CANVAS = (512, 384)
BOARD = (412, 332)
CROP, EDGE = 48, 20.0  # reader's input, and a die's edge in it
CUBE_SHARE = 0.058  # a doubling cube's edge as a share of the root of the board's area


def rows(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def canvas(corners):
    """2x3 similarity from the picture to the canvas, and its scale."""
    c = np.float64(corners)
    ax = c[1] - c[0] + c[2] - c[3]
    ax /= np.hypot(*ax)
    r = np.array([[ax[0], ax[1]], [-ax[1], ax[0]]])
    q = c @ r.T
    lo, hi = q.min(0), q.max(0)
    s = min(BOARD[0] / (hi[0] - lo[0]), BOARD[1] / (hi[1] - lo[1]))
    t = np.array(CANVAS) / 2 - s * (lo + hi) / 2
    return np.hstack([s * r, t[:, None]]), s


def area(corners):
    c = np.float64(corners)
    x, y = c[:, 0], c[:, 1]
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def apply(m, p):
    return m[:, :2] @ np.float64(p) + m[:, 2]


# What is likely of a camera and a board, as of the same numbers in vision/dice_canvas.go: the focal length as a share of
# the picture's longer side, the board's width over its height, and how far each may be off (logarithms); how far from
# square to each other the board's sides may seem.
FOCUS, FOCUS_OFF, ASPECT, ASPECT_OFF, SQUARE_OFF = 1.1, 0.35, 1.1, 0.1, 0.03


def stance(corners, size):
    """How the camera stands to the board: focal length (pixels), and the board's normal as the camera sees it. The
    most likely of what the corners allow."""
    mid, side = np.float64(size) / 2, max(size)
    quad = (np.float64(corners) - mid).astype(np.float32)
    h = cv2.getPerspectiveTransform(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), quad).astype(float)
    best = None
    for i in range(25):
        f = side * 0.5 * 6 ** (i / 24)
        a, b = h[:, 0] / [f, f, 1], h[:, 1] / [f, f, 1]
        la, lb = np.linalg.norm(a), np.linalg.norm(b)
        cost = (a @ b / (la * lb) / SQUARE_OFF) ** 2 + (math.log(la / lb / ASPECT) / ASPECT_OFF) ** 2
        cost += (math.log(f / side / FOCUS) / FOCUS_OFF) ** 2
        if best is None or cost < best[0]:
            n = np.cross(a, b)
            best = cost, f, n / np.linalg.norm(n) * (-1 if n[2] > 0 else 1)
    return best[1], best[2], mid


def up(stand, p):
    """Where up points at p, in the picture: the way to the top of a thing as high as it seems wide."""
    f, n, mid = stand
    return n[:2] - (np.float64(p) - mid) / f * n[2]


def part(data, name):
    """Pictures of the set name, or of NAME:K/N all but the K-th of N consecutive parts of it. NAME=FILE takes its truth
    from that file (see dice_measure.py)."""
    name, *k = name.split(":")
    name, *truth = name.split("=")
    every = load(f"{data}/{name}", truth[0] if truth else "truth.jsonl")
    if k:
        k, n = map(int, k[0].split("/"))
        every = [p for i, p in enumerate(every) if i * n // len(every) != k]
    return [p for p in every if all(d["center"] for d in p[1]["dice"])]


class Thing:
    """A die, a cube or a place where there is neither, in a picture."""

    __slots__ = ("im", "kind", "p", "size", "value", "cocked", "checker", "up", "m", "view", "hidden", "lie")


def load(folder, truth, limit=None):
    """All pictures of a truth file: (image, row) pairs."""
    out = []
    for t in rows(pathlib.Path(folder) / truth)[:limit]:
        im = cv2.imread(str(pathlib.Path(folder) / t["image"]))
        out.append((im, t))
    return out


def edge(d, t):
    """A die's edge in pixels, as far as the truth tells it."""
    if d.get("size_px"):
        return d["size_px"]
    if t.get("boxes") and d["center"]:
        x0, y0, x1, y1 = min(t["boxes"], key=lambda b: math.hypot((b[0] + b[2]) / 2 - d["center"][0], (b[1] + b[3]) / 2 - d["center"][1]))
        return 0.76 * math.sqrt((x1 - x0) * (y1 - y0))
    return 0.031 * math.sqrt(area(t["corners"])) if t.get("corners") else None


def things(pictures):
    """The dice and cubes of the pictures, as the reader is trained on them."""
    out = []
    for im, t in pictures:
        c = t.get("corners")
        m, stand = (canvas(c)[0], stance(c, im.shape[1::-1])) if c else (None, None)
        for d in t.get("dice") or []:
            if not d.get("in_frame", True) or d["center"] is None:
                continue
            o = Thing()
            o.im, o.kind, o.p, o.size = im, 1, np.float64(d["center"]), edge(d, t)
            o.hidden = not d.get("visible", True)
            o.value = -1 if d.get("ambiguous") or d["value"] is None else d["value"]
            if t.get("dice_faces") == "numerals":
                o.kind = 2
                o.value = {1: 7, 2: 1, 3: 8, 4: 2, 5: 9, 6: 10}.get(d["value"], -1)
            o.cocked, o.checker = float(bool(d["cocked"])), float(d.get("on") == "checker")
            o.up = (np.float64(d["top"]) - o.p) if d.get("top") else None
            o.m, o.view = m, up(stand, o.p) if c else None
            o.lie = d.get("on")
            out.append(o)
        q = t.get("cube")
        if q and q["center"] and q.get("in_frame", True):
            o = Thing()
            o.im, o.kind, o.p, o.size = im, 2, np.float64(q["center"]), CUBE_SHARE * math.sqrt(area(c))
            o.hidden, o.value = not q.get("visible", True), -1 if q["value"] is None else int(math.log2(q["value"]))
            o.cocked = o.checker = 0.0
            o.up = (np.float64(q["top"]) - o.p) if q.get("top") else None
            o.m, o.view = m, up(stand, o.p)
            o.lie = q.get("where")
            out.append(o)
    return out


def colours(rng):
    """Other light, another sensor, another polarity: a function of pictures."""
    m = np.eye(3)
    if rng.random() < 0.6:
        if rng.random() < 0.3:
            m = m[rng.permutation(3)]
        k = 0.0 if rng.random() < 0.15 else rng.uniform(0.3, 1.5)  # saturation
        m = k * m + (1 - k) / 3
    x = np.linspace(0, 1, 256)
    if rng.random() < 0.1:
        x = 1 - x
    if rng.random() < 0.8:
        x = x ** math.exp(rng.normal(0, 0.3))
        gain = np.exp(rng.normal(0, 0.08, 3)) * math.exp(rng.normal(0, 0.2))
        x = x[:, None] * gain + rng.normal(0, 0.04)
    if rng.random() < 0.08:  # too much light: what is white has no edges left
        x = x * rng.uniform(1.2, 2.0)
    lut = np.broadcast_to((np.clip(x, 0, 1) * 255).reshape(256, -1), (256, 3)).astype(np.uint8)
    m, lut = m.astype(np.float32), lut.reshape(256, 1, 3)
    return lambda im: cv2.LUT(cv2.transform(im, m), lut)


def even(x, like):
    """Floats of x with the mean colour of `like` at 0 and its contrast 1, as network.run of vision/network.go does."""
    mean, spread = cv2.meanStdDev(like)
    return (x - mean.ravel()) / max(4, math.sqrt((spread**2).mean()))


NOISE = np.random.default_rng(0).standard_normal((400, 400, 3), dtype=np.float32)


def camera(x, rng, blur):
    """Blur, noise and compression."""
    k = rng.random()
    if k < blur:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.3, 1.4))
    elif k < blur * 1.35:
        n = int(rng.integers(2, 6))
        ker = np.zeros((n, n), np.float32)
        a = rng.uniform(0, math.pi)
        mid = (n - 1) / 2
        for i in np.linspace(-mid, mid, 3 * n):
            ker[int(round(mid + i * math.sin(a))), int(round(mid + i * math.cos(a)))] = 1
        x = cv2.filter2D(x, -1, ker / ker.sum())
    if rng.random() < 0.5:
        h, w = x.shape[:2]
        oy, ox = rng.integers(0, 401 - h), rng.integers(0, 401 - w)
        grain = NOISE[oy : oy + h, ox : ox + w]
        x = cv2.addWeighted(x, 1, grain, rng.uniform(1, 12), 0, dtype=cv2.CV_8U)
    if rng.random() < 0.4:
        x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])[1], 1)
    return x
