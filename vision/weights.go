package vision

import (
	"encoding/binary"
	"errors"
	"math"
)

// The weights lie in the program as half-precision floats, which ONNX knows and OpenCV 4.6 does not read. widen
// rewrites a model's initializers as single-precision floats; everything else passes through as it is. The fields
// are those of onnx.proto3: a model's graph, a graph's initializer, a tensor's data_type and raw_data.
const (
	fieldGraph       = 7
	fieldInitializer = 5
	fieldDataType    = 2
	fieldRawData     = 9

	tensorFloat = 1
	tensorHalf  = 10
)

// Kinds of protocol buffer fields on the wire.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

var errBrokenModel = errors.New("the weights are not an ONNX model")

// widen returns the model with all half-precision initializers made single precision.
func widen(model []byte) ([]byte, error) {
	return rewrite(model, fieldGraph, func(graph []byte) ([]byte, error) {
		return rewrite(graph, fieldInitializer, widenTensor)
	})
}

// rewrite passes each occurrence of a message's field through change and copies all else.
func rewrite(message []byte, field uint64, change func([]byte) ([]byte, error)) ([]byte, error) {
	out := make([]byte, 0, 2*len(message))
	for len(message) > 0 {
		f, err := nextField(message)
		if err != nil {
			return nil, err
		}
		if f.number == field && f.wire == wireBytes {
			changed, err := change(f.body)
			if err != nil {
				return nil, err
			}
			out = appendBytes(out, field, changed)
		} else {
			out = append(out, message[:f.size]...)
		}
		message = message[f.size:]
	}
	return out, nil
}

func widenTensor(tensor []byte) ([]byte, error) {
	half := false
	for rest := tensor; len(rest) > 0; {
		f, err := nextField(rest)
		if err != nil {
			return nil, err
		}
		half = half || f.number == fieldDataType && f.value == tensorHalf
		rest = rest[f.size:]
	}
	if !half {
		return tensor, nil
	}
	var out []byte
	for rest := tensor; len(rest) > 0; {
		f, err := nextField(rest)
		if err != nil {
			return nil, err
		}
		switch f.number {
		case fieldDataType:
			out = append(binary.AppendUvarint(out, fieldDataType<<3|wireVarint), tensorFloat)
		case fieldRawData:
			out = appendBytes(out, fieldRawData, widenNumbers(f.body))
		default:
			out = append(out, rest[:f.size]...)
		}
		rest = rest[f.size:]
	}
	return out, nil
}

func widenNumbers(half []byte) []byte {
	out := make([]byte, 0, 2*len(half))
	for ; len(half) >= 2; half = half[2:] {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32FromHalf(binary.LittleEndian.Uint16(half))))
	}
	return out
}

// float32FromHalf converts an IEEE 754 binary16 number.
func float32FromHalf(h uint16) float32 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	var x float64
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		x = math.Inf(1)
		if fraction != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 != 0 {
		x = -x
	}
	return float32(x)
}

// wireField is one field of a message.
type wireField struct {
	number, wire uint64
	value        uint64 // of a varint
	body         []byte // of a length-delimited field
	size         int    // of the whole field
}

func nextField(message []byte) (f wireField, err error) {
	key, n := binary.Uvarint(message)
	if n <= 0 {
		return f, errBrokenModel
	}
	f.number, f.wire, f.size = key>>3, key&7, n
	switch f.wire {
	case wireVarint, wireBytes:
		v, k := binary.Uvarint(message[n:])
		if k <= 0 {
			return f, errBrokenModel
		}
		f.value, f.size = v, n+k
		if f.wire == wireBytes {
			if v > uint64(len(message)-f.size) {
				return f, errBrokenModel
			}
			f.body = message[f.size:][:v]
			f.size += int(v)
		}
	case wireFixed8:
		f.size += 8
	case wireFixed4:
		f.size += 4
	default:
		return f, errBrokenModel
	}
	if f.size > len(message) {
		return f, errBrokenModel
	}
	return f, nil
}

func appendBytes(out []byte, field uint64, body []byte) []byte {
	out = binary.AppendUvarint(out, field<<3|wireBytes)
	out = binary.AppendUvarint(out, uint64(len(body)))
	return append(out, body...)
}
