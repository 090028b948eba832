package main

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
)

// wall is the wall clock as one running Go program sees it, and it alone. Go asks the kernel's vDSO for the time through
// a pointer; a wall points it to a few instructions of its own, laid into what is left of the last page of the program's
// text, which add so many seconds when the wall clock is asked for. Time that has passed stays what it is, as when NTP
// sets the clock. Linux on amd64 only; it takes the right to trace the process.
type wall struct {
	memory  string // the process's
	pointer int64  // where the address of clock_gettime stands
	room    int64  // for the instructions
	real    uint64 // that address
	turn    int64  // which half of the room is used next, so that nobody runs what is being written
}

const wallReached = true

// detourRoom is a half of the room.
const detourRoom = 64

// openWall finds what it needs of the process, which runs the program in the file.
func openWall(program string, process int) (*wall, error) {
	file, err := elf.Open(program)
	if err != nil {
		return nil, fmt.Errorf("soak: the program's clock: %w", err)
	}
	defer file.Close()
	w := &wall{memory: fmt.Sprintf("/proc/%d/mem", process)}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, fmt.Errorf("soak: the program's clock: %w", err)
	}
	for _, s := range symbols {
		if s.Name == "runtime.vdsoClockgettimeSym" {
			w.pointer = int64(s.Value)
		}
	}
	const page = 4096
	for _, p := range file.Progs {
		if end := int64(p.Vaddr + p.Memsz); p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
			w.room = (end + 15) &^ 15
			if (end+page-1)&^(page-1)-w.room < 2*detourRoom {
				w.room = 0
			}
		}
	}
	if w.pointer == 0 || w.room == 0 || file.Type != elf.ET_EXEC {
		return nil, errors.New("soak: the program's clock: it was not built in a way that it can be reached")
	}
	var address [8]byte
	memory, err := os.Open(w.memory)
	if err != nil {
		return nil, fmt.Errorf("soak: the program's clock: %w", err)
	}
	defer memory.Close()
	if _, err := memory.ReadAt(address[:], w.pointer); err != nil {
		return nil, fmt.Errorf("soak: the program's clock: %w", err)
	}
	if w.real = binary.LittleEndian.Uint64(address[:]); w.real == 0 {
		return nil, errors.New("soak: the program's clock: this kernel has no vDSO")
	}
	return w, nil
}

// set has the wall clock be off by so much, in whole seconds, from what the machine says.
func (w *wall) set(by time.Duration) error {
	memory, err := os.OpenFile(w.memory, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("soak: set the program's clock: %w", err)
	}
	defer memory.Close()
	to := w.real
	if by != 0 {
		at := w.room + w.turn*detourRoom
		w.turn = 1 - w.turn
		if _, err := memory.WriteAt(detour(w.real, int64(by/time.Second)), at); err != nil {
			return fmt.Errorf("soak: set the program's clock: %w", err)
		}
		to = uint64(at)
	}
	if _, err := memory.WriteAt(binary.LittleEndian.AppendUint64(nil, to), w.pointer); err != nil {
		return fmt.Errorf("soak: set the program's clock: %w", err)
	}
	return nil
}

// detour is clock_gettime(clock, *time) of the System V ABI that calls the real one and adds seconds to CLOCK_REALTIME (0).
func detour(real uint64, seconds int64) []byte {
	code := []byte{
		0x57, 0x56, //             push rdi; push rsi
		0x48, 0x83, 0xec, 0x08, // sub rsp, 8
		0x48, 0xb8, //             mov rax, real
	}
	code = binary.LittleEndian.AppendUint64(code, real)
	code = append(code,
		0xff, 0xd0, //             call rax
		0x48, 0x83, 0xc4, 0x08, // add rsp, 8
		0x5e, 0x5f, //             pop rsi; pop rdi
		0x85, 0xff, //             test edi, edi
		0x75, 0x0d, //             jne to the end
		0x48, 0xb9, //             mov rcx, seconds
	)
	code = binary.LittleEndian.AppendUint64(code, uint64(seconds))
	return append(code,
		0x48, 0x01, 0x0e, // add [rsi], rcx
		0xc3, //             ret
	)
}
