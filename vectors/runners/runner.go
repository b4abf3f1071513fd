// Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them. The
// exit code is 1 if something failed or there was nothing to do.
//
//	hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
//	go run vectors/runners/*.go u16.json [tcp://HOST:PORT | udp://HOST:PORT]
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"
)

var file struct {
	Layouts           []layout
	Examples, Vectors []test
	Skipped           int
}

// test is an example or a vector. It remembers when its steps were taken, and what to put in place of {NAME}.
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
		var result any
		switch of := file.Layouts[s.Layout]; {
		case s.Encode != nil:
			result = fmt.Sprintf("%x", encode(of, s.Encode.(record)))
		case s.Decode != nil:
			result = decode(of, unhex(s.Decode.(string)))
		case s.Expect != nil:
			got := receive(of, links[s.On])
			t.times = append(t.times, float64(time.Since(start)))
			refuseIf(t.count("", got, s.Expect) == 0, fmt.Sprintf("step %d received %.300v", place, got))
		default:
			t.times = append(t.times, float64(time.Since(start)))
			must(links[s.On].Write([]byte(unhex(t.fill(s.Send)))))
		}
		refuseIf(fmt.Sprint(result) != fmt.Sprint(s.Result), fmt.Sprintf("the codec makes of it %.300v", result))
	}
}

// receive returns the next message of a stream, or the next datagram.
func receive(of layout, from net.Conn) record {
	must(0, from.SetReadDeadline(time.Now().Add(10*time.Second)))
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

// matches returns true if a record is as wanted.
func (t *test) matches(want pattern, got record) bool {
	value := fmt.Sprint(got[want.Field])
	number, err := strconv.ParseUint(value, 10, 64)
	full, gone := float64(want.Full)*want.Unit, float64(want.Full-number)*want.Unit
	least, most := t.times[want.Asked]-t.times[want.Confirmed], t.times[len(t.times)-1]-t.times[want.Set]
	if want.Match == "capture" {
		t.captured = append(t.captured, "{"+want.Name+"}", value, "{"+want.Name+".hex}", fmt.Sprintf("%x", value))
	}
	return want.Match == "capture" && got[want.Field] != nil ||
		want.Match == "equals" && value == t.fill(want.Value) ||
		want.Match == "range" && err == nil && want.Min <= number && number <= want.Max ||
		want.Match == "remaining" && err == nil && least < full && least <= gone+want.Slack && gone < most+want.Unit ||
		want.Match == "over" && most >= full ||
		want.Match == "either" && t.count("", got, want.Either)+t.count("", got, want.Or) > 0 ||
		want.Match == "records" && t.count(want.Path, got, want.Records) == want.Times
}

// fill puts captured values into a text.
func (t *test) fill(text string) string { return strings.NewReplacer(t.captured...).Replace(text) }

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: runner PLAIN_VECTORS [tcp://HOST:PORT | udp://HOST:PORT]")
		os.Exit(2)
	}
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[1])), &file))
	todo, failed := [][]test{file.Examples, file.Vectors}[len(os.Args)-2], 0
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
