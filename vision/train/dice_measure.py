"""Measures dice whose truth tells no edge, with a trained reader, so that they can be trained on.

    dice_measure.py DATA SET READER.pt OUT.jsonl

writes SET's truth with size_px and the die's middle as the reader sees them, starting from the truth's place and value.
Dice it does not recognise are marked as out of the frame, which leaves them out of training.
"""

import json
import math
import sys

import numpy as np
import torch

import dice_data as D
import dice_read as R


def look(net, o):
    x, r = R.crop(o, None, 1.0, np.zeros(2), 0, False, 0.0)
    view = np.zeros(3, np.float32)
    if o.view is not None:
        view[:] = *(r @ o.view / math.hypot(*r[0])), 1
    x = torch.from_numpy(D.even(x, x).astype(np.float32)).permute(2, 0, 1)[None]
    with torch.no_grad():
        y = net(x, torch.from_numpy(view)[None])[0]
    return y, r


def measure(net, o):
    """Moves o to where the die seems to be and gives it its size; returns how sure it is of it."""
    start, size, best = o.p, o.size, None
    for k in (0.6, 0.8, 1.0, 1.25, 1.6, 2.1, 3.0):
        o.p, o.size = start, size * k
        for _ in range(3):
            y, r = look(net, o)
            o.p = o.p + np.linalg.solve(r, 4 * y[R.SHIFT[0] : R.SHIFT[1]].numpy().astype(float))
            if o.kind == 1:
                o.size *= math.exp(y[R.SIZE].item())
        sure = torch.softmax(y[:3], 0)[o.kind].item()
        span = R.VALUE if o.kind == 1 else R.NUMERAL
        if o.value > 0:
            sure *= 0.1 + 0.9 * torch.softmax(y[span[0] : span[1]], 0)[o.value].item()
        if np.hypot(*(o.p - start)) < 0.9 * o.size and (best is None or sure > best[0]):
            best = sure, o.p, o.size
    return best


def main():
    data, name, state, out = sys.argv[1:]
    torch.set_num_threads(1)
    net = R.Reader()
    net.load_state_dict(torch.load(state))
    net.eval()
    n = lost = 0
    with open(out, "w") as f:
        for im, t in D.load(f"{data}/{name}", "truth.jsonl"):
            for d in t["dice"]:
                if d["center"] is None or d.get("size_px"):
                    continue
                o = D.things([(im, dict(t, dice=[d], cube=None))])[0]
                best = measure(net, o)
                n += 1
                if best is None or best[0] < 0.1:
                    d["in_frame"], lost = False, lost + 1
                    continue
                d["center"], d["size_px"] = list(map(float, best[1])), float(best[2])
            f.write(json.dumps(t) + "\n")
    print(name, n, "dice,", lost, "not recognised")


if __name__ == "__main__":
    main()
