"""Writes an ONNX model with smaller weights; package vision widens them again (weights.go).

    halve.py IN.onnx OUT.onnx.gz            half-precision floats: half the size
    halve.py --bytes IN.onnx OUT.onnx.gz    whole numbers of 8 bits with a scale for each output channel: a quarter
    halve.py --bytes --most 31 IN OUT       of these none above 31: gzip packs them a fifth smaller, at four times the error
"""
import argparse
import gzip

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

SMALL = 1024                              # tensors of fewer numbers stay half-precision floats


def halved(name, x):
    return [numpy_helper.from_array(x.astype(np.float16), name)]


def in_bytes(name, x, most):
    """The tensor, of whole numbers up to most, and its scales, one for each output channel (the first dimension)."""
    rows = x.reshape(len(x), -1)
    scale = np.maximum(np.abs(rows).max(1) / most, 1e-12).astype(np.float32)
    whole = np.clip(np.rint(rows / scale[:, None]), -most, most).astype(np.int8)
    return [numpy_helper.from_array(whole.reshape(x.shape), name), numpy_helper.from_array(scale, name + ".scale")]


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--bytes", action="store_true")
    a.add_argument("--most", type=int, default=127)
    a.add_argument("source")
    a.add_argument("target")
    o = a.parse_args()
    model = onnx.load(o.source)
    small = []
    for t in model.graph.initializer:
        if t.data_type != TensorProto.FLOAT:
            small.append(t)
            continue
        x = numpy_helper.to_array(t)
        small += in_bytes(t.name, x, o.most) if o.bytes and x.ndim > 1 and x.size >= SMALL else halved(t.name, x)
    del model.graph.initializer[:]
    model.graph.initializer.extend(small)
    with open(o.target, "wb") as f:
        f.write(gzip.compress(model.SerializeToString(), 9, mtime=0))


if __name__ == "__main__":
    main()
