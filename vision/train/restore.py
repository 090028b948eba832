"""Takes up training again from shipped weights: their ONNX file is all that is kept of them."""
import gzip

import numpy as np
import onnx
import torch
import torch.nn as nn
from onnx import numpy_helper


def weights(path, order):
    """What halve.py made small, by name, as float tensors. Where the export named a convolution's weights anew, they are told by
    order, the convolutions' names as they are run."""
    with gzip.open(path) as f:
        graph = onnx.load_model_from_string(f.read()).graph
    all = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    for name, node in zip(order, (n for n in graph.node if n.op_type == "Conv")):
        for kind, given in zip(("weight", "bias"), node.input[1:]):
            for end in ("", ".scale"):
                if given + end in all:
                    all[f"{name}.{kind}{end}"] = all.pop(given + end)
    out = {}
    for name, x in all.items():
        if x.dtype == np.int8:
            x = x * all[name + ".scale"].reshape(-1, *[1] * (x.ndim - 1))
        if not name.endswith(".scale"):
            out[name] = torch.from_numpy(np.float32(x))
    return out


def convolutions(net, batch):
    """The names of a network's convolutions in the order in which they are run."""
    order = []
    hooks = [m.register_forward_hook(lambda m, x, y, name=name: order.append(name)) for name, m in net.named_modules() if isinstance(m, nn.Conv2d)]
    net.eval()
    with torch.no_grad():
        net(*batch)
    for h in hooks:
        h.remove()
    return order


def restore(net, path, batches):
    """Loads shipped weights into net. The export took normalisation into the convolutions before it: each is given back as one that
    changes nothing on batches, a list of the arguments of calls of net."""
    given, norms = weights(path, convolutions(net, batches[0])), {}
    for name, m in net.named_modules():
        if isinstance(m, nn.Sequential):
            for i in range(1, len(m)):
                if isinstance(m[i], nn.BatchNorm2d):
                    norms[f"{name}.{i - 1}"] = m[i]
    state = net.state_dict()
    for name, x in given.items():
        conv, _, kind = name.rpartition(".")
        if kind == "bias" and conv in norms:
            n = norms[conv]
            n.running_mean.zero_()
            n.running_var.fill_(1 - n.eps)
            n.weight.data.fill_(1)
            n.bias.data.copy_(x)
        else:
            to = state[name][: len(x)]  # outputs that were added since begin anew
            to.copy_(x.reshape(to.shape))
    seen = {n: [] for n in norms.values()}
    hooks = [n.register_forward_pre_hook(lambda m, x: seen[m].append(x[0].float())) for n in seen]
    net.eval()
    with torch.no_grad():
        for b in batches:
            net(*b)
    for h in hooks:
        h.remove()
    for n, inputs in seen.items():
        x = torch.cat(inputs)
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False)
        n.running_mean.copy_(mean)
        n.running_var.copy_(var)
        n.weight.data.copy_((var + n.eps).sqrt())
        n.bias.data.add_(mean)
    net.train()
