package hub

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// follower is one spectator of a hub under load. He keeps only what is measured.
type follower struct {
	table *busyTable
	bytes atomic.Int64 // read

	mu          sync.Mutex
	told, state int64 // seq of the newest event and state
	took        []time.Duration
	fault       string
}

// comeTo opens a stream as a browser does and returns its lines.
func comeTo(at, path string) (net.Conn, *bufio.Reader, error) {
	conn, err := net.Dial("tcp", at)
	if err != nil {
		return nil, nil, err
	}
	// As long as what a browser sends: a server keeps it.
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: keep-alive\r\nAccept: text/event-stream\r\nCache-Control: no-cache\r\n"+
		"User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n"+
		"Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\nReferer: http://%s/\r\n"+
		"Accept-Encoding: gzip, deflate\r\nAccept-Language: en-GB,en;q=0.9\r\n\r\n", path, at, at)
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 2048), nil)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("the hub answers %s", answer.Status)
	}
	if err != nil {
		conn.Close()
		return nil, nil, err
	}
	return conn, bufio.NewReaderSize(answer.Body, 2048), nil
}

// follow reads until the connection ends.
func (f *follower) follow(lines *bufio.Reader, measuring *atomic.Bool) {
	var id int64
	var name string
	for {
		line, err := f.line(lines)
		if err != nil {
			f.mu.Lock()
			if !errors.Is(err, net.ErrClosed) && f.fault == "" {
				f.fault = "the hub ended the stream: " + err.Error()
			}
			f.mu.Unlock()
			return
		}
		switch field, value, _ := strings.Cut(line, ": "); field {
		case "id":
			id, _ = strconv.ParseInt(value, 10, 64)
		case "event":
			name = value
		case "": // a message is whole
			f.take(name, id, measuring.Load())
			name = ""
		}
	}
}

// line returns the next line, cut off when it is long.
func (f *follower) line(lines *bufio.Reader) (string, error) {
	part, err := lines.ReadSlice('\n')
	f.bytes.Add(int64(len(part)))
	line := string(bytes.TrimSuffix(part[:min(len(part), 64)], []byte("\n")))
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = lines.ReadSlice('\n')
		f.bytes.Add(int64(len(part)))
	}
	return line, err
}

// take notes a message. The page has an event when it has been told of it and has the state after it.
func (f *follower) take(name string, id int64, measuring bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := min(f.told, f.state)
	switch name {
	case "event":
		if f.told != 0 && id != f.told+1 {
			f.fault = fmt.Sprintf("event %d follows %d", id, f.told)
		}
		f.told = id
	case "state":
		f.state = id
	}
	for seq := was + 1; measuring && was != 0 && seq <= min(f.told, f.state); seq++ {
		f.took = append(f.took, time.Since(f.table.happened(seq)))
	}
}

// has reports whether his page has event seq.
func (f *follower) has(seq int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return min(f.told, f.state) >= seq || f.fault != ""
}

func (f *follower) stands() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fmt.Sprintf("he has event %d, state %d", f.told, f.state)
}
