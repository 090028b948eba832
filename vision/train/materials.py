"""Colours, materials and checkers' faces of drawn boards (drawn.py), as numpy and OpenCV make them."""
import functools

import cv2
import numpy as np

FACE = 60                                 # size of the picture of a checker's face; its radius is 26
RADIUS = 26.0

PAIRS = [  # BGR: colours sets are sold in, the lighter side first
    ((226, 238, 242), (22, 21, 21)), ((238, 242, 244), (29, 21, 179)), ((42, 32, 194), (20, 19, 19)), ((48, 45, 210), (165, 70, 30)),
    ((190, 220, 240), (30, 55, 95)), ((150, 195, 225), (35, 60, 110)), ((120, 180, 215), (25, 35, 60)), ((235, 240, 240), (160, 80, 30)),
    ((60, 200, 240), (40, 40, 45)), ((240, 245, 245), (50, 105, 40)), ((70, 160, 80), (40, 35, 190)), ((230, 235, 240), (60, 90, 120)),
    ((200, 215, 225), (75, 75, 80)), ((170, 210, 235), (30, 30, 150)), ((205, 225, 235), (45, 45, 50)), ((90, 130, 170), (40, 45, 60)),
    ((245, 245, 245), (30, 30, 30)), ((225, 225, 220), (45, 40, 40)), ((80, 75, 215), (25, 25, 30)), ((180, 180, 185), (40, 42, 42)),
]


def luminance(c):
    return 0.11 * c[0] + 0.59 * c[1] + 0.30 * c[2]


def hsv(h, s, v):
    """A colour (BGR) of a hue in degrees, saturation and value 0..1."""
    return tuple(float(x) for x in cv2.cvtColor(np.uint8([[[h % 360 / 2, 255 * np.clip(s, 0, 1), 255 * np.clip(v, 0, 1)]]]), cv2.COLOR_HSV2BGR)[0, 0])


def shade(c, f):
    return tuple(float(min(255, max(0, x * f))) for x in c)


def near(rng, c, spread):
    return tuple(float(x) for x in np.clip(np.array(c) + rng.normal(0, spread, 3), 0, 255))


def any_colour(rng):
    return hsv(rng.uniform(0, 360), rng.uniform(0, 1) ** 0.8, rng.uniform(0.06, 0.98))


def wood_colour(rng):
    return hsv(rng.uniform(8, 38), rng.uniform(0.25, 0.8), rng.choice([0.2, 0.32, 0.45, 0.6, 0.75, 0.9]) * rng.uniform(0.85, 1.1))


def is_red(c):
    return c[2] > 100 and c[2] > 1.9 * max(c[0], c[1])


def is_blue(c):
    return c[0] > 80 and c[0] > 1.4 * max(c[1], c[2])


def checker_colours(rng):
    """Colours of the light and the dark side: light is the lighter one, except that red goes before blue and black."""
    mode = rng.random()
    if mode < 0.55:
        a, b = PAIRS[rng.integers(len(PAIRS))]
        return near(rng, a, 12), near(rng, b, 9)
    if mode < 0.68:
        h, s = rng.uniform(0, 360), rng.uniform(0.1, 0.9)
        return hsv(h, s * 0.7, rng.uniform(0.7, 0.97)), hsv(h + rng.uniform(-15, 15), s, rng.uniform(0.12, 0.5))
    if mode < 0.80:
        return hsv(rng.uniform(20, 40), rng.uniform(0.15, 0.6), rng.uniform(0.65, 0.95)), hsv(rng.uniform(0, 30), rng.uniform(0.3, 0.85), rng.uniform(0.12, 0.5))
    while True:
        a, b = any_colour(rng), any_colour(rng)
        d = abs(luminance(a) - luminance(b))
        if is_red(a) and (is_blue(b) or luminance(b) < 45):
            return a, b
        if is_red(b) and (is_blue(a) or luminance(a) < 45):
            return b, a
        if d > 12 and np.abs(np.subtract(a, b)).sum() > 90:
            return (a, b) if luminance(a) > luminance(b) else (b, a)


# ---- materials ---------------------------------------------------------------------------------------------------

@functools.lru_cache(None)
def textures():
    """Grey pictures of 900x900 by kind, 0..255, in three equal channels."""
    rng = np.random.default_rng(7)
    size = 900

    def noise(*scales):
        total = np.zeros((size, size), np.float32)
        for sx, sy, w in scales:
            n = rng.normal(0, 1, (max(2, int(size / sy)), max(2, int(size / sx)))).astype(np.float32)
            total += w * cv2.resize(n, (size, size), interpolation=cv2.INTER_CUBIC)
        return total

    def grey(x):
        return np.clip(128 + 50 * (x - x.mean()) / x.std(), 0, 255).astype(np.uint8)

    out = {"plain": [grey(noise((300, 300, 1.0), (90, 90, 0.2)))], "felt": [grey(noise((1, 1, 1), (2, 2, 0.8), (60, 60, 0.5))), grey(noise((1.5, 1.5, 1), (12, 12, 0.4)))]}
    out["wood"] = []
    for k in range(4):
        bend = noise((400, 90, 1.0)) * 10
        y = np.arange(size, dtype=np.float32)[:, None] + bend + np.zeros((size, size), np.float32)
        grain = np.sin(y / rng.uniform(1.5, 9)) * rng.uniform(0.2, 1) + noise((220, 3, 1.0), (90, 1.2, 0.6), (300, 40, 0.8))
        out["wood"].append(grey(grain))
        out["wood"].append(grey(grain.T))
    cells = noise((7, 7, 1.0))
    out["leather"] = [grey(np.abs(cells) + noise((2, 2, 0.15))), grey(np.abs(noise((4, 4, 1.0))) + noise((80, 80, 0.3)))]
    out["cork"] = [grey(noise((4, 4, 1), (9, 9, 1), (2, 2, 0.6)))]
    out["marble"] = [grey(np.abs(noise((120, 120, 1), (40, 40, 0.5), (15, 15, 0.2))) ** 0.4), grey(noise((50, 50, 1), (20, 20, 0.5)))]
    yy, xx = np.mgrid[:size, :size]
    out["mosaic"] = [grey(((xx // q + yy // q) % 2 + 0.7 * ((xx + yy) // (2 * q) % 2)).astype(np.float32) + noise((3, 3, 0.1))) for q in (4, 7)]
    out["weave"] = [grey(np.sin(xx / 1.3) + np.sin(yy / 1.3) + noise((40, 40, 0.5)))]
    return {kind: [cv2.merge([t, t, t]) for t in ts] for kind, ts in out.items()}


def material(rng, kind=None, c=None):
    """(kind, dark tone, light tone)."""
    kind = kind or rng.choice(["felt", "felt", "leather", "leather", "wood", "wood", "wood", "plain", "plain", "cork", "marble", "mosaic", "weave"])
    if c is None:
        c = wood_colour(rng) if kind == "wood" or rng.random() < 0.15 else surface_colour(rng)
    spread = {"plain": 0.03, "felt": 0.12, "leather": 0.12, "wood": 0.35, "cork": 0.4, "marble": 0.4, "mosaic": 0.5, "weave": 0.2}[kind] * rng.uniform(0.3, 1.6)
    other = near(rng, c, 6)
    return kind, shade(c, 1 - spread), shade(other, 1 + spread)


def surface_colour(rng):
    family = rng.integers(10)
    if family < 2:
        return any_colour(rng)
    h, s, v = [((95, 165), (0.3, 0.85), (0.15, 0.6)), ((195, 240), (0.35, 0.9), (0.15, 0.75)), ((345, 372), (0.5, 0.95), (0.2, 0.75)),
               ((15, 35), (0.35, 0.75), (0.15, 0.5)), ((25, 42), (0.2, 0.6), (0.55, 0.9)), ((0, 360), (0, 0.08), (0.25, 0.7)),
               ((0, 360), (0, 0.25), (0.04, 0.16)), ((30, 60), (0.0, 0.25), (0.8, 0.98))][family - 2]
    return hsv(rng.uniform(*h), rng.uniform(*s), rng.uniform(*v))


def sheet(rng, m, w, h):
    """A material over w x h pixels."""
    choices = textures()[m[0]]
    t = choices[rng.integers(len(choices))]
    y, x = rng.integers(t.shape[0] - h + 1), rng.integers(t.shape[1] - w + 1)
    ramp = np.linspace(0, 1, 256)[:, None]
    lut = (np.array(m[1]) * (1 - ramp) + np.array(m[2]) * ramp).astype(np.uint8)[:, None, :]
    return cv2.LUT(t[y:y + h, x:x + w], lut)


# ---- checkers' faces ---------------------------------------------------------------------------------------------

@functools.lru_cache(None)
def polar():
    y, x = (np.mgrid[:FACE, :FACE].astype(np.float32) - (FACE - 1) / 2) / RADIUS
    return np.hypot(x, y), np.arctan2(y, x), np.clip((1.0 - np.hypot(x, y)) * RADIUS + 0.5, 0, 1).astype(np.float32)


def faces(rng, colour, other, look, light):
    """Three pictures of a side's checkers (BGR floats), differently turned; the light keeps its side."""
    r, a, _ = polar()
    out = []
    relief = np.zeros_like(r)
    tone = np.ones_like(r)
    for r0, w, depth in look["rings"]:
        q = (r - r0) / w
        relief += depth * -q * np.exp(-q * q)
        tone *= 1 - abs(depth) * look["dirt"] * np.exp(-q * q)
    q = np.clip((r - look["edge"]) / (1 - look["edge"] + 1e-3), 0, 1)
    relief += look["round"] * q * q + look["dome"] * r
    tone *= 1 - look["rim"] * q
    shading = tone * (1 + relief * np.cos(a - light))
    shine = np.exp(-(((r * np.cos(a) - look["shine_r"] * np.cos(light)) ** 2 + (r * np.sin(a) - look["shine_r"] * np.sin(light)) ** 2) / look["shine_w"] ** 2)) * look["shine"] * 255
    for _ in range(3):
        turn = rng.uniform(0, 2 * np.pi)
        body = sheet(rng, look["material"](rng, colour), FACE, FACE).astype(np.float32)
        if look["inlay"]:
            n, depth, size, own = look["inlay"]
            inside = np.clip((size * (1 - depth * (0.5 + 0.5 * np.cos(n * (a - turn)))) - r) * RADIUS + 0.5, 0, 1)[..., None]
            body = body * (1 - inside) + inside * np.float32(own(colour, other))
        if look["band"]:
            r0, w, own = look["band"]
            inside = np.clip((w - np.abs(r - r0)) * RADIUS + 0.5, 0, 1)[..., None]
            body = body * (1 - inside) + inside * np.float32(own(colour, other))
        out.append(np.clip(body * shading[..., None] + shine[..., None], 0, 255).astype(np.float32))
    return out


def checker_look(rng):
    kind = rng.choice(["plain", "plain", "plain", "wood", "marble", "mosaic", "leather"], p=[0.4, 0.1, 0.1, 0.2, 0.12, 0.03, 0.05])
    tones = [lambda c, o: (74, 164, 201), lambda c, o: o, lambda c, o: shade(c, 0.55), lambda c, o: shade(c, 1.5), lambda c, o: (235, 235, 235), lambda c, o: (25, 25, 25), lambda c, o: shade(c, 0.8)]
    rings = [(rng.uniform(0.2, 0.95), rng.uniform(0.03, 0.14), rng.normal(0, 0.5)) for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 4]))]
    return dict(
        rings=rings, dirt=rng.uniform(0, 0.8), edge=rng.uniform(0.6, 0.98), round=rng.normal(0, 0.3), dome=rng.normal(0, 0.12), rim=rng.choice([0, 0.15, 0.4]) * rng.random(),
        shine=rng.choice([0, 0, 0.2, 0.6]) * rng.random(), shine_r=rng.uniform(0, 0.9), shine_w=rng.uniform(0.1, 0.6),
        material=lambda g, c: material(g, kind, c),
        inlay=(rng.integers(3, 10), rng.choice([0, 0.35, 0.6]), rng.uniform(0.25, 0.85), tones[rng.integers(len(tones))]) if rng.random() < 0.25 else None,
        band=(rng.uniform(0.3, 0.95), rng.uniform(0.02, 0.09), tones[rng.integers(len(tones))]) if rng.random() < 0.25 else None)
