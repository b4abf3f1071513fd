// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them and
// how to run this. The exit code is 1 if something failed or there was nothing to do.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

var file struct {
	Layouts           []layout
	Examples, Vectors []test
	Skipped           int
}

// test is an example or a vector. It remembers when its steps were taken, and pairs of {NAME} and what to put in its place.
type test struct {
	Id             string
	Refused        record
	Cleanup, Steps []step
	times          []float64
	captured       []string
}

type step struct {
	On, Send               string
	Layout                 int
	Encode, Decode, Result any
	Expect                 []pattern
}

type pattern struct {
	Match, Field, Value, Name, Path string
	Min, Max, Full                  uint64 `json:",string"`
	Unit, Slack                     float64
	Set, Confirmed, Asked, Times    int
	Records, Either, Or             []pattern
}

// failure plays a test and removes its keys before and after. It returns what is wrong, or nil.
func (t *test) failure() (why any) {
	defer func() { why = recover() }()
	t.play(t.Cleanup)
	defer t.play(t.Cleanup)
	t.play(t.Steps)
	return nil
}

// play takes steps one after the other, on connections of their own.
func (t *test) play(steps []step) {
	links, start := map[string]net.Conn{}, time.Now()
	t.times = nil
	for place, s := range steps {
		if s.On != "" && links[s.On] == nil {
			network, address, _ := strings.Cut(os.Args[2], "://")
			links[s.On] = must(net.Dial(network, address))
			defer links[s.On].Close()
		}
		switch of := file.Layouts[s.Layout]; {
		case s.Encode != nil:
			compare(fmt.Sprintf("%x", encode(of, s.Encode.(record))), s.Result)
		case s.Decode != nil:
			compare(decode(of, unhex(s.Decode.(string))), s.Result)
		case s.Expect != nil:
			got := receive(of, links[s.On])
			t.times = append(t.times, float64(time.Since(start)))
			refuseIf(t.count("", got, s.Expect) == 0, fmt.Sprintf("step %d received %.300v", place, got))
		default:
			t.times = append(t.times, float64(time.Since(start)))
			must(links[s.On].Write([]byte(unhex(strings.NewReplacer(t.captured...).Replace(s.Send)))))
		}
	}
}

// receive returns the next message of a stream, or the next datagram, which has to come within ten seconds.
func receive(of layout, from net.Conn) record {
	check(from.SetReadDeadline(time.Now().Add(10 * time.Second)))
	if from.RemoteAddr().Network() == "tcp" {
		return readMessage(of, from)
	}
	datagram := make([]byte, 65536)
	return decode(of, string(datagram[:must(from.Read(datagram))]))
}

// count returns how many of the records that a path leads to satisfy all patterns. An empty path leads to the record itself.
func (t *test) count(path string, from record, wants []pattern) (times int) {
	if group, rest, _ := strings.Cut(path, "/"); group != "" {
		records, _ := from[group].([]any)
		for _, one := range records {
			times += t.count(rest, one.(record), wants)
		}
		return times
	}
	for _, want := range wants {
		if !t.matches(want, from) {
			return 0
		}
	}
	return 1
}

// matches returns true if a pattern holds: it is about a field, about records, or about the time that passed of a lifetime.
func (t *test) matches(want pattern, got record) bool {
	value, isThere := got[want.Field].(string)
	switch want.Match {
	case "equals":
		return isThere && value == strings.NewReplacer(t.captured...).Replace(want.Value)
	case "capture":
		t.captured = append(t.captured, "{"+want.Name+"}", value, "{"+want.Name+".hex}", fmt.Sprintf("%x", value))
		return isThere
	case "range":
		return isThere && want.Min <= parse(value) && parse(value) <= want.Max
	case "either":
		return t.count("", got, want.Either) > 0 || t.count("", got, want.Or) > 0
	case "records":
		return t.count(want.Path, got, want.Records) == want.Times
	}
	full, most := float64(want.Full)*want.Unit, t.times[len(t.times)-1]-t.times[want.Set]
	if !isThere || parse(value) > want.Full { // "over" is about no field, and no more can remain than there was
		return want.Match == "over" && most >= full
	}
	least, gone := t.times[want.Asked]-t.times[want.Confirmed], float64(want.Full-parse(value))*want.Unit
	return least < full && least <= gone+want.Slack && gone < most+want.Unit
}

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: runner PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]")
		os.Exit(2)
	}
	check(json.Unmarshal(must(os.ReadFile(os.Args[1])), &file))
	todo, failed := file.Examples, 0
	if len(os.Args) == 3 {
		todo = file.Vectors
	}
	for _, one := range todo {
		if why := one.failure(); why != nil && one.Refused[fmt.Sprint(why)] == nil {
			fmt.Printf("FAIL %s: %v\n", one.Id, why)
			failed++
		}
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", len(todo)-failed, failed, file.Skipped)
	if failed > 0 || len(todo) == 0 {
		os.Exit(1)
	}
}
