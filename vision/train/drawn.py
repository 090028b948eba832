"""Draws boards with exact truth, a few milliseconds each, no two alike: more boards than any renderer can make. See
README.md; materials.py has the looks, drawing.py the board, this file positions, checkers and the picture taken of them.
"""
import cv2
import numpy as np

import boards
from drawing import SCALE, Scene, clutter, column_left, paint_board, rails
from materials import FACE, RADIUS, checker_colours, checker_look, faces, polar, shade


def position(rng, known):
    """Rows of 12 signed counts, and the bar's: one of a game, or one nobody would play."""
    if rng.random() < 0.5:
        rows, bar = known[rng.integers(len(known))]
        rows, bar = rows.copy(), list(bar)
        if rng.random() < 0.5:
            rows, bar = -rows, bar[::-1]
        rows = rows[:, ::rng.choice([-1, 1])][::rng.choice([-1, 1])]
        return rows.copy(), bar
    rows, bar = np.zeros(24, int), [0, 0]
    spots = list(rng.permutation(24))
    for side in (1, -1):
        left = 15 if rng.random() < 0.7 else int(rng.integers(1, 15))
        bar[side < 0] = min(left, int(rng.choice([0, 0, 0, 0, 1, 1, 2, 3])))
        left -= bar[side < 0]
        while left > 0 and spots:
            n = min(left, int(rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15], p=[0.16, 0.17, 0.12, 0.1, 0.14, 0.13, 0.07, 0.04, 0.025, 0.02, 0.015, 0.01])))
            rows[spots.pop()] = side * n
            left -= n
    return rows.reshape(2, 12), bar


def place(s, rows, bar):
    """Checkers as dicts: x, y, z, side (1 light, -1 dark), layer, where, row, column; and which points are mixed."""
    rng, d = s.rng, s.d
    mixed = np.zeros((2, 12), int)
    jitter = rng.choice([0.01, 0.04, 0.08, 0.16]) * rng.uniform(0.5, 1.2)
    inset = rng.choice([0, rng.uniform(0, 0.12), rng.uniform(0, 0.4)]) * d - s.over
    room = (s.height / 2 - inset) / (5 * d)
    pitch = d * rng.uniform(1.0, max(1.001, min(1.12, room))) if rng.random() < 0.7 else d * 1.003
    long_rows, half, seam = rng.random() < 0.25, rng.choice([0, 0.5]), rng.choice([0.05, 0.12, 0.12, 0.3])
    out = []
    for row in range(2):
        for k in range(12):
            n = abs(rows[row, k])
            if n == 0:
                continue
            cap = 5
            if long_rows:
                cap = int(np.clip((s.height - inset - min(5, abs(rows[1 - row, k])) * d) / pitch, 5, 8))
            sides = [np.sign(rows[row, k])] * n
            if rng.random() < 0.05:
                mixed[row, k] = 1
                sides += [-sides[0]] * int(rng.choice([1, 1, 1, 2]))
                if rng.random() < 0.3:
                    sides = sides[::-1]
            flush = rng.random() < 0.1                            # a stack that does not begin at the edge
            start = rng.uniform(0, 0.5) * d if flush and n < 4 else 0
            for j, side in enumerate(sides):
                layer, q = j // cap, j % cap
                y = d / 2 + inset + start + q * pitch + (half * d if layer == 1 else 0) + rng.normal(0, jitter * 0.35 * d)
                x = column_left(s, k) + 0.5 + rng.normal(0, jitter * 0.5 * d) + (rng.uniform(-seam, seam) * d if layer else 0)
                if layer and rng.random() < 0.1:
                    y = d / 2 + inset + rng.uniform(0, min(len(sides), cap) - 1) * pitch
                y = max(y, d / 2 - s.over)
                out.append(dict(x=x, y=y if row == 0 else s.height - y, z=layer * s.thick, side=int(side), layer=layer, where="point", row=row, k=k))
    relax(s, out)
    for index, side in enumerate((1, -1)):
        way, stack = rng.choice([-1, 1]), rng.random() < 0.2
        y = s.height / 2 + way * rng.uniform(0.05, 0.35) * s.height
        for j in range(bar[index]):
            out.append(dict(x=6 + s.bar / 2 + rng.normal(0, 0.05) + rng.normal(0, 0.12) * max(0, s.bar - d), y=y, z=s.bar_height + (s.thick * j if stack else 0), side=side, layer=j if stack else 0,
                            where="bar", row=0, k=-1))
            if not stack:
                y += way * d * rng.uniform(1.0, 1.15)
                if not 0.6 < y < s.height - 0.6:
                    way, y = -way, s.height / 2
    for c in out:
        if c["where"] == "bar":
            c["y"] = float(np.clip(c["y"] + rng.normal(0, 0.05), d / 2, s.height - d / 2))
            under = [o["z"] for o in out if o["where"] == "point" and abs(o["x"] - c["x"]) < d * 0.95 and np.hypot(o["x"] - c["x"], o["y"] - c["y"]) < d * 0.97]
            if under:
                c["z"], c["layer"] = max(under) + s.thick, max(c["layer"], 1)
    return out, mixed


def relax(s, cs):
    """Pushes the checkers of the lowest layer apart where they overlap, and into the board."""
    low = [c for c in cs if c["layer"] == 0]
    if not low:
        return
    p = np.array([(c["x"], c["y"]) for c in low])
    k = np.array([c["k"] for c in low])
    d, walled = s.d, s.bar > 0 and s.bar_height > 0.02
    x0 = np.where((k >= 6) & walled, 6 + s.bar, 0) + d / 2
    x1 = np.where((k < 6) & walled, 6, s.width) - d / 2
    for _ in range(12):
        delta = p[:, None] - p[None]
        dist = np.hypot(delta[..., 0], delta[..., 1]) + np.eye(len(p)) * 9
        lack = np.clip(d * 1.003 - dist, 0, None)
        if lack.max() < 0.01:
            break
        p += (delta / np.maximum(dist, 1e-3)[..., None] * (lack / 2)[..., None]).sum(1)
        p[:, 0] = np.clip(p[:, 0], x0, x1)
        p[:, 1] = np.clip(p[:, 1], d / 2 - s.over, s.height - d / 2 + s.over)
    for c, (x, y) in zip(low, p):
        c["x"], c["y"] = x, y


def draw_checkers(s, cs, sides, clear):
    """Layer by layer, those farther from the camera first."""
    rng = s.rng
    for layer in range(max((c["layer"] for c in cs), default=-1) + 1):
        mine = [c for c in cs if c["layer"] == layer]
        mine.sort(key=lambda c: -np.hypot(c["x"] - s.eye[0], c["y"] - s.eye[1]))
        mask = np.zeros(s.canvas.shape[:2], np.uint8)
        for c in mine:
            x, y = s.at(c["x"], c["y"], c["z"])
            dx, dy = s.cast * s.thick * SCALE
            cv2.line(mask, (int(x), int(y)), (int(x + dx), int(y + dy)), 255, max(3, int(s.d * SCALE * 1.04)))
        s.canvas = boards.darken(s.canvas, cv2.blur(mask, (s.softness, s.softness)), s.darkness)
        for c in mine:
            draw_checker(s, c, sides[0 if c["side"] > 0 else 1], clear)


def draw_checker(s, c, side, clear):
    rng = s.rng
    z0, z1 = c["z"], c["z"] + s.thick
    (ax, ay), (bx, by) = s.at(c["x"], c["y"], z0), s.at(c["x"], c["y"], z1)
    r0, r1 = (s.d / 2 * SCALE * s.eye[2] / (s.eye[2] - z) for z in (z0, z1))
    steps = int(np.ceil(np.hypot(bx - ax, by - ay)))
    wall = side["wall"]
    for j in range(steps):
        t = j / max(1, steps)
        f = side["wall_shade"] * (0.75 + 0.35 * t) * (side["stripe"] if 0.35 < t < 0.65 else 1)
        cv2.circle(s.canvas, (int((ax + (bx - ax) * t) * 16), int((ay + (by - ay) * t) * 16)), int((r0 + (r1 - r0) * t) * 16), shade(wall, f), -1, cv2.LINE_AA, 4)
    x0, y0, n = int(bx - r1) - 2, int(by - r1) - 2, int(2 * r1) + 6
    if x0 < 0 or y0 < 0 or x0 + n > s.canvas.shape[1] or y0 + n > s.canvas.shape[0]:
        return
    f = RADIUS / r1
    m = np.float32([[f, 0, (FACE - 1) / 2 - (bx - x0) * f], [0, f, (FACE - 1) / 2 - (by - y0) * f]])
    face = cv2.warpAffine(side["faces"][rng.integers(3)], m, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    x, y, reach, strength = s.sheen
    if strength:
        face += strength * np.exp(-((c["x"] - x) ** 2 + (c["y"] - y) ** 2) / reach ** 2) * (235 - face)
    alpha = cv2.warpAffine(polar()[2] * clear, m, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)[..., None]
    part = s.canvas[y0:y0 + n, x0:x0 + n]
    part[:] = (part * (1 - alpha) + face * alpha).astype(np.uint8)


def aside(s, sides, clear):
    """Checkers beside the surface: in trays, on the rail, some on their edge."""
    rng = s.rng
    if rng.random() > 0.35:
        return
    x = rng.choice([-1, 1]) * rng.uniform(0.62, 1.0) + rng.choice([0, s.width])
    y, flat = rng.uniform(0.5, s.height * 0.6), rng.random() < 0.5
    side = int(rng.integers(2))
    for _ in range(rng.integers(1, 12)):
        if flat:
            draw_checker(s, dict(x=x, y=y, z=s.rail * rng.choice([0, 1])), sides[side], clear)
            y += s.d * 1.05
        else:
            s.fill([s.quad(x - s.d / 2, y, x + s.d / 2, y + s.thick * 0.95, z=s.d / 2)], shade(sides[side]["wall"], rng.uniform(0.8, 1.1)))
            y += s.thick
        if y > s.height - 1:
            return


class Drawn(boards.Board):
    """A drawn board, in the shape of a picture with truth."""

    def __init__(self, rng, known):
        s = Scene(rng)
        rows, bar = position(rng, known)
        paint_board(s)
        light, dark = checker_colours(rng)
        look = checker_look(rng)
        looks = [look, look if rng.random() < 0.85 else checker_look(rng)]
        stripe = rng.choice([1, 1, 1.3, 0.7])
        sides = [dict(faces=faces(rng, c, o, k, s.light), wall=c, wall_shade=rng.uniform(0.5, 1.05), stripe=stripe) for c, o, k in ((light, dark, looks[0]), (dark, light, looks[1]))]
        clear = rng.uniform(0.6, 0.95) if rng.random() < 0.06 else 1.0
        cs, self.mixed_at = place(s, rows, bar)
        loose = rng.random() < 0.5
        if loose:
            clutter(s)
        draw_checkers(s, [c for c in cs if c["where"] == "point"], sides, clear)
        rails(s, before=False)
        draw_checkers(s, [c for c in cs if c["where"] == "bar"], sides, clear)
        aside(s, sides, clear)
        if not loose:
            clutter(s)
        self.name, self.row, self.occluded = "drawn", {}, False
        self.counts, self.bar_counts = rows, tuple(bar)
        self.bar = (6 / s.width, (6 + s.bar) / s.width)
        self.checkers = [dict(color="light" if c["side"] > 0 else "dark", center=s.at(c["x"], c["y"], c["z"] + s.thick), layer=c["layer"], where=c["where"],
                              vis=seen(c, cs, s.d)) for c in cs]
        self.image = s.canvas
        self.corners = np.float32([s.at(0, 0), s.at(s.width, 0), s.at(s.width, s.height), s.at(0, s.height)])
        if rng.random() < 0.55:
            self.photograph(s)

    def photograph(self, s):
        """The canvas as the camera sees it, often coarse: the far side has fewer pixels than the near one."""
        rng = s.rng
        forward = np.array([s.width / 2, s.height / 2, 0]) - s.eye
        forward /= np.linalg.norm(forward)
        roll = np.radians(rng.normal(0, 3))
        down = np.array([np.sin(roll), np.cos(roll), 0])
        down -= down @ forward * forward
        down /= np.linalg.norm(down)
        right = np.array([1.0, 0, 0])
        right -= right @ forward * forward
        right -= right @ down * down
        right /= np.linalg.norm(right)
        p = np.array([(0, 0, 0), (s.width, 0, 0), (s.width, s.height, 0), (0, s.height, 0)], float) - s.eye
        q = np.stack([p @ right, p @ down], 1) / (p @ forward)[:, None]
        size = np.exp(rng.uniform(np.log(230), np.log(800)))
        q = (q - q.min(0)) * size / np.ptp(q[:, 0])
        q = q - q.min(0) + 0.06 * size
        w, h = (int(v) for v in q.max(0) + 0.06 * size)
        m = cv2.getPerspectiveTransform(self.corners, np.float32(q))
        im = self.image
        if size < 450:                                          # against aliasing
            im = cv2.blur(im, (2, 2)) if size > 300 else cv2.blur(im, (3, 3))
        self.image = cv2.warpPerspective(im, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if rng.random() < 0.4:
            self.image = boards.add_noise(self.image, rng.uniform(1, 7), rng)
        if rng.random() < 0.5:
            self.image = cv2.imdecode(cv2.imencode(".jpg", self.image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(25, 92))])[1], 1)
        centres = cv2.perspectiveTransform(np.float32([c["center"] for c in self.checkers]).reshape(1, -1, 2), m)[0] if self.checkers else []
        for c, at in zip(self.checkers, centres):
            c["center"] = (float(at[0]), float(at[1]))
        self.corners = np.float32(q)


def seen(c, cs, d):
    over = [np.hypot(o["x"] - c["x"], o["y"] - c["y"]) for o in cs if o["z"] > c["z"] + 1e-6 and abs(o["x"] - c["x"]) < d]
    nearest = min(over, default=9)
    return 0.2 if nearest < 0.4 * d else 0.6 if nearest < 0.85 * d else 1.0


def known_positions(items):
    return [(b.counts.copy(), b.bar_counts) for b in items]


class Pool:
    """Drawn boards, each seen a few times, in another light: drawing costs more than varying."""

    def __init__(self, items, size=400, fresh=0.22):
        self.known, self.size, self.fresh, self.boards = known_positions(items), size, fresh, []

    def take(self, rng):
        if len(self.boards) < self.size or rng.random() < self.fresh:
            board = Drawn(rng, self.known)
            if len(self.boards) < self.size:
                self.boards.append(board)
            else:
                self.boards[rng.integers(self.size)] = board
            return board
        return self.boards[rng.integers(self.size)]
