"""The canvas of a drawn board (drawn.py): camera and light over it, the board and the things that lie on it.

Everything lies in units of a point's width on the plane of the playing surface, drawn on a canvas that shows this plane
from straight above. What stands over it by z appears moved away from the camera's foot and larger, by z / (camera's
height - z): discs stay discs, so a checker is its lower and upper disc and what lies between.
"""
import cv2
import numpy as np

from materials import any_colour, luminance, material, near, shade, sheet, surface_colour

SCALE = 36                                # canvas pixels per point width
AROUND = 1.3                              # of the table shown round the surface, in point widths


class Scene:
    """A canvas, the camera over it, and the light."""

    def __init__(self, rng):
        self.rng = rng
        d = rng.uniform(0.74, 1.0)
        narrow = rng.random() < 0.3
        self.bar = 0.0 if rng.random() < 0.22 else d * (rng.uniform(0.05, 0.6) if narrow else rng.uniform(0.8, 1.6))
        self.width = 12 + self.bar
        self.height = max(10.1 * d, self.width / rng.uniform(0.95, 1.45)) if rng.random() < 0.8 else self.width / rng.uniform(0.95, 1.4)
        self.d = min(d, self.height / 10.05)
        self.gap = 0.0                    # between the surface's edge and the points' bases
        self.thick = self.d * rng.uniform(0.12, 0.36)
        self.bar_height = rng.choice([0, 0.05, 0.1, 0.3, 0.45]) if self.bar > 0.25 else 0.0
        self.rail = max(self.bar_height, rng.choice([0.02, 0.15, 0.3, 0.5, 0.8]) * rng.uniform(0.8, 1.3))
        tilt = np.radians(rng.uniform(0, 14) if rng.random() < 0.55 else rng.uniform(14, 52))
        way = rng.choice([-1, 1]) * np.pi / 2 + rng.normal(0, 0.25) if rng.random() < 0.75 else rng.uniform(0, 2 * np.pi)
        far = rng.uniform(13, 45)
        self.eye = np.array([self.width / 2 + rng.normal(0, 0.8), self.height / 2 + rng.normal(0, 0.8), 0]) + far * np.array(
            [np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), np.cos(tilt)])
        self.over = self.d * rng.uniform(0.05, 0.55) if rng.random() < 0.07 else 0.0   # how far checkers may lie over the edge
        if self.over:
            self.rail = 0.02
        self.light = rng.uniform(0, 2 * np.pi)
        # a bright window mirrored by the faces that lie in one part of the board: x, y, reach, strength
        self.sheen = rng.uniform(0, 12), rng.uniform(0, self.height), rng.uniform(2, 7), rng.uniform(0.2, 0.75) if rng.random() < 0.15 else 0
        self.cast = np.array([np.cos(self.light), np.sin(self.light)]) * -rng.choice([0.1, 0.4, 0.9, 1.6]) * rng.uniform(0.5, 1.2)
        self.softness, self.darkness = int(rng.choice([2, 4, 8, 14])), rng.uniform(0.15, 0.75)
        w, h = int((self.width + 2 * AROUND) * SCALE), int((self.height + 2 * AROUND) * SCALE)
        self.canvas = np.zeros((h, w, 3), np.uint8)

    def at(self, x, y, z=0.0):
        """Where in the canvas the point (x, y, z) appears; y downwards from the top edge of the surface."""
        k = z / (self.eye[2] - z)
        return (x + (x - self.eye[0]) * k + AROUND) * SCALE, (y + (y - self.eye[1]) * k + AROUND) * SCALE

    def quad(self, x0, y0, x1, y1, z=0.0):
        return np.int32([self.at(x0, y0, z), self.at(x1, y0, z), self.at(x1, y1, z), self.at(x0, y1, z)])

    def fill(self, polygons, m):
        """Covers polygons (canvas pixels) with a material or a plain colour."""
        polygons = [np.int32(p) for p in polygons]
        h, w = self.canvas.shape[:2]
        every = np.concatenate(polygons)
        (x0, y0), (x1, y1) = np.clip(every.min(0), 0, (w, h)), np.clip(every.max(0) + 1, 0, (w, h))
        if x1 <= x0 or y1 <= y0:
            return
        part = self.canvas[y0:y1, x0:x1]
        mask = np.zeros(part.shape[:2], np.uint8)
        for p in polygons:
            cv2.fillPoly(mask, [p - (x0, y0)], 255)
        if isinstance(m[0], str):
            cv2.copyTo(sheet(self.rng, m, x1 - x0, y1 - y0), mask, part)
        else:
            part[mask > 0] = m


def point_shape(kind, x0, x1, base, tip):
    """Outline of a point between x0 and x1, from its base to its tip (y)."""
    t = np.linspace(0, 1, 9)
    w = {"straight": 1 - t, "ogive": np.sqrt(1 - t ** 2) * (1 - 0.25 * t), "concave": (1 - t) ** 1.6, "lens": np.sin(np.pi * (0.18 + 0.82 * t)) * 1.0,
         "trunc": 1 - 0.85 * t, "steps": 1 - np.floor(t * 5) / 5, "stripe": 0.35 + 0 * t}[kind] * (x1 - x0) / 2
    m, y = (x0 + x1) / 2, base + (tip - base) * t
    return np.concatenate([np.stack([m - w, y], 1), np.stack([m + w, y], 1)[::-1]])


def column_left(s, k):
    return k + (s.bar if k >= 6 else 0)


def paint_board(s):
    """Surface, points, ornaments, frame behind the checkers."""
    rng = s.rng
    surface = material(rng)
    s.surface = surface
    s.fill([s.quad(0, 0, s.width, s.height)], surface)
    base_tone = np.add(surface[1], surface[2]) / 2
    if rng.random() < 0.2:                                       # a strip or a field across the middle
        y = s.height * rng.uniform(0.03, 0.12)
        for x0, x1 in ((0, 6), (6 + s.bar, s.width)):
            s.fill([s.quad(x0, s.height / 2 - y, x1, s.height / 2 + y)], material(rng))
    ornaments(s)
    paint_points(s, base_tone)
    if rng.random() < 0.3:                                       # a line along the edges
        c, inset = any_colour(rng), rng.uniform(0.05, 0.5)
        for x0, x1 in ((0, 6), (6 + s.bar, s.width)):
            cv2.polylines(s.canvas, [s.quad(x0 + inset, inset, x1 - inset, s.height - inset)], True, c, int(rng.integers(1, 4)))
    frame = material(rng, "wood") if rng.random() < 0.5 else material(rng)
    s.frame, s.bar_stuff = frame, frame if rng.random() < 0.6 else surface if rng.random() < 0.5 else material(rng)
    if s.bar:
        s.fill([s.quad(6, 0, 6 + s.bar, s.height)], (s.bar_stuff[0], shade(s.bar_stuff[1], 0.7), shade(s.bar_stuff[2], 0.7)))
    elif rng.random() < 0.8:
        x, y0 = s.at(6, 0)
        cv2.line(s.canvas, (int(x), int(y0)), (int(x), int(s.at(6, s.height)[1])), shade(base_tone, rng.choice([0.3, 0.6, 1.4])), int(rng.integers(1, 5)))
    rails(s, before=True)


def paint_points(s, base_tone):
    rng = s.rng
    kind = rng.choice(["straight", "straight", "straight", "ogive", "concave", "lens", "trunc", "steps", "stripe"], p=[0.2, 0.2, 0.2, 0.1, 0.1, 0.06, 0.08, 0.03, 0.03])
    a, b = material(rng), material(rng)
    mode = rng.random()
    if mode < 0.2:
        a = material(rng, None, near(rng, shade(base_tone, rng.choice([0.8, 0.9, 1.1, 1.25])), 8))
    elif mode < 0.35:
        b = material(rng, a[0], near(rng, shade(a[1], rng.uniform(0.8, 1.3)), 12))
    elif mode < 0.45:
        a = material(rng, "wood"); b = material(rng, "wood")
    length, wide = s.height * rng.uniform(0.33, 0.48), rng.uniform(0.6, 1.0)
    first, outline = rng.integers(2), rng.random() < 0.12
    tip = rng.choice(["none", "none", "none", "disc", "diamond", "ball"])
    inner = rng.random() < 0.2
    border = rng.random() < 0.25
    groups = ([], [])
    for k in range(12):
        x0 = column_left(s, k) + (1 - wide) / 2
        for row in range(2):
            y0, y1 = (s.gap, length) if row == 0 else (s.height - s.gap, s.height - length)
            p = point_shape(kind, x0, x0 + wide, y0, y1)
            groups[(k + row + first) % 2].append(((p + AROUND) * SCALE, k, row))
    edge = any_colour(rng)
    for group, m in zip(groups, (a, b)):
        if outline:
            cv2.polylines(s.canvas, [np.int32(p) for p, _, _ in group], True, m[2], int(rng.integers(1, 3)), cv2.LINE_AA)
        else:
            s.fill([p for p, _, _ in group], m)
        if inner:
            mid = material(rng)
            q = rng.uniform(0.3, 0.7)
            s.fill([(p - p.mean(0)) * q + p.mean(0) for p, _, _ in group], mid)
        if border:
            cv2.polylines(s.canvas, [np.int32(p) for p, _, _ in group], True, edge, 1, cv2.LINE_AA)
        if tip != "none":
            r, c = rng.uniform(0.08, 0.3) * SCALE, m[2] if rng.random() < 0.5 else edge
            for _, k, row in group:
                x, y = s.at(column_left(s, k) + 0.5, length if row == 0 else s.height - length)
                if tip == "diamond":
                    s.canvas = cv2.fillPoly(s.canvas, [np.int32([(x - r, y), (x, y - r), (x + r, y), (x, y + r)])], c)
                else:
                    cv2.circle(s.canvas, (int(x), int(y)), int(r), c, -1 if tip == "disc" else 2, cv2.LINE_AA)
    decorate_points(s, length, m)


def decorate_points(s, length, stuff):
    """Arches and bands along the edges, and beads along the points, as inlaid boards have them."""
    rng = s.rng
    if rng.random() < 0.1:
        high, r, y = rng.uniform(0.2, 0.8), rng.uniform(0.3, 0.5), rng.uniform(0, 0.8)
        for x0, x1 in ((0, 6), (6 + s.bar, s.width)):
            s.fill([s.quad(x0, 0, x1, high), s.quad(x0, s.height - high, x1, s.height)], stuff)
        discs = [np.array(s.at(column_left(s, k) + 0.5, v)) + SCALE * star(12, 0, r, 0) for k in range(12) for v in (y, s.height - y)]
        s.fill(discs, s.surface)
    if rng.random() < 0.12:
        y0, y1 = np.sort(rng.uniform(0, 1.6, 2)) * rng.choice([0.5, 1, 2])
        m = material(rng, "mosaic" if rng.random() < 0.5 else None)
        for x0, x1 in ((0, 6), (6 + s.bar, s.width)):
            s.fill([s.quad(x0, y0, x1, y1), s.quad(x0, s.height - y1, x1, s.height - y0)], m)
    if rng.random() < 0.15:
        n, big, colours = rng.integers(2, 9), rng.uniform(0.05, 0.32) * SCALE, [any_colour(rng) for _ in range(rng.integers(1, 4))]
        thick, shape = [-1, -1, 1, 2][rng.integers(4)], rng.integers(2)
        for k in range(12):
            for j, t in enumerate(np.linspace(0.08, 0.95, n)):
                r, c = big * (1 - 0.7 * t), colours[j % len(colours)]
                for v in (t * length, s.height - t * length):
                    x, y = s.at(column_left(s, k) + 0.5, v)
                    if shape:
                        cv2.circle(s.canvas, (int(x), int(y)), int(r), c, thick, cv2.LINE_AA)
                    else:
                        cv2.polylines(s.canvas, [np.int32([(x - r, y), (x, y - r), (x + r, y), (x, y + r)])], True, c, 2, cv2.LINE_AA)


def star(n, depth, size, turn):
    a = np.arange(2 * n) * np.pi / n + turn
    r = size * np.where(np.arange(2 * n) % 2, 1 - depth, 1)
    return np.stack([np.cos(a), np.sin(a)], 1) * r[:, None]


def ornaments(s):
    rng = s.rng
    if rng.random() < 0.45:
        kind, c = rng.choice(["star", "diamond", "rings", "rectangle", "text", "disc"]), any_colour(rng)
        size, turn = rng.uniform(0.5, 2.4), rng.uniform(0, 2 * np.pi)
        n, depth, stuff = rng.integers(4, 13), rng.uniform(0.1, 0.7), material(rng, "mosaic" if rng.random() < 0.5 else None)
        aspect = rng.uniform(0.5, 1.6)
        for x in [(3, 9 + s.bar), (9 + s.bar,), (3, 9 + s.bar)][rng.integers(3)]:
            p = np.array(s.at(x, s.height / 2))
            if kind == "star":
                s.fill([p + SCALE * star(n, depth, size, turn)], c)
            elif kind == "diamond":
                s.fill([p + SCALE * star(2, 0, size, 0) * (1, aspect)], stuff)
                s.fill([p + SCALE * star(2, 0, size * 0.6, 0) * (1, aspect)], c)
            elif kind == "rectangle":
                q = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (1, aspect)
                for f, m in ((1, stuff), (0.85, material(rng)), (0.4, c)):
                    s.fill([p + SCALE * size * f * q], m)
                s.fill([p + SCALE * star(n, depth, size * 0.35, turn)], stuff)
            elif kind == "text":
                word = "".join(rng.choice(list("ABCDEGIKLMNORSTVY0247 ")) for _ in range(rng.integers(4, 11)))
                cv2.putText(s.canvas, word, (int(p[0] - 90), int(p[1] + 8)), int(rng.integers(0, 8)), rng.uniform(0.5, 1.2), c, int(rng.integers(1, 4)), cv2.LINE_AA)
            else:
                for q in np.linspace(size, 0.15, rng.integers(1, 5)):
                    cv2.circle(s.canvas, (int(p[0]), int(p[1])), int(q * SCALE * 0.6), any_colour(rng), -1 if kind == "disc" else 2, cv2.LINE_AA)
    if rng.random() < 0.15:                                      # rows of small things between or at the points
        y, c, r = rng.uniform(0.1, 0.46) * s.height, any_colour(rng), rng.uniform(0.06, 0.22) * SCALE
        for k in range(12):
            for v in (y, s.height - y):
                x, w = s.at(column_left(s, k) + rng.choice([0.5, 0.5, 1.0]), v)
                cv2.circle(s.canvas, (int(x), int(w)), int(r), c, [-1, 1][rng.integers(2)], cv2.LINE_AA)


def rails(s, before):
    """The frame's parts that lean away from the camera go behind the checkers, those that lean over the surface before them."""
    rng = s.rng
    far = 3.0
    for side in range(4):
        x, y = [(0, 0), (s.width, 0), (s.width, s.height), (0, s.height)][side]
        inward = [s.eye[1] < 0, s.eye[0] > s.width, s.eye[1] > s.height, s.eye[0] < 0][side]
        box = [(-far, -far, s.width + far, 0), (s.width, -far, s.width + far, s.height + far), (-far, s.height, s.width + far, s.height + far), (-far, -far, 0, s.height + far)][side]
        if before:
            s.fill([s.quad(*box)], (s.frame[0], shade(s.frame[1], 0.6), shade(s.frame[2], 0.6)))
        if before != inward:
            s.fill([s.quad(*box, z=s.rail)], s.frame)
    if before:
        return
    if s.bar and s.bar_height >= 0:
        s.fill([s.quad(6, 0, 6 + s.bar, s.height, z=s.bar_height)], s.bar_stuff)
        if s.bar > 0.3 and rng.random() < 0.4:
            line = any_colour(rng) if rng.random() < 0.3 else (20, 20, 20)
            a, b = s.at(6 + s.bar / 2, 0, s.bar_height), s.at(6 + s.bar / 2, s.height, s.bar_height)
            cv2.line(s.canvas, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), line, int(rng.integers(1, 4)))
    if rng.random() < 0.35:                                      # hinges, or pads on the bar
        stuff = material(rng, "plain", rng.choice([(61, 141, 176), (140, 140, 140), (58, 58, 58)])) if rng.random() < 0.7 else material(rng)
        w, h = rng.uniform(0.1, max(0.25, s.bar / 2)), rng.uniform(0.15, 1.2)
        for y in (s.height * rng.uniform(0.1, 0.35),) * 2:
            for v in (y, s.height - y):
                s.fill([s.quad(6 + s.bar / 2 - w, v - h, 6 + s.bar / 2 + w, v + h, s.bar_height)], stuff)


# ---- things lying about ------------------------------------------------------------------------------------------

def block(s, x, y, size, height, turn, c, marks):
    """A die or a cube: a box with marks on its upper face."""
    q = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * size / 2
    low, high = ([s.at(x + u, y + v, z) for u, v in q] for z in (0.02, height))
    cv2.fillConvexPoly(s.canvas, cv2.convexHull(np.int32(low + high)), shade(c, 0.6))
    cv2.fillConvexPoly(s.canvas, np.int32(high), c, cv2.LINE_AA)
    ink = (20, 20, 20) if luminance(c) > 110 else (240, 240, 240)
    for u, v in marks:
        px, py = s.at(x + (u * np.cos(turn) - v * np.sin(turn)) * size, y + (u * np.sin(turn) + v * np.cos(turn)) * size, height)
        cv2.circle(s.canvas, (int(px * 8), int(py * 8)), max(8, int(size * 0.09 * SCALE * 8)), ink, -1, cv2.LINE_AA, 3)


PIPS = [[(0, 0)], [(-1, -1), (1, 1)], [(-1, -1), (0, 0), (1, 1)], [(-1, -1), (1, 1), (1, -1), (-1, 1)], [(-1, -1), (1, 1), (1, -1), (-1, 1), (0, 0)],
        [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)]]


def clutter(s):
    rng = s.rng
    size = rng.uniform(0.26, 0.48)
    c = near(rng, [(232, 241, 244), (24, 22, 22), (40, 35, 190), (160, 80, 30), (60, 150, 60), (60, 185, 230)][rng.integers(6)], 12)
    for _ in range(rng.choice([0, 1, 2, 2, 2, 3, 4])):
        y = s.height * rng.uniform(0.03, 0.97) if rng.random() < 0.4 else s.height * rng.uniform(0.38, 0.62)
        block(s, rng.uniform(0.3, s.width - 0.3), y, size, size, rng.uniform(0, 1.57), c, [(0.26 * u, 0.26 * v) for u, v in PIPS[rng.integers(6)]])
    if rng.random() < 0.4:
        x = 6 + s.bar / 2 if rng.random() < 0.5 else rng.uniform(0, s.width)
        block(s, x, s.height * rng.choice([0.05, 0.5, 0.5, 0.95]), rng.uniform(0.5, 0.8), 0.6, rng.normal(0, 0.2), near(rng, (232, 238, 240), 20), [(rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)) for _ in range(7)])
    if rng.random() < 0.08:                                      # a dice cup
        x, y, r = rng.uniform(0, s.width), s.height * rng.uniform(0.3, 0.7), rng.uniform(0.7, 1.0)
        c = surface_colour(rng)
        for z in np.linspace(0, 2.2, 22):
            px, py = s.at(x, y, z)
            cv2.circle(s.canvas, (int(px), int(py)), int(r * SCALE * s.eye[2] / (s.eye[2] - z)), shade(c, 0.5 + 0.2 * z), -1)
        cv2.circle(s.canvas, (int(px), int(py)), int(r * 0.85 * SCALE * s.eye[2] / (s.eye[2] - 2.2)), shade(c, 0.3), -1)
