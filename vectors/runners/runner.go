// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
//
//	hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
//	go run vectors/runners/*.go u16.json [tcp://HOST:PORT | udp://HOST:PORT]
//
// The exit code is 1 if something failed or there was nothing to do.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"reflect"
	"strings"
	"time"
)

// failure returns the reason if a function panics, else nil.
func failure(run func()) (why any) {
	defer func() { why = recover() }()
	run()
	return nil
}

// check makes sure that the codec writes and reads a message, or refuses it at the right field.
func (e example) check(l layout) {
	written, read := e.Hex, e.Fields
	why := failure(func() {
		if e.Fields != nil {
			written = hex.EncodeToString([]byte(encode(l, e.Fields)))
		}
		if (e.Hex != "" || e.Fields == nil) && !e.Unlisted {
			read = decode(l, unhex(e.Hex))
		}
	})
	if e.Refused == nil {
		refuseIf(why != nil, fmt.Sprintf("the codec refuses it at %v", why))
		isRight := written == e.Hex && reflect.DeepEqual(read, e.Fields)
		refuseIf(!isRight, fmt.Sprintf("the codec makes of it %s and %.300s", written, fmt.Sprint(read)))
	} else {
		refuseIf(why != refused(*e.Refused) && !e.Anywhere || why == nil, fmt.Sprintf("the codec refuses it at %v", why))
	}
}

// link is a connection.
type link struct {
	net.Conn
	stream *bufio.Reader
}

func (l link) receive(of layout) record {
	must(0, l.SetReadDeadline(time.Now().Add(10*time.Second)))
	if l.RemoteAddr().Network() == "tcp" {
		return readMessage(of, l.stream)
	}
	datagram := make([]byte, 65536)
	return decode(of, string(datagram[:must(l.Read(datagram))]))
}

// play is that of one vector. It remembers when each step sent its request and was answered, and the values captured.
type play struct {
	layouts       []layout
	server        string
	links         map[string]link
	captured      map[string]string
	sent, arrived map[int]time.Time
}

// run removes the vector's keys before and after.
func (p *play) run(v vector) {
	p.links, p.captured, p.sent, p.arrived = map[string]link{}, map[string]string{}, map[int]time.Time{}, map[int]time.Time{}
	defer func() {
		for _, one := range p.links {
			one.Close()
		}
	}()
	p.steps(v.Cleanup)
	defer p.steps(v.Cleanup)
	p.steps(v.Steps)
}

func (p *play) steps(steps []step) {
	for place, s := range steps {
		to, isOpen := p.links[s.On]
		if !isOpen {
			network, address, _ := strings.Cut(p.server, "://")
			connection := must(net.Dial(network, address))
			to = link{connection, bufio.NewReader(connection)}
			p.links[s.On] = to
		}
		switch {
		case s.Expect != nil:
			p.expect(s, to)
		case s.Close:
			to.Close()
		default:
			data := []byte(unhex(s.Send))
			for _, one := range s.Insert {
				copy(data[one.At:], unhex(p.captured[one.Name]))
			}
			p.sent[place] = time.Now()
			must(to.Write(data))
		}
	}
}

// expect receives the next message, which has to be one of several.
func (p *play) expect(s step, from link) {
	got, asked := from.receive(p.layouts[s.Layout]), -1
	if s.Answers != nil {
		asked = *s.Answers
		p.arrived[asked] = time.Now()
	}
	for _, wants := range s.Expect {
		if p.match(wants, got, asked) {
			return
		}
	}
	panic(refused(fmt.Sprintf("%s came as %.300s", p.layouts[s.Layout].Message, fmt.Sprint(got))))
}

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: runner PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]")
		os.Exit(2)
	}
	file, done, failed := load(os.Args[1]), 0, 0
	try := func(id string, run func()) {
		done++
		if why := failure(run); why != nil {
			failed++
			fmt.Printf("FAIL %s: %v\n", id, why)
		}
	}
	if len(os.Args) == 2 {
		for _, one := range file.Examples {
			try(one.Id, func() { one.check(file.Layouts[one.Layout]) })
		}
	} else {
		for _, one := range file.Vectors {
			try(one.Id, func() { (&play{layouts: file.Layouts, server: os.Args[2]}).run(one) })
		}
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", done-failed, failed, file.Skipped)
	if failed > 0 || done == 0 {
		os.Exit(1)
	}
}
