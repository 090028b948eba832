"""Makes the far layers of a reader of points, 3x3 as they were before step 43 of points.md, into crosses (points.cross), each the nearest
to what it was in the least squares of its weights, and writes the state that training goes on from.

    thin.py OLD.onnx.gz NEW.pt --data ../../../shared/data
"""
import argparse

import numpy as np
import torch
import torch.nn as nn

import boards
import points
from restore import restore


def crossed(weight, k):
    """(c, c, 3, 3) -> (k, c, 3, 1) and (c, k, 1, 3)."""
    o, i = weight.shape[:2]
    u, s, v = torch.linalg.svd(weight.permute(1, 2, 0, 3).reshape(i * 3, o * 3), full_matrices=False)
    root = s[:k].sqrt()
    down, across = u[:, :k] * root, root[:, None] * v[:k]
    return down.T.reshape(k, i, 3, 1), across.reshape(k, o, 3).permute(1, 0, 2).reshape(o, k, 1, 3)


def main():
    a = argparse.ArgumentParser()
    a.add_argument("old")
    a.add_argument("new")
    a.add_argument("--data", default="../../../shared/data")
    o = a.parse_args()
    old, new = points.Points(), points.Points()
    c = old.far[0][0].in_channels
    old.far = nn.Sequential(*[points.conv(c, c) for _ in range(3)])
    train = boards.load(o.data + "/train", lambda i, r: i % 10 == 1)
    rng = np.random.default_rng(1)
    views = lambda: torch.from_numpy(np.stack([points.sample(train[rng.integers(len(train))], rng)[0] for _ in range(16)]))
    restore(points.Exported(old), o.old, [(views(),) for _ in range(8)])
    state = {k: v for k, v in old.state_dict().items() if not k.startswith("far.")}
    for before, after in zip(old.far, new.far):
        after[0].weight.data, after[1].weight.data = crossed(before[0].weight.data, after[0].out_channels)
        after[2].load_state_dict(before[1].state_dict())
    state.update({k: v for k, v in new.state_dict().items() if k.startswith("far.")})
    torch.save(state, o.new)


if __name__ == "__main__":
    main()
