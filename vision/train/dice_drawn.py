"""Draws dice and doubling cubes of endless variety, for the training of dice_find.py and dice_read.py.

A sprite is one thing seen from one side: a cube with rounded edges, traced ray by ray, with pips, figures or numerals.
Things of one group look alike and are seen from the same side, as the dice of one player are.
"""

import glob
import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

SPRITE, HALF = 72, 14.0  # side of a sprite, and half an edge in it, pixels
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
FONTS = sorted(glob.glob("/usr/share/fonts/truetype/**/*.ttf", recursive=True))
_faces = {}


class Sprite:
    """rgba; value (0: cannot be told), numeral or None; cocked; top: way from the centre to the middle of the upper
    face in edges; high: the way its higher side points; tilt in degrees."""

    __slots__ = ("rgba", "value", "numeral", "cocked", "top", "high")


class Group:
    """Sprites that look alike, and how far the camera leans: the way up points to (0, -lean) in the sprites."""

    __slots__ = ("lean", "sprites", "body")


def colour(rng):
    """A colour things are made of."""
    k = rng.random()
    if k < 0.35:
        return np.clip(rng.uniform(195, 255) + rng.normal(0, 8, 3) + np.array([-1, 0, 1]) * rng.uniform(0, 30), 0, 255)
    if k < 0.6:
        return np.clip(rng.uniform(8, 60) + rng.normal(0, 6, 3), 0, 255)
    hsv = np.uint8([[[rng.integers(180), rng.integers(70, 256), rng.integers(50, 256)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def ink(rng, body):
    """A colour that shows on the body."""
    grey = body @ [0.11, 0.59, 0.3]
    while True:
        c = colour(rng) if rng.random() < 0.3 else np.full(3, rng.uniform(5, 60) if grey > 110 else rng.uniform(190, 255))
        if abs(c @ [0.11, 0.59, 0.3] - grey) > 70:
            return c


def numeral_mask(text, font):
    """64x64 picture of the text, 255 where it is."""
    if (text, font) not in _faces:
        im = Image.new("L", (64, 64))
        f = ImageFont.truetype(FONTS[font], 50)
        x0, y0, x1, y1 = f.getbbox(text)
        f = ImageFont.truetype(FONTS[font], int(50 * min(60 / (x1 - x0), 60 / (y1 - y0))))
        x0, y0, x1, y1 = f.getbbox(text)
        ImageDraw.Draw(im).text((32 - (x0 + x1) / 2, 32 - (y0 + y1) / 2), text, 255, f)
        _faces[text, font] = np.asarray(im, np.float32) / 255
    return _faces[text, font]


def turned(axis, angle):
    return cv2.Rodrigues(np.float64(axis) / np.linalg.norm(axis) * angle)[0]


class Style:
    """How the dice of a group are made."""

    def __init__(self, rng, kind):
        self.kind = kind  # "pips", "figures" or "cube"
        self.body = colour(rng)
        if kind == "cube" and rng.random() < 0.3:
            self.body = np.array([0.35, 0.6, 0.85]) * rng.uniform(50, 255)  # wood
        self.ink = ink(rng, self.body)
        self.round = rng.uniform(0.04, 0.45)
        self.ball = rng.uniform(1.25, 1.7) if rng.random() < 0.4 else 9.0
        self.spread = rng.uniform(0.42, 0.6)
        self.pip = rng.uniform(0.12, 0.26)
        self.ace = rng.uniform(1.2, 1.8) if rng.random() < 0.15 else 1.0
        self.red = np.array([30, 30, 200.0]) if rng.random() < 0.07 else None  # ace and four
        self.hollow = rng.uniform(0.35, 0.6) if rng.random() < 0.08 else 0.0
        self.bowl = rng.uniform(-0.5, 0.8)  # shading within a pip
        self.marble = rng.uniform(10, 60) if rng.random() < 0.15 else rng.uniform(0, 6)
        self.clear = rng.uniform(0.5, 0.9) if rng.random() < 0.15 else 1.0
        self.gloss, self.sharp = rng.uniform(0, 160) * (rng.random() < 0.6), rng.uniform(5, 50)
        self.ambient = rng.uniform(0.35, 0.8)
        a, e = rng.uniform(0, 2 * math.pi), rng.uniform(0.3, 1.4)
        self.light = np.array([math.cos(a) * math.cos(e), math.sin(a) * math.cos(e), math.sin(e)])  # of the world
        self.font, self.wide = int(rng.integers(len(FONTS))), rng.uniform(0.45, 0.85)
        self.frame = rng.random() < 0.15 and kind == "cube"
        self.right_handed = rng.random() < 0.5


def faces(rng, style):
    """What stands on the six faces +x -x +y -y +z -z."""
    if style.kind == "cube":
        n = [2, 4, 8, 16, 32, 64]
        rng.shuffle(n)
        return n
    a = [(1, 6), (2, 5), (3, 4)]
    rng.shuffle(a)
    return [v for p in a for v in (p if rng.random() < 0.5 else p[::-1])]


def render(rng, style, rot, camera, on):
    """Draws a thing turned by rot (die to world) before the camera (world to camera): the rgba picture."""
    m = camera @ rot
    g = (np.arange(SPRITE) - (SPRITE - 1) / 2) / HALF
    x, y = np.meshgrid(g, -g)
    o = (np.stack([x.ravel(), y.ravel(), np.full(x.size, 3.0)], 1) @ m).astype(np.float32)
    d = -m[2].astype(np.float32)
    b, r = np.float32(1 - style.round), np.float32(style.round)
    mid = -(o @ d)  # a cheap way in: the ray's entry into a ball around the cube
    off = np.sqrt(np.maximum(0, (o * o).sum(1) - mid**2))
    idx = np.nonzero(off < min(1.75, style.ball + 0.1))[0]
    o, t = o[idx], mid[idx] - np.sqrt(np.maximum(0, 1.75**2 - off[idx] ** 2))
    least = np.full(len(o), 9.0, np.float32)
    for _ in range(12):
        p = o + t[:, None] * d
        q = np.abs(p) - b
        out = np.sqrt((np.maximum(q, 0) ** 2).sum(1)) + np.minimum(q.max(1), 0) - r
        if style.ball < 2:
            out = np.maximum(out, np.sqrt((p * p).sum(1)) - style.ball)
        least = np.minimum(least, out)
        t = t + out
    cover = np.clip(0.5 - (least - 0.03) * HALF, 0, 1)
    q = np.maximum(np.abs(p) - b, 0)
    n = np.sign(p) * q
    length = np.sqrt((n * n).sum(1))
    flat = np.abs(p).max(1, keepdims=True)
    n = np.where(length[:, None] > 1e-4, n / np.maximum(length, 1e-4)[:, None], np.sign(p) * (np.abs(p) >= flat))
    if style.ball < 2:
        l = np.sqrt((p * p).sum(1, keepdims=True))
        n = np.where(l > style.ball - 0.03, p / np.maximum(l, 1e-3), n)
    light = rot.T @ style.light
    lit = style.ambient + (1 - style.ambient) * np.maximum(0, n @ light.astype(np.float32))
    half = light + rot.T @ camera[2]
    half /= np.linalg.norm(half)
    shine = style.gloss * np.maximum(0, n @ half.astype(np.float32)) ** style.sharp
    col = np.empty((len(p), 3), np.float32)
    col[:] = style.body
    if style.marble:
        grain = cv2.resize(rng.normal(0, style.marble, (9, 9)).astype(np.float32), (SPRITE, SPRITE), interpolation=cv2.INTER_CUBIC)
        col += grain.ravel()[idx, None]
    alpha = np.full(len(p), style.clear, np.float32)
    axis, mark = np.abs(p).argmax(1), None
    for f in range(6):
        a = f // 2
        at = np.nonzero((axis == a) & ((p[:, a] > 0) == (f % 2 == 0)))[0]
        if not len(at):
            continue
        u, v = p[at, (a + 1) % 3], p[at, (a + 2) % 3]
        k, shade, c = mark_on(style, on[f], u, v, f)
        w = k[:, None]
        col[at] = col[at] * (1 - w) + c * np.clip(shade, 0, 2)[:, None] * w
        alpha[at] = np.maximum(alpha[at], k)
    col = col * lit[:, None] + shine[:, None]
    rgba = np.zeros((SPRITE * SPRITE, 4), np.uint8)
    rgba[idx, :3] = np.clip(col, 0, 255)
    rgba[idx, 3] = 255 * cover * alpha
    return rgba.reshape(SPRITE, SPRITE, 4)


def mark_on(style, what, u, v, face):
    """How much of the ink lies at the places u, v of a face, its shading and colour."""
    if style.kind == "pips":
        turn = (face + style.right_handed) % 2
        best, bowl = np.full(len(u), 9.0, np.float32), np.zeros(len(u), np.float32)
        for i, j in PIPS[what]:
            x, y = (i, j) if not turn else (-j, i)
            du, dv = u - x * style.spread, v - y * style.spread
            far = np.sqrt(du * du + dv * dv)
            closer = far < best
            best, bowl = np.where(closer, far, best), np.where(closer, du, bowl)
        size = style.pip * (style.ace if what == 1 else 1)
        k = np.clip((size - best) * HALF + 0.5, 0, 1)
        if style.hollow:
            k *= np.clip((best - size * style.hollow) * HALF + 0.5, 0, 1)
        c = style.red if style.red is not None and what in (1, 4) else style.ink
        return k, 1 + style.bowl * bowl / size * 0.4, c
    text = numeral_mask(str(what), style.font)
    x = (u / style.wide * (-1 if face % 2 else 1) + 1) * 31.5
    y = (1 - v / style.wide) * 31.5
    k = cv2.remap(text, x.astype(np.float32)[None], y.astype(np.float32)[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)[0]
    if style.frame:
        e = np.maximum(np.abs(u), np.abs(v))
        k = np.maximum(k, np.clip(1 - np.abs(e - 0.86) * HALF, 0, 1))
    return k, np.ones(len(u), np.float32), style.ink


def pose(rng, cocked):
    """A rotation die to world (z up): lying flat or leaning, and the way its higher side points."""
    flat = turned([0, 0, 1], rng.uniform(0, 2 * math.pi))
    up = int(rng.integers(6))
    lay = [np.eye(3), turned([1, 0, 0], math.pi), turned([1, 0, 0], math.pi / 2), turned([1, 0, 0], -math.pi / 2),
           turned([0, 1, 0], math.pi / 2), turned([0, 1, 0], -math.pi / 2)][up]
    if not cocked:
        return flat @ lay, np.zeros(2)
    a, tilt = rng.uniform(0, 2 * math.pi), math.radians(rng.triangular(12, 25, 45))
    high = np.array([math.cos(a), math.sin(a)])
    return turned([high[1], -high[0], 0], tilt) @ flat @ lay, high


def sprite(rng, style, camera, cocked):
    s = Sprite()
    rot, s.high = pose(rng, cocked)
    on = faces(rng, style)
    s.rgba = render(rng, style, rot, camera, on)
    up = [rot[2, f // 2] * (1 if f % 2 == 0 else -1) for f in range(6)]
    order = np.argsort(up)[::-1]
    f = order[0]
    face = rot[:, f // 2] * (1 if f % 2 == 0 else -1)
    seen = camera @ face
    s.top = np.array([seen[0], -seen[1]]) / 2
    shown = on[f]
    if cocked and (up[order[0]] < 0.74 or up[order[0]] - up[order[1]] < 0.1) or seen[2] < 0.25:
        shown = 0
    s.cocked = cocked
    s.value = shown if style.kind == "pips" else 0
    s.numeral = shown if style.kind != "pips" else None
    return s


def group(rng, kind, n):
    """n things of one style, seen from one side."""
    style = Style(rng, kind)
    lean = abs(rng.normal(0, 0.45)) if rng.random() < 0.6 else rng.uniform(0.3, 1.2)
    lean = min(lean, 1.2)
    camera = turned([1, 0, 0], -lean)  # the camera stands below the picture
    g = Group()
    g.lean, g.body = math.sin(lean), style.body
    g.sprites = [sprite(rng, style, camera, kind != "cube" and rng.random() < 0.3) for _ in range(n)]
    return g


class Bank:
    """Groups of things to draw."""

    def __init__(self, seed, dice=4000, figures=500, cubes=2500):
        rng = np.random.default_rng(seed)
        self.dice = [group(rng, "pips", 3) for _ in range(dice)]
        self.figures = [group(rng, "figures", 1) for _ in range(figures)]
        self.cubes = [group(rng, "cube", 1) for _ in range(cubes)]


def put(canvas, s, at, angle, edge, rng, shadow, flip=False):
    """Draws the sprite on the canvas (float32) with its centre at `at`, turned; its shadow falls first."""
    k = edge / (2 * HALF)
    src = s.rgba
    if k < 0.6:
        src = cv2.resize(src, (SPRITE // 2, SPRITE // 2), interpolation=cv2.INTER_AREA)
        k *= 2
    r = rotation(angle, flip) * k
    half = int(math.ceil(1.75 * edge / 2)) + 3
    x0, y0 = int(at[0]) - half, int(at[1]) - half
    side = 2 * half + 1
    m = np.hstack([r, (np.array([at[0] - x0, at[1] - y0]) - r @ np.full(2, (src.shape[0] - 1) / 2))[:, None]])
    cut = cv2.warpAffine(src, m, (side, side), flags=cv2.INTER_LINEAR)
    if shadow is not None:
        way, dark, soft = shadow
        mask = cut[..., 3].astype(np.float32) * (dark / 255)
        n = max(1, int(edge * soft))
        mask = cv2.blur(mask, (n, n))
        blend(canvas, mask, np.zeros(3, np.float32), x0 + int(way[0] * edge), y0 + int(way[1] * edge))
    blend(canvas, cut[..., 3].astype(np.float32) / 255, cut[..., :3].astype(np.float32), x0, y0)


def blend(canvas, mask, colour, x0, y0):
    h, w = canvas.shape[:2]
    a, b = max(0, -x0), max(0, -y0)
    c, d = min(mask.shape[1], w - x0), min(mask.shape[0], h - y0)
    if c <= a or d <= b:
        return
    part = canvas[y0 + b : y0 + d, x0 + a : x0 + c]
    m = mask[b:d, a:c, None]
    part += m * ((colour[b:d, a:c] if colour.ndim == 3 else colour) - part)


def beside(at, angle, edge, lean, rng):
    """A place on the board beside a thing at `at`, often as near as two dice can lie. What is farther from the camera or nearer
    to it, not to its side, is as much nearer to it in the picture as the camera leans."""
    far = edge * (rng.uniform(1.0, 1.12) if rng.random() < 0.5 else rng.uniform(1.0, 2.2))
    a = rng.uniform(0, 2 * math.pi)
    return at + rotation(angle) @ (far * np.array([math.cos(a), math.sin(a) * math.sqrt(1 - lean**2)]))


def rotation(angle, flip=False):
    c, s = math.cos(angle), math.sin(angle)
    r = np.array([[c, -s], [s, c]])
    return r @ np.diag([-1.0, 1.0]) if flip else r


def shadow(rng):
    if rng.random() < 0.25:
        return None
    a, d = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.4)
    return np.array([math.cos(a), math.sin(a)]) * d, rng.uniform(0.15, 0.75), rng.uniform(0.05, 0.5)


def checker(canvas, at, radius, squeeze, angle, rng, col=None):
    """A checker: an ellipse squeezed along the way up, with a rim and perhaps something on it."""
    col = colour(rng) if col is None else col
    a = math.degrees(angle)
    p = lambda q: tuple(int(16 * v) for v in q)
    ax = lambda k: (int(16 * radius * k), int(16 * radius * k * squeeze))
    down = rotation(angle) @ np.array([0, radius * 0.3 * math.sqrt(max(0, 1 - squeeze**2))])
    cv2.ellipse(canvas, p(at + down), ax(1), a, 0, 360, (col * 0.5).tolist(), -1, cv2.LINE_AA, 4)
    cv2.ellipse(canvas, p(at), ax(1), a, 0, 360, col.tolist(), -1, cv2.LINE_AA, 4)
    for _ in range(rng.integers(0, 3)):
        cv2.ellipse(canvas, p(at), ax(rng.uniform(0.2, 0.95)), a, 0, 360, (col * rng.uniform(0.5, 1.3)).tolist(), 1, cv2.LINE_AA, 4)


def distractor(canvas, at, edge, rng):
    """Draws something that is neither die nor cube."""
    k, angle = rng.integers(8), rng.uniform(0, 2 * math.pi)
    c1 = colour(rng)
    c2 = ink(rng, c1).tolist()
    r = rotation(angle)
    e = edge * math.exp(rng.normal(0, 0.3))
    p = lambda q: tuple(int(16 * v) for v in (np.asarray(at) + r @ np.float64(q) * e))
    dot = lambda q, size, c: cv2.circle(canvas, p(q), int(16 * size * e), c, -1, cv2.LINE_AA, 4)
    if k == 0:  # a checker with dots or a ring of them
        checker(canvas, np.float64(at), e * rng.uniform(0.6, 1.3), rng.uniform(0.7, 1), angle, rng, c1)
        n, w = int(rng.integers(1, 9)), rng.uniform(0.15, 0.5)
        for i in range(n):
            dot((w * math.cos(2 * math.pi * i / n), w * math.sin(2 * math.pi * i / n)), rng.uniform(0.04, 0.12), c2)
    elif k == 1:  # a box with nothing on it, or keys
        n = int(rng.choice([0, 0, 1]))
        for i in range(-n, n + 1):
            for j in range(-n, n + 1):
                q = np.array([(-0.42, -0.42), (0.42, -0.42), (0.42, 0.42), (-0.42, 0.42)]) + [i, j]
                cv2.fillConvexPoly(canvas, np.array([p(v) for v in q]), c1.tolist(), cv2.LINE_AA, 4)
                if rng.random() < 0.7:
                    cv2.putText(canvas, chr(int(rng.integers(65, 91))), tuple(int(v / 16) for v in p((i - 0.2, j + 0.2))), int(rng.integers(0, 4)), e / 60, c2, 1, cv2.LINE_AA)
    elif k == 2:  # dots in the open: an ornament, holes
        n = int(rng.integers(1, 8))
        for i in range(n):
            dot(rng.uniform(-0.7, 0.7, 2) if rng.random() < 0.5 else (0.25 * (i - n / 2), 0), rng.uniform(0.05, 0.2), c2)
    elif k == 3:  # a screw, a button
        dot((0, 0), rng.uniform(0.2, 0.6), c1.tolist())
        for a in (0, math.pi / 2)[: rng.integers(1, 3)]:
            q = 0.25 * np.array([math.cos(a), math.sin(a)])
            cv2.line(canvas, p(q), p(-q), c2, max(1, int(e / 15)), cv2.LINE_AA, 4)
    elif k == 4:  # print
        text = "".join(chr(int(v)) for v in rng.integers(48, 123, rng.integers(1, 6)))
        cv2.putText(canvas, text, tuple(int(v / 16) for v in p((-0.5, 0.2))), int(rng.integers(0, 5)), e / 40 * rng.uniform(0.5, 1.5), c2, max(1, int(e / 20)), cv2.LINE_AA)
    elif k == 5:  # a bar, a cable, a hinge
        q = rng.uniform(-2, 2, 2)
        cv2.line(canvas, p(q), p(-q), c1.tolist(), max(1, int(e * rng.uniform(0.05, 0.8))), cv2.LINE_AA, 4)
        if rng.random() < 0.5:
            cv2.line(canvas, p(q), p(-q), c2, max(1, int(e * 0.1)), cv2.LINE_AA, 4)
    elif k == 6:  # rings: a cup from above
        for _ in range(rng.integers(1, 4)):
            cv2.circle(canvas, p((0, 0)), int(16 * e * rng.uniform(0.3, 1.2)), colour(rng).tolist(), int(rng.choice([-1, 1, 2])), cv2.LINE_AA, 4)
    else:  # a tile of a mosaic, a star, a label
        q = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * rng.uniform(0.3, 1.2, 2)
        cv2.fillConvexPoly(canvas, np.array([p(v) for v in q]), c1.tolist(), cv2.LINE_AA, 4)
        q = np.array([(0, -0.4), (0.4, 0), (0, 0.4), (-0.4, 0)]) * rng.uniform(0.3, 1)
        cv2.fillConvexPoly(canvas, np.array([p(v) for v in q]), c2, cv2.LINE_AA, 4)


def support(canvas, at, angle, lean, edge, high, rng):
    """What a cocked die leans on: a checker or an edge, on its higher side."""
    squeeze = math.sqrt(1 - lean**2)
    way = rotation(angle) @ (np.array([high[0], -high[1] * squeeze]))
    if rng.random() < 0.7:
        radius = edge * rng.uniform(0.8, 1.3)
        checker(canvas, np.float64(at) + way * (radius + edge * rng.uniform(-0.1, 0.35)), radius, squeeze, angle, rng)
        return
    side, c = np.array([-way[1], way[0]]), colour(rng)
    near, far = np.float64(at) + way * edge * rng.uniform(0.1, 0.5), np.float64(at) + way * edge * rng.uniform(1, 4)
    q = [near + side * 5 * edge, far + side * 5 * edge, far - side * 5 * edge, near - side * 5 * edge]
    cv2.fillConvexPoly(canvas, np.int32(np.array(q) * 16), c.tolist(), cv2.LINE_AA, 4)
