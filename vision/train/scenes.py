"""Draws boards of any make in any room, with exact corners, for the networks that find a board.

A scene is a box of walls, trays and a bar over a playing surface at height 0, before a camera: what is high hides and is
displaced as in a photograph. The surface's height is 1, its width `wide`; x goes right, y down the board, z up from it.
"""
import os

import cv2
import numpy as np

import boards
import drawing
import materials


class Drawn:
    """A drawn picture with its truth, in the terms of boards.Board."""

    def __init__(self, image, corners, bar):
        self.image, self.corners, self.bar = image, np.float32(corners), bar


# ---- colours and stuffs ----------------------------------------------------------------------------------------------

def colour(rng):
    """A colour as boards have them: woods and felts more often than any other."""
    k = rng.random()
    if k < 0.4:
        base = np.array([(40, 75, 120), (70, 120, 175), (120, 175, 215), (30, 45, 70), (60, 90, 150), (150, 190, 220)][rng.integers(6)], float)
        return np.clip(base * np.exp(rng.normal(0, 0.25)) + rng.normal(0, 10, 3), 5, 250)
    if k < 0.6:
        return np.clip(np.full(3, rng.uniform(15, 240)) + rng.normal(0, 8, 3), 3, 250)
    h = np.uint8([[[rng.integers(180), rng.integers(60, 255), rng.integers(40, 240)]]])
    return cv2.cvtColor(h, cv2.COLOR_HSV2BGR)[0, 0].astype(float)


def stuff(rng):
    """A grey texture of mean 0: grain, felt, noise or weave."""
    n, kind = 256, rng.integers(5)
    if kind == 0:
        t = np.zeros((n, n), np.float32)
    elif kind <= 2:                                             # wood
        a, b = rng.integers(2, 8), rng.integers(24, 128)
        t = cv2.resize(rng.normal(0, 1, (a, b)).astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)
        t += 0.6 * cv2.resize(rng.normal(0, 1, (a * 3, 200)).astype(np.float32), (n, n), interpolation=cv2.INTER_LINEAR)
    elif kind == 3:
        k = rng.integers(20, 200)
        t = cv2.resize(rng.normal(0, 1, (k, k)).astype(np.float32), (n, n), interpolation=cv2.INTER_LINEAR)
    else:
        x = np.arange(n) * 2 * np.pi / rng.uniform(5, 40)
        t = (np.sin(x)[None] * rng.random() + np.sin(x)[:, None] * rng.random()).astype(np.float32)
        t = np.sign(t) if rng.random() < 0.4 else t
    t = t.T if rng.random() < 0.5 else t
    return np.ascontiguousarray(t * rng.uniform(0.02, 0.16))


def sheet(rng, width, height):
    """A sheet of one colour and stuff."""
    t = stuff(rng)
    k = int(rng.uniform(100, 256))
    t = cv2.resize(t[:k, :k], (width, height))
    return np.clip(colour(rng) * (1 + t[..., None]), 0, 255).astype(np.float32)


class Rooms:
    """What lies behind and round boards: sheets, and photographs without a board, where there are any."""

    def __init__(self, photographs=()):
        self.photographs = list(photographs)

    def background(self, rng, width, height):
        if self.photographs and rng.random() < 0.35:
            im = self.photographs[rng.integers(len(self.photographs))]
            h, w = im.shape[:2]
            k = rng.uniform(0.4, 1)
            x, y = int(rng.uniform(0, w * (1 - k))), int(rng.uniform(0, h * (1 - k)))
            return cv2.resize(im[y:y + int(h * k), x:x + int(w * k)], (width, height), interpolation=cv2.INTER_AREA)
        im = sheet(rng, width, height)
        if rng.random() < 0.3:                                  # a table's edge
            p = np.array([[0, 0], [width, 0], [width, height * rng.uniform(0, 0.5)], [0, height * rng.uniform(0, 0.5)]])
            cv2.fillPoly(im, [np.int32(p)], tuple(colour(rng)))
        return im.astype(np.uint8)


def photographs(folder, keep):
    """The pictures of a truth file's folder that show no board, made small; keep(i) tells which of them."""
    import json
    rows = [json.loads(line) for line in open(os.path.join(folder, "truth.jsonl"))]
    out = []
    for i, r in enumerate(r for r in rows if not r.get("corners")):
        if keep(i):
            im = cv2.imread(os.path.join(folder, r["image"]))
            k = min(1.0, 640 / max(im.shape[:2]))
            out.append(cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA))
    return out


# ---- the playing surface ---------------------------------------------------------------------------------------------

PX = 400                                                        # pixels of the surface's height where it is drawn


class Make:
    """How a board is made: its measures in heights of the surface."""

    def __init__(self, rng):
        self.wide = rng.uniform(0.92, 1.38)
        self.bar = 0.0 if rng.random() < 0.15 else rng.uniform(0.008, 0.15)
        k = rng.random()
        self.wall = 0.0 if k < 0.2 else rng.uniform(0.008, 0.05) if k < 0.6 else rng.uniform(0.05, 0.2)
        self.bar_high = self.wall * (rng.choice([0, 1, 1, 0.6]))
        self.frame = rng.uniform(0.004, 0.11)
        self.frame_y = self.frame if rng.random() < 0.6 else rng.uniform(0.004, 0.11)
        tray = rng.random()
        self.trays = [rng.uniform(0.05, 0.17) if t else 0 for t in ((0, 0), (1, 1), (1, 0), (0, 1))[0 if tray < 0.5 else 1 if tray < 0.8 else 2 if tray < 0.9 else 3]]
        self.divider = rng.uniform(0.008, 0.05)
        border = rng.random()
        self.border = (0, 0) if border < 0.6 else (rng.uniform(0.003, 0.05), rng.uniform(0.003, 0.05)) if border < 0.85 else (0, rng.uniform(0.003, 0.05))
        self.floor = rng.choice([0, 0, 0.5, 1]) * self.wall       # height of the trays' floor


def ornament(im, x, y, size, rng):
    kind = rng.integers(5)
    for k in range(rng.integers(1, 5)):
        c, s = tuple(colour(rng)), size * (1 - 0.22 * k)
        if s < 2:
            return
        if kind == 0:
            cv2.rectangle(im, (int(x - s), int(y - s)), (int(x + s), int(y + s)), c, -1 if rng.random() < 0.6 else 2)
        elif kind == 1:
            cv2.circle(im, (int(x), int(y)), int(s), c, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
        elif kind == 2:
            cv2.fillPoly(im, [np.int32([[x - s, y], [x, y - s * 1.2], [x + s, y], [x, y + s * 1.2]])], c, cv2.LINE_AA)
        elif kind == 3:
            a = np.arange(16) * np.pi / 8
            r = np.where(np.arange(16) % 2, 0.4, 1) * s
            cv2.fillPoly(im, [np.int32(np.stack([x + r * np.cos(a), y + r * np.sin(a)], 1))], c, cv2.LINE_AA)
        else:
            cv2.ellipse(im, (int(x), int(y)), (int(s), int(s * 0.45)), 0, 0, 360, c, -1 if k % 2 else 2, cv2.LINE_AA)


def field(make, rng, w, h):
    """A surface as drawn boards have them, of many shapes of points and ornaments; now and then its points begin some way from
    its edges."""
    s, unit = drawing.Scene(rng), (make.wide - make.bar) / 12
    s.bar, s.height = make.bar / unit, 1 / unit
    s.width = 12 + s.bar
    s.rail, s.bar_height, s.eye = 0.0, 0.0, np.array([s.width / 2, s.height / 2, 1e6])
    s.gap = rng.uniform(0, 0.6) if rng.random() < 0.3 else 0.0
    rim = drawing.AROUND * drawing.SCALE
    s.canvas = np.zeros((int(s.height * drawing.SCALE + 2 * rim), int(s.width * drawing.SCALE + 2 * rim), 3), np.uint8)
    drawing.paint_board(s)
    m = np.float32([[w / (s.width * drawing.SCALE), 0, 0], [0, h / (s.height * drawing.SCALE), 0]])
    m[:, 2] = -rim * m[[0, 1], [0, 1]]
    return cv2.warpAffine(cv2.blur(s.canvas, (2, 2)), m, (w, h)).astype(np.float32)


def surface(make, rng):
    """The playing surface with its border, seen from above; and the border in pixels."""
    bx, by = int(make.border[0] * PX), int(make.border[1] * PX)
    w, h = int(make.wide * PX), PX
    im = sheet(rng, w + 2 * bx, h + 2 * by)
    rich = rng.random() < 0.6
    if bx + by:                                                 # the field within the border
        if rich or rng.random() < 0.5:
            im[by:by + h, bx:bx + w] = im[by:by + h, bx:bx + w] * 0.2 + 0.8 * sheet(rng, w, h)
        cv2.rectangle(im, (bx, by), (bx + w, by + h), tuple(colour(rng)), rng.integers(1, 4))
    if rich:
        im[by:by + h, bx:bx + w] = field(make, rng, w, h)
        return im, bx, by
    if rng.random() < 0.25:
        for half in (0, 1):
            x = bx + w * (0.25 + 0.5 * half)
            ornament(im, x, by + h / 2, rng.uniform(0.05, 0.13) * h, rng)
    if rng.random() < 0.12:
        y, t = by + h // 2, int(rng.uniform(0.005, 0.07) * h)
        cv2.rectangle(im, (bx, y - t), (bx + w, y + t), tuple(colour(rng)), -1 if rng.random() < 0.5 else 2)
    one, two = colour(rng), colour(rng)
    if rng.random() < 0.15:
        two = one * rng.uniform(0.8, 1.2)
    long, part = rng.uniform(0.3, 0.47) * h, rng.uniform(0.65, 1.0)
    tip, outline, tall = rng.integers(5), rng.random() < 0.15, rng.random() < 0.12
    line = tuple(colour(rng)) if rng.random() < 0.3 else None
    inset = rng.uniform(0.3, 0.7) if rng.random() < 0.12 else 0
    inner = (make.wide - make.bar) / 2 * PX / 6
    grain = stuff(rng)
    layer, mask = np.zeros_like(im), np.zeros(im.shape[:2], np.uint8)
    swap = rng.integers(2)
    for row in (0, 1):
        for i in range(12):
            x0 = bx + (i * inner if i < 6 else w - (12 - i) * inner)
            c = (one, two)[(i + (row if swap else 0)) % 2]
            base, top = (by, by + long) if row == 0 else (by + h, by + h - long)
            x1, xm = x0 + inner * (0.5 - part / 2), x0 + inner / 2
            x2 = x0 + inner * (0.5 + part / 2)
            p = np.array([[x1, base], [x2, base], [xm, top]])
            if tall:                                            # blunt points
                q = inner * 0.12
                p = np.array([[x1, base], [x2, base], [xm + q, top], [xm - q, top]])
            p = np.int32(p * 16)
            if outline:
                cv2.polylines(layer, [p], True, tuple(c), 3, cv2.LINE_AA, 4)
                cv2.polylines(mask, [p], True, 255, 3, cv2.LINE_AA, 4)
            else:
                cv2.fillPoly(layer, [p], tuple(c), cv2.LINE_8, 4)
                cv2.fillPoly(mask, [p], 255, cv2.LINE_AA, 4)
                if line:
                    cv2.polylines(layer, [p], True, line, 1, cv2.LINE_AA, 4)
                if inset:
                    cv2.fillPoly(layer, [np.int32(((p - p[:2].mean(0)) * inset + p[:2].mean(0)))], tuple((one, two)[(i + row + 1) % 2]), cv2.LINE_AA, 4)
            if tip == 0:
                r = max(2, int(inner * 0.16))
                cv2.circle(layer, (int(xm), int(top)), r, tuple(c), -1, cv2.LINE_AA)
                cv2.circle(mask, (int(xm), int(top)), r, 255, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        g = cv2.resize(grain, (im.shape[1], im.shape[0]))
        layer = layer * (1 + g[..., None])
    m = (mask * rng.uniform(0.6, 1)).astype(np.float32)[..., None] / 255
    im = im * (1 - m) + layer * m
    if rng.random() < 0.12:                                     # mosaic strips at the bases
        t, s = int(rng.uniform(3, 10)), int(rng.uniform(4, 14))
        for y in (by, by + h - t):
            for k, x in enumerate(range(bx, bx + w, s)):
                cv2.rectangle(im, (x, y), (x + s // 2, y + t), tuple((one, two)[k % 2]), -1)
    return im, bx, by


def shade(im, rng):
    """What the walls' shadows do to the surface."""
    h, w = im.shape[:2]
    for _ in range(rng.integers(0, 3)):
        d = int(rng.uniform(4, 50))
        ramp = np.ones(d, np.float32) * rng.uniform(0.4, 0.85)
        if rng.random() < 0.5:
            ramp = np.linspace(rng.uniform(0.4, 0.8), 1, d, dtype=np.float32)
        k = rng.integers(4)
        if k == 0:
            im[:d] *= ramp[:, None, None]
        elif k == 1:
            im[-d:] *= ramp[::-1, None, None]
        elif k == 2:
            im[:, :d] *= ramp[None, :, None]
        else:
            im[:, -d:] *= ramp[None, ::-1, None]
    return im


# ---- the camera and the scene ----------------------------------------------------------------------------------------

class Camera:
    """A pinhole camera that looks at a board; places go to pixels by `of`."""

    def __init__(self, make, rng, span):
        self.size = [(480, 270), (480, 360), (400, 400), (300, 480), (560, 315), (480, 320)][rng.integers(6)]
        steep = rng.uniform(72, 90) if rng.random() < 0.55 else rng.uniform(40, 75)
        yaw = rng.normal(0, 5) + (90 * rng.integers(1, 4) if rng.random() < 0.3 else 0)
        far = np.exp(rng.uniform(np.log(1.1), np.log(5)))
        e, a = np.radians(steep), np.radians(yaw)
        z = np.array([np.sin(a) * np.cos(e), np.cos(a) * np.cos(e), np.sin(e)])     # towards the camera
        up = np.array([np.sin(a), np.cos(a), 0]) * -1
        right = np.cross(z, np.array([up[0], up[1], 0]))
        x = right / np.linalg.norm(right)
        if x @ np.array([np.cos(a), -np.sin(a), 0]) < 0:
            x = -x
        y = np.cross(z, x)
        if y @ up > 0:                                          # y goes down the picture
            y = -y
        r = np.radians(rng.normal(0, 3))
        x, y = x * np.cos(r) + y * np.sin(r), y * np.cos(r) - x * np.sin(r)
        self.turn = np.stack([x, y, -z])
        target = np.array([make.wide / 2 + rng.normal(0, 0.1), 0.5 + rng.normal(0, 0.1), 0])
        self.eye = target + z * far
        self.f, self.c = 1.0, np.zeros(2)
        q = self.of(np.array([[0, 0, 0], [make.wide, 0, 0], [make.wide, 1, 0], [0, 1, 0]], float))
        lo, hi = q.min(0), q.max(0)
        room = np.array(self.size)
        share = rng.uniform(*span)
        self.f = share * (room / (hi - lo)).min()
        q = q * self.f
        free = room - (q.max(0) - q.min(0))
        at = free * (0.5 + np.clip(rng.normal(0, 0.2, 2), -0.45, 0.45))
        at = np.where(free < 0, free / 2 + rng.normal(0, 0.05, 2) * np.abs(free), at)
        self.c = at - q.min(0)

    def of(self, places):
        p = (places - self.eye) @ self.turn.T
        return p[:, :2] / np.maximum(p[:, 2:], 1e-3) * self.f + self.c


def box(x0, y0, x1, y1, z):
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], float)


def fill(im, q, c):
    cv2.fillPoly(im, [np.int32(np.clip(q, -4000, 4000) * 16)], tuple(float(v) for v in c), cv2.LINE_AA, 4)


def lay(im, texture, q):
    """Lays a texture over the quadrilateral q of the picture."""
    h, w = texture.shape[:2]
    x0, y0 = np.maximum(0, np.floor(q.min(0))).astype(int)
    x1, y1 = np.minimum((im.shape[1], im.shape[0]), np.ceil(q.max(0)) + 1).astype(int)
    if x1 <= x0 or y1 <= y0:
        return
    q = q - (x0, y0)
    m = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), np.float32(q))
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    fill(mask, q, (255,))
    t = cv2.warpPerspective(texture, m, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    part = im[y0:y1, x0:x1]
    part += (t - part) * (mask[..., None].astype(np.float32) / 255)


def walls(im, camera, x0, y0, x1, y1, low, high, c, rng):
    """The inner walls of a pit: of grain, darker towards the foot or the top, now and then with a band along them."""
    a, b = camera.of(box(x0, y0, x1, y1, low)), camera.of(box(x0, y0, x1, y1, high))
    plain, grain, band = rng.random() < 0.3, stuff(rng)[:32], rng.random() < 0.25
    top, foot = rng.uniform(0.6, 1.1, 2)
    for i in range(4):
        j, f = (i + 1) % 4, rng.uniform(0.6, 1.1)
        if plain:
            fill(im, np.array([a[i], a[j], b[j], b[i]]), np.clip(c * f, 0, 255))
            continue
        t = c * f * (1 + grain[..., None]) * np.linspace(top, foot, 32)[:, None, None]
        if band:
            y = int(rng.uniform(0, 24))
            t[y:y + int(rng.uniform(2, 8))] = colour(rng) if rng.random() < 0.5 else materials.sheet(rng, materials.material(rng, "mosaic"), 256, 1)
        lay(im, np.clip(t, 0, 255).astype(np.float32), np.array([b[i], b[j], a[j], a[i]]))


def checkers(im, camera, make, rng):
    """Checkers on the points, as they come in games, and some that lie anywhere."""
    inner = (make.wide - make.bar) / 12
    r = min(inner / 2, 0.062) * rng.uniform(0.78, 1.0)
    thick = r * rng.uniform(0.1, 0.9)
    colours = [colour(rng), colour(rng)]
    ring = rng.random() < 0.5
    places = []
    for side in (0, 1):
        left = rng.integers(8, 16)
        while left > 0:
            n = min(left, 1 + int(rng.exponential(2)))
            left -= n
            i, row = rng.integers(12), rng.integers(2)
            x = (i + 0.5) * inner + (make.bar if i >= 6 else 0)
            for k in range(n):
                d = r * 1.02 + (k % 5) * r * 2.03
                places.append((x + rng.normal(0, r * 0.08), (d if row == 0 else 1 - d) + rng.normal(0, r * 0.05), (k // 5) * thick, side))
    if rng.random() < 0.3:
        places.append((make.wide / 2, rng.uniform(0.3, 0.7), make.bar_high, rng.integers(2)))
    places.sort(key=lambda p: (p[2], -np.linalg.norm(camera.eye - np.array([p[0], p[1], 0]))))
    a = np.arange(18) * 2 * np.pi / 18
    circle = np.stack([np.cos(a), np.sin(a), 0 * a], 1)
    for x, y, z, side in places:
        at = np.array([x, y, z])
        low, high = camera.of(at + circle * r), camera.of(at + [0, 0, thick] + circle * r)
        c = colours[side] * rng.uniform(0.92, 1.06)
        fill(im, cv2.convexHull(np.float32(np.concatenate([low, high])))[:, 0], np.clip(c * 0.6, 0, 255))
        fill(im, high, np.clip(c, 0, 255))
        if ring:
            fill(im, camera.of(at + [0, 0, thick] + circle * r * 0.7), np.clip(c * 0.85, 0, 255))
            fill(im, camera.of(at + [0, 0, thick] + circle * r * 0.6), np.clip(c, 0, 255))


def things(im, rng, n):
    """Books, cups, telephones, sheets of paper and captions, somewhere in the picture."""
    h, w = im.shape[:2]
    for _ in range(n):
        x, y, s, kind = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0.03, 0.2) * h, rng.integers(4)
        c = colour(rng)
        if kind == 0:
            cv2.circle(im, (int(x), int(y)), int(s / 2), tuple(c), -1, cv2.LINE_AA)
            cv2.circle(im, (int(x), int(y)), int(s / 2.6), tuple(c * 0.5), -1, cv2.LINE_AA)
        elif kind <= 2:
            a = rng.uniform(0, np.pi)
            u, v = np.array([np.cos(a), np.sin(a)]) * s, np.array([-np.sin(a), np.cos(a)]) * s * rng.uniform(0.4, 1.3)
            fill(im, np.array([[x, y] - u - v, [x, y] + u - v, [x, y] + u + v, [x, y] - u + v]), c)
        else:
            cv2.putText(im, "".join(chr(rng.integers(48, 91)) for _ in range(rng.integers(2, 9))), (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, s / 40, tuple(c), 1, cv2.LINE_AA)


def draw(rng, rooms, span=(0.45, 1.15)):
    """A board in a room."""
    make = Make(rng)
    camera = Camera(make, rng, span)
    w, h = camera.size
    im = rooms.background(rng, w, h).astype(np.float32)
    things(im, rng, rng.integers(0, 6))
    bx, by = make.border
    left, right = make.trays
    x0, x1 = -bx - (left + make.divider if left else 0), make.wide + bx + (right + make.divider if right else 0)
    y0, y1 = -by, 1 + by
    fx, fy, high = make.frame, make.frame_y, make.wall
    deep = rng.uniform(0, 0.08)
    outer = camera.of(box(x0 - fx, y0 - fy, x1 + fx, y1 + fy, high))
    foot = camera.of(box(x0 - fx, y0 - fy, x1 + fx, y1 + fy, -deep))
    shadow = np.zeros((h, w), np.uint8)
    fill(shadow, cv2.convexHull(np.float32(np.concatenate([foot + rng.normal(0, 6, 2), outer])))[:, 0], (255,))
    im *= 1 - rng.uniform(0.1, 0.6) * cv2.blur(shadow, (int(rng.uniform(3, 25)),) * 2)[..., None].astype(np.float32) / 255
    wood, inside = colour(rng), colour(rng)
    fill(im, cv2.convexHull(np.float32(np.concatenate([foot, outer])))[:, 0], wood * 0.6)
    lay(im, sheet(rng, 256, 256) if rng.random() < 0.3 else np.clip(wood * (1 + stuff(rng)[..., None]), 0, 255).astype(np.float32), outer)
    floor, px, py = surface(make, rng)
    like = np.median(floor[py + PX * 9 // 20:py + PX * 11 // 20, px:-px or None].reshape(-1, 3)[::7], 0)
    if make.wall > 0 or rng.random() < 0.3:
        floor = shade(floor, rng)
    lay(im, floor, camera.of(box(-bx, -by, make.wide + bx, 1 + by, 0)))
    wall = (wood, inside, like)[rng.integers(3)]               # often of the wood that the surface is of
    pits = []
    if left:
        pits.append((x0, x0 + left))
    if right:
        pits.append((x1 - right, x1))
    for a, b in pits:
        ends = [(y0, y1)] if rng.random() < 0.4 else [(y0, y0 + rng.uniform(0.3, 0.47)), (y1 - rng.uniform(0.3, 0.47), y1)]
        for s, t in ends:
            fill(im, camera.of(box(a, s, b, t, make.floor)), np.clip(inside * rng.uniform(0.6, 1.1), 0, 255))
            walls(im, camera, a, s, b, t, make.floor, high, wall, rng)
            if rng.random() < 0.4:
                for _ in range(rng.integers(1, 8)):
                    p = camera.of(np.array([[rng.uniform(a, b), rng.uniform(s, t), make.floor]]))[0]
                    cv2.circle(im, tuple(int(v) for v in p), max(2, int((b - a) * camera.f / 8)), tuple(colour(rng)), -1, cv2.LINE_AA)
    if high > 0:
        walls(im, camera, -bx, -by, make.wide + bx, 1 + by, 0, high, wall, rng)
    before = im.copy()
    if rng.random() < 0.93:
        checkers(im, camera, make, rng)
    bar0, bar1 = (make.wide - make.bar) / 2, (make.wide + make.bar) / 2
    if make.bar > 0 and rng.random() < 0.85:
        c = wood if rng.random() < 0.5 else colour(rng)
        z = make.bar_high
        if z > 0:
            a, b = camera.of(box(bar0, -by, bar1, 1 + by, 0)), camera.of(box(bar0, -by, bar1, 1 + by, z))
            fill(im, cv2.convexHull(np.float32(np.concatenate([a, b])))[:, 0], c * 0.6)
        texture = np.clip(c * (1 + stuff(rng)[..., None]), 0, 255).astype(np.float32)
        if rng.random() < 0.4:                                  # the gap of a folding board
            cv2.line(texture, (128, 0), (128, 255), tuple(c * 0.4), rng.integers(2, 30))
        lay(im, texture, camera.of(box(bar0, -by, bar1, 1 + by, z)))
        if rng.random() < 0.3:                                  # hinges
            for y in (rng.uniform(0.1, 0.3), rng.uniform(0.7, 0.9)):
                fill(im, camera.of(box(bar0, y - 0.04, bar1, y + 0.04, z)), colour(rng))
    elif make.bar == 0 and rng.random() < 0.7:
        a, b = camera.of(np.array([[make.wide / 2, -by, 0], [make.wide / 2, 1 + by, 0]]))
        cv2.line(im, tuple(int(v) for v in a), tuple(int(v) for v in b), tuple(colour(rng)), rng.integers(1, 3), cv2.LINE_AA)
    if high > 0:                                                # the walls' tops hide what lies behind them
        hole = np.zeros((h, w), np.uint8)
        fill(hole, outer, (255,))
        for a, s, b, t in [(-bx, -by, make.wide + bx, 1 + by)] + [(a, y0, b, y1) for a, b in pits]:
            fill(hole, camera.of(box(a, s, b, t, high)), (0,))
        k = hole[..., None].astype(np.float32) / 255
        top = np.clip((like if wall is like and rng.random() < 0.6 else wood) * (1 + cv2.resize(stuff(rng), (w, h))[..., None]), 0, 255)
        if rng.random() < 0.12:
            top = materials.sheet(rng, materials.material(rng, "mosaic"), w, h)
        im += (top - im) * k
        if rng.random() < 0.3:
            cv2.polylines(im, [np.int32(camera.of(box(-bx, -by, make.wide + bx, 1 + by, high)) * 16)], True, tuple(wood * rng.uniform(0.4, 1.5)), 1, cv2.LINE_AA, 4)
    if rng.random() < 0.15:
        things(im, rng, 1)
    for _ in range(rng.integers(0, 3)):                         # dice
        p = camera.of(np.array([[rng.uniform(0, make.wide), rng.uniform(0.3, 0.7), 0]]))[0]
        s = 0.02 * np.linalg.norm(np.diff(outer[:2], axis=0))
        fill(im, p + np.array([[-s, -s], [s, -s], [s, s], [-s, s]]) / 1.5, colour(rng))
    im = np.clip(im, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        im, _ = boards.paint_arm(im, rng)
    return Drawn(im, camera.of(box(0, 0, make.wide, 1, 0)), [bar0 / make.wide, bar1 / make.wide])
