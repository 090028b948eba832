"""Writes an ONNX model with its weights as half-precision floats: half the size. Package vision widens them again.

    halve.py IN.onnx OUT.onnx
"""
import sys

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

model = onnx.load(sys.argv[1])
for t in model.graph.initializer:
    if t.data_type == TensorProto.FLOAT:
        t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(t).astype(np.float16), t.name))
onnx.save(model, sys.argv[2])
