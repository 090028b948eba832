"""Averages weights of points.py that went on from the same start, and writes the mean as a network.

    mean.py base.pt f0.pt f1.pt ... OUT.onnx
"""
import sys

import torch

import points

*sources, target = sys.argv[1:]
weights = [torch.load(s) for s in sources]
net = points.Points()
net.load_state_dict({k: sum(w[k] for w in weights) / len(weights) if v.dtype.is_floating_point else v for k, v in weights[0].items()})
points.export(net.eval(), target)
