package vision

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
)

// The weights lie in the program packed by gzip, a tenth smaller, and as half-precision floats, which ONNX knows and OpenCV 4.6 does not
// read, or as bytes: a tensor NAME of whole numbers of 8 bits, with a float or half-precision tensor NAME.scale that says how much a
// whole number is worth in each output channel (the first dimension). widen rewrites both as single-precision floats
// and leaves the scales out; everything else passes through as it is. The fields are those of onnx.proto3: a model's
// graph, a graph's initializer, a tensor's data_type, name and raw_data.
const (
	fieldGraph       = 7
	fieldInitializer = 5
	fieldDataType    = 2
	fieldName        = 8
	fieldRawData     = 9

	tensorFloat = 1
	tensorInt8  = 3
	tensorHalf  = 10

	scaleSuffix = ".scale"
)

// Kinds of protocol buffer fields on the wire.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

var errBrokenModel = errors.New("the weights are not an ONNX model")

// unpack returns what gzip has packed.
func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// widen returns the model with all initializers of half precision or of bytes made single precision.
func widen(model []byte) ([]byte, error) {
	scales := map[string][]float32{}
	_, err := rewrite(model, fieldGraph, func(graph []byte) ([]byte, error) {
		return rewrite(graph, fieldInitializer, func(body []byte) ([]byte, error) {
			t, err := parseTensor(body)
			if of, is := strings.CutSuffix(t.name, scaleSuffix); is && err == nil {
				scales[of] = t.numbers(nil)
			}
			return nil, err
		})
	})
	if err != nil {
		return nil, err
	}
	return rewrite(model, fieldGraph, func(graph []byte) ([]byte, error) {
		return rewrite(graph, fieldInitializer, func(body []byte) ([]byte, error) {
			return widenTensor(body, scales)
		})
	})
}

// rewrite passes each occurrence of a message's field through change, leaves it out where nothing is returned, and
// copies all else.
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
			if changed != nil {
				out = appendBytes(out, field, changed)
			}
		} else {
			out = append(out, message[:f.size]...)
		}
		message = message[f.size:]
	}
	return out, nil
}

// tensor is what matters of an initializer.
type tensor struct {
	name string
	kind uint64
	raw  []byte
}

func parseTensor(body []byte) (t tensor, err error) {
	for len(body) > 0 {
		f, err := nextField(body)
		if err != nil {
			return t, err
		}
		switch f.number {
		case fieldDataType:
			t.kind = f.value
		case fieldName:
			t.name = string(f.body)
		case fieldRawData:
			t.raw = f.body
		}
		body = body[f.size:]
	}
	return t, nil
}

// numbers returns what the tensor holds; bytes count by the scales of their channels. Of other kinds it returns nil.
func (t tensor) numbers(scales []float32) (out []float32) {
	switch t.kind {
	case tensorFloat:
		for raw := t.raw; len(raw) >= 4; raw = raw[4:] {
			out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		}
	case tensorHalf:
		for raw := t.raw; len(raw) >= 2; raw = raw[2:] {
			out = append(out, float32FromHalf(binary.LittleEndian.Uint16(raw)))
		}
	case tensorInt8:
		if len(scales) == 0 || len(t.raw)%len(scales) != 0 {
			return nil
		}
		for i, b := range t.raw {
			out = append(out, float32(int8(b))*scales[i/(len(t.raw)/len(scales))])
		}
	}
	return out
}

// widenTensor returns a tensor as single-precision floats, and nothing for a tensor of scales.
func widenTensor(body []byte, scales map[string][]float32) ([]byte, error) {
	t, err := parseTensor(body)
	if err != nil || strings.HasSuffix(t.name, scaleSuffix) {
		return nil, err
	}
	scale, scaled := scales[t.name]
	if t.kind != tensorHalf && !(t.kind == tensorInt8 && scaled) {
		return body, nil
	}
	numbers := t.numbers(scale)
	if len(numbers) == 0 && len(t.raw) > 0 {
		return nil, errBrokenModel
	}
	var out []byte
	for rest := body; len(rest) > 0; {
		f, err := nextField(rest)
		if err != nil {
			return nil, err
		}
		switch f.number {
		case fieldDataType:
			out = append(binary.AppendUvarint(out, fieldDataType<<3|wireVarint), tensorFloat)
		case fieldRawData:
			out = appendBytes(out, fieldRawData, littleEndian(numbers))
		default:
			out = append(out, rest[:f.size]...)
		}
		rest = rest[f.size:]
	}
	return out, nil
}

func littleEndian(numbers []float32) []byte {
	out := make([]byte, 0, 4*len(numbers))
	for _, x := range numbers {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
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
