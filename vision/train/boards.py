"""Boards with truth, rectified as package vision rectifies them, and varied for training.

The rectified view has slots of equal width: six points, two for the bar, six points, and half a slot of margin on
each side. Package vision (rectify.go) makes the same view; change both together.
"""
import functools
import json
import os

import cv2
import numpy as np

SLOT, HALF, MARGIN = 32, 160, 16          # width of a slot, height of a half, margin; pixels
WIDTH, HEIGHT = 14 * SLOT + 2 * MARGIN, 2 * HALF + 2 * MARGIN
BAR_REACH = 0.65                          # the bar's slots show at least this many point widths on each side of its middle
FINEST = 1.25                             # a board more than this many times as wide as the view is made smaller first
CELL = 8                                  # pixels of the view per cell of the network's feature map
SQUARE = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])


class Board:
    """One picture with its truth."""

    def __init__(self, folder, row):
        self.row, self.name = row, row["image"]
        self.image = cv2.imread(os.path.join(folder, row["image"]))
        self.corners = np.float32(row["corners"])
        self.bar = row.get("bar_edges_u")
        counts = [row["top"], row["bottom"]]
        self.counts = np.array([[0 if c is None else c for c in r] for r in counts])
        self.bar_counts = (row["bar"]["light"], row["bar"]["dark"])
        self.occluded = bool(row.get("occluded"))
        self.checkers = row.get("checkers")
        self.mixed = row.get("mixed") or []
        self.mixed_at = None                # 2 x 12, 1 where both colours stand on a point; None where nobody looked

    def shrink(self):
        """Makes the picture as small as rectify would, once for all."""
        width = np.linalg.norm(self.corners[1] - self.corners[0]) / 2 + np.linalg.norm(self.corners[2] - self.corners[3]) / 2
        scale = FINEST * 14 * SLOT / width
        self.image, self.corners = shrink(self.image, self.corners, scale)
        for c in self.checkers or []:
            c["center"] = [v * min(1, scale) for v in c["center"]]


def load(folder, keep=lambda i, row: True):
    rows = [json.loads(line) for line in open(os.path.join(folder, "truth.jsonl"))]
    return [Board(folder, r) for i, r in enumerate(rows) if r["corners"] and keep(i, r)]


def collection(data, more=()):
    """The rendered boards to learn from, those of the folders more among them, and by name those to measure on: rendered ones kept aside,
    photographs and stills."""
    learn = load(data + "/train", lambda i, r: i % 10 != 0)
    for folder in more:
        learn += load(folder)
    return learn, {"held": load(data + "/train", lambda i, r: i % 10 == 0), "real": load(data + "/real"), "stills": load_stills(data)}


def group(name):
    """Which photographs may show the same board; figures come from networks that saw no picture of the group."""
    if name[0] in "cj":
        return "streams"
    if name[0] == "g":
        return "printed"
    n = int(name[1:3])
    return "wood1" if n <= 12 else "wood2" if n <= 24 else "wood3"


GROUPS = ["streams", "printed", "wood1", "wood2", "wood3"]


def with_real(train, sets, which):
    """Adds photographs to the boards trained on, each four times; leaves those measured that were not trained on."""
    if which == "none":
        return train, sets
    learn = [b for b in sets["real"] if group(b.name) != which]
    return train + 4 * learn, {**sets, "real": [b for b in sets["real"] if group(b.name) == which]}


def load_stills(data):
    """stills/dev. Its truth does not say where the bars lie: stills_bars.json has them as package vision finds them."""
    found = load(data + "/stills/dev")
    bars = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "stills_bars.json")))
    for b in found:
        b.bar = bars[b.name]
    return found


FOLDS = {"streams": 0, "wood1": 0, "printed": 1, "wood2": 1, "wood3": 2,
         "black_low": 0, "burgundy_tone": 0, "dark_wood": 0, "khatam": 0, "grey_marble": 1, "green_felt": 1, "pale_hard": 1, "red_gold": 1,
         "blue_tour": 2, "cork_green": 2, "navy_yellow": 2, "tan_leather": 2}


def fold(board):
    """Which part of the photographs and stills a board belongs to, 0 to 2; no board or style is in two. Figures of a part
    come from networks that saw nothing of it."""
    return FOLDS[board.row.get("style") or group(board.name)]


def strips(bar):
    """The three strips of the view: (x0, x1, u0, u1), affine from pixels to shares of the board's width."""
    left, right = bar
    width = (left + 1 - right) / 12
    reach = max((right - left) / 2, BAR_REACH * width)
    middle = (left + right) / 2
    over = MARGIN / SLOT / 6
    six = 6 * SLOT
    return [(0, MARGIN + six, -over * left, left),
            (MARGIN + six, MARGIN + six + 2 * SLOT, middle - reach, middle + reach),
            (WIDTH - MARGIN - six, WIDTH, right, right + (1 - right) * (1 + over))]


def shrink(image, corners, scale):
    """Makes pictures that are much finer than the view smaller, so that sampling does not alias."""
    if scale >= 1:
        return image, corners
    size = max(8, round(image.shape[1] * scale)), max(8, round(image.shape[0] * scale))
    how = cv2.INTER_LINEAR if scale >= 0.5 else cv2.INTER_AREA
    return cv2.resize(image, size, interpolation=how), corners * np.float32(scale)


def rectify(image, corners, bar):
    corners = np.float32(corners)
    width = (np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])) / 2
    image, corners = shrink(image, corners, FINEST * 14 * SLOT / width)
    out = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    to_picture = cv2.getPerspectiveTransform(SQUARE, corners)
    for x0, x1, u0, u1 in strips(bar):
        to_board = np.array([[(u1 - u0) / (x1 - x0), 0, u0], [0, 0.5 / HALF, -0.5 * MARGIN / HALF], [0, 0, 1]])
        cv2.warpPerspective(image, to_picture @ to_board, (x1 - x0, HEIGHT), out[:, x0:x1],
                            cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE)
    return out


def to_view(points, corners, bar, on_bar):
    """Where pixels of the picture lie in the view; on_bar tells for each whether it belongs to the bar's slots."""
    if len(points) == 0:
        return np.zeros((0, 2), np.float32)
    uv = cv2.perspectiveTransform(np.float32(points)[None], cv2.getPerspectiveTransform(np.float32(corners), SQUARE))[0]
    middle = (bar[0] + bar[1]) / 2
    out = []
    for (u, v), b in zip(uv, on_bar):
        x0, x1, u0, u1 = strips(bar)[1 if b else 0 if u < middle else 2]
        out.append((x0 + (u - u0) / (u1 - u0) * (x1 - x0), MARGIN + v * 2 * HALF))
    return np.float32(out)


def slot(column):
    """Left edge of a point's slot in the view."""
    return MARGIN + SLOT * (column if column < 6 else column + 2)


def normal(im):
    """The blob the networks take: mean 0 in each channel, one common spread, as blob.go makes it."""
    mean, sd = cv2.meanStdDev(np.ascontiguousarray(im[::3]) if im.size > 300000 else im)
    spread = max(4.0, float(np.sqrt((sd ** 2).mean())))
    return cv2.dnn.blobFromImage(np.ascontiguousarray(im), 1 / spread, mean=mean.ravel())[0]


@functools.lru_cache(None)
def noise_bank():
    return np.random.default_rng(5).normal(0, 16, 1 << 22).astype(np.int8)


def add_noise(im, sigma, rng):
    """The picture with the sensor's noise of a spread of sigma: a random stretch of a fixed supply of it."""
    start = int(rng.integers(noise_bank().size - im.size))
    noise = noise_bank()[start:start + im.size].reshape(im.shape)
    return cv2.add(im, cv2.multiply(noise, sigma / 16, dtype=cv2.CV_16S), dtype=cv2.CV_8U)


# ---- variation of light and camera -------------------------------------------------------------------------------

def vary_colour(im, rng):
    """Light, colour, sharpness, noise and compression as other cameras would have them."""
    h, w = im.shape[:2]
    if rng.random() < 0.4:                                      # turn all hues, keep brightness
        y = cv2.cvtColor(im, cv2.COLOR_BGR2YCrCb)
        a, s = rng.uniform(-np.pi, np.pi) if rng.random() < 0.3 else rng.normal(0, 0.25), rng.uniform(0.3, 1.4)
        c, d = np.cos(a) * s, np.sin(a) * s
        turn = np.float32([[1, 0, 0, 0], [0, c, -d, 128 * (1 - c + d)], [0, d, c, 128 * (1 - c - d)]])
        im = cv2.cvtColor(cv2.transform(y, turn), cv2.COLOR_YCrCb2BGR)
    ramp = np.linspace(0, 1, 256, dtype=np.float32)[:, None] ** np.exp(rng.normal(0, 0.3)) * 255
    ramp = ramp * np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.25))
    light = None
    if rng.random() < 0.5:                                      # uneven light, 128 for as it is
        coarse = 128 * np.exp(rng.normal(0, 0.25, (rng.integers(2, 4), rng.integers(2, 4))))
        light = cv2.resize(np.clip(coarse, 20, 255).astype(np.uint8), (w, h), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.15:                                     # a hard shadow
        m = np.zeros((h, w), np.uint8)
        p = rng.uniform(-0.2, 1.2, (4, 2)) * (w, h)
        cv2.fillPoly(m, [cv2.convexHull(p.astype(np.int32))], 255)
        m = cv2.blur(m, (int(rng.uniform(2, 14)),) * 2)
        m = cv2.LUT(m, (128 - rng.uniform(0.2, 0.6) * np.arange(256) / 2).astype(np.uint8))
        light = m if light is None else cv2.multiply(light, m, scale=1 / 128)
    contrast = np.exp(rng.normal(0, 0.15))
    shift = 128 * (1 - contrast) + rng.normal(0, 10)
    x = cv2.LUT(im, np.clip(ramp * contrast + shift, 0, 255).astype(np.uint8)[:, None, :])
    if light is not None:
        x = cv2.multiply(x, cv2.merge([light, light, light]), scale=1 / 128)
    if rng.random() < 0.1:                                      # glare
        m = np.zeros((h, w), np.uint8)
        cv2.ellipse(m, (int(rng.uniform(0, w)), int(rng.uniform(0, h))), (int(rng.uniform(20, 120)), int(rng.uniform(20, 90))),
                    rng.uniform(0, 180), 0, 360, int(rng.uniform(20, 110)), -1)
        x = cv2.add(x, cv2.merge([cv2.blur(m, (61, 61))] * 3))
    r = rng.random()
    if r < 0.35:                                                # coarse picture
        f = rng.uniform(1, 2.4)
        small = cv2.resize(x, (int(w / f), int(h / f)), interpolation=cv2.INTER_AREA)
        x = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
    elif r < 0.55:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 1.8))
    elif r < 0.65:                                              # sharpened by the camera
        k = rng.uniform(0.3, 1.5)
        x = cv2.addWeighted(x, 1 + k, cv2.GaussianBlur(x, (0, 0), 1.2), -k, 0)
    if rng.random() < 0.6:
        x = add_noise(x, rng.uniform(1, 8), rng)
    if rng.random() < 0.4:
        x = cv2.imdecode(cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(20, 85))])[1], 1)
    return x


def paint_arm(im, rng):
    """Paints an arm with a hand over the picture; returns the mask of what it covers."""
    h, w = im.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    hand = np.array([rng.uniform(0.05, 0.95) * w, rng.uniform(0.05, 0.95) * h])
    edge = rng.integers(4)
    start = np.array([(rng.uniform(0, w), -20), (rng.uniform(0, w), h + 20), (-20, rng.uniform(0, h)), (w + 20, rng.uniform(0, h))][edge])
    if rng.random() < 0.8:
        start = np.array([hand[0] + rng.normal(0, w / 5), [-20, h + 20][rng.integers(2)]])
    d = (hand - start) / (np.linalg.norm(hand - start) + 1e-6)
    size = rng.uniform(30, 60)
    wrist = hand - d * size
    skin = np.array(([120, 150, 205], [90, 120, 180], [60, 85, 130], [35, 50, 80], [150, 175, 225])[rng.integers(5)]) * rng.uniform(0.5, 1.2)
    sleeve = skin if rng.random() < 0.4 else rng.uniform(10, 230, 3)
    arm = np.zeros((h, w), np.uint8)
    cv2.line(arm, tuple(int(v) for v in start), tuple(int(v) for v in wrist), 1, int(size * rng.uniform(0.8, 1.5)))
    cv2.ellipse(mask, tuple(int(v) for v in hand - d * size / 2), (int(size * 0.75), int(size * 0.5)), float(np.degrees(np.arctan2(d[1], d[0]))), 0, 360, 1, -1)
    for a in rng.normal(0, 0.55, rng.integers(2, 6)):
        e = np.array([d[0] * np.cos(a) - d[1] * np.sin(a), d[0] * np.sin(a) + d[1] * np.cos(a)])
        b = hand - d * size * 0.2
        cv2.line(mask, tuple(int(v) for v in b), tuple(int(v) for v in b + e * size * rng.uniform(0.5, 1.0)), 1, int(size * rng.uniform(0.18, 0.3)))
    shade = cv2.resize(rng.uniform(0.6, 1.2, (4, 6)).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
    cast = np.roll(cv2.blur(np.maximum(arm, mask) * 255, (27, 27)), (rng.integers(-12, 13), rng.integers(-12, 13)), (0, 1))
    out = darken(im, cast, 0.4)
    for m, colour in ((arm, sleeve), (mask, skin)):
        cv2.copyTo(cv2.merge([cv2.convertScaleAbs(shade, alpha=float(c)) for c in colour]), m, out)
    return out, np.maximum(arm, mask)


def darken(im, mask, strength):
    """The picture times 1 - strength * mask / 255."""
    f = cv2.LUT(mask, np.clip(255 - strength * np.arange(256), 0, 255).astype(np.uint8))
    return cv2.multiply(im, cv2.merge([f, f, f]), scale=1 / 255)
