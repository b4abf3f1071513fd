// Compares replies with what a vector expects, and the contents of states with what a codec reads.
package main

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// matcher remembers what later steps of a vector need: captured values, and when each step sent and was answered.
type matcher struct {
	captured      object
	sent, arrived map[int]time.Time
}

// reply is a message that came, with the step whose request it answers.
type reply struct {
	values object
	asked  int
}

// accepts returns true if a reply is right. The example is a right reply, decoded from the bytes of the vector.
func (m *matcher) accepts(expected, example object, got reply) bool {
	wants := expected.object("fields")
	if lifetime := expected.object("only_after"); lifetime != nil {
		_, most := m.elapsed(lifetime, got)
		if lifetime.number("full") > most/lifetime.number("unit_ns") {
			return false
		}
	}
	for name, right := range example {
		value, is := got.values[name]
		if !is || example.list(name) == nil && wants.object(name) == nil && value != right {
			return false
		}
	}
	for name, want := range wants {
		if _, isMatch := want.(object); isMatch && !m.matches(want, got.values[name], name, got) {
			return false
		}
	}
	return len(example) == len(got.values)
}

// matches returns true if a field has the value that a vector wants, or satisfies the match.
func (m *matcher) matches(want, value any, name string, got reply) bool {
	number, _ := value.(uint64)
	match, isMatch := want.(object)
	captured := m.captured.text(match.text("name"))
	switch match["match"] {
	case "capture":
		m.captured[match.text("name")] = value
	case "captured":
		return value == captured
	case "captured_hex":
		return value == hex.EncodeToString([]byte(captured))
	case "range":
		return match.number("min") <= number && number <= match.number("max")
	case "one_of":
		return contains(match["choices"].([]any), value)
	case "set_of":
		return m.isSet(match, recordsOf(got.values, name), got)
	case "remaining":
		return m.remains(match, number, got)
	}
	return isMatch || want == value
}

// isSet returns true if each record that a vector wants occurs exactly once.
func (m *matcher) isSet(match object, records []object, got reply) bool {
	wanted := match.list("records")
	for _, fields := range wanted {
		found := 0
		for _, record := range records {
			matches := true
			for name, want := range fields {
				matches = matches && m.matches(want, record[name], name, got)
			}
			if matches {
				found++
			}
		}
		if found != 1 {
			return false
		}
	}
	return match["exactly"] != true || len(records) <= len(wanted)
}

// recordsOf returns all records of a group. In a listing, several fragments have records of the group.
func recordsOf(values object, group string) []object {
	all := values.list(group)
	for name := range values {
		for _, record := range values.list(name) {
			all = append(all, recordsOf(record, group)...)
		}
	}
	return all
}

// remains returns true if so many units of a lifetime can be left, whenever between request and reply the server looked.
func (m *matcher) remains(lifetime object, left uint64, got reply) bool {
	full, unit := lifetime.number("full"), lifetime.number("unit_ns")
	least, most := m.elapsed(lifetime, got)
	gone := least / unit
	if full <= gone {
		return false
	}
	if unit >= 1e9 && least%unit > 0 { // of units below a second, only whole ones count as gone
		gone++
	}
	return left <= full-gone && full-left <= (most+unit-1)/unit
}

// elapsed returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply.
func (m *matcher) elapsed(lifetime object, got reply) (least, most uint64) {
	since := lifetime.int("since")
	if arrived, is := m.arrived[since]; is && m.sent[got.asked].After(arrived) {
		least = uint64(m.sent[got.asked].Sub(arrived))
	}
	return least, uint64(m.arrived[got.asked].Sub(m.sent[since]))
}

// agree returns true if a state has the wanted values. Numbers may be spelled differently.
func agree(l layouts, want, got any) bool {
	switch want := want.(type) {
	case []object:
		records := got.([]object)
		agreed := len(want) == len(records)
		for i := 0; agreed && i < len(want); i++ {
			agreed = agree(l, want[i], records[i])
		}
		return agreed
	case object:
		if fields := want.object("fields"); fields != nil {
			format := l.find("format", want.text("format")+want.text("strategy"))
			return agree(l, fields, decode(format, got.(string)))
		}
		agreed := true
		for name, one := range want {
			agreed = agreed && agree(l, one, got.(object)[name])
		}
		return agreed
	}
	wanted, wrong := strconv.ParseFloat(want.(string), 64)
	found, other := strconv.ParseFloat(got.(string), 64)
	isReal := wrong == nil && other == nil && strings.Contains(got.(string), ".")
	return want == got || isReal && wanted == found
}
