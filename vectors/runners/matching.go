package main

import (
	"encoding/hex"
	"fmt"
)

// match returns true if all fields are as wanted in the reply to step asked.
func (p *play) match(wants []pattern, got record, asked int) bool {
	for _, want := range wants {
		if !p.matches(want, got, asked) {
			return false
		}
	}
	return true
}

// matches returns true if a field is as wanted in the reply to step asked.
func (p *play) matches(want pattern, got record, asked int) bool {
	value, isText := got[want.Field].(string)
	isRight := false
	switch {
	case want.Match == "over":
		_, most := p.elapsed(want, asked)
		return most/want.Unit >= want.Full
	case want.Match == "set_of":
		return p.isSet(want, got, asked)
	case !isText:
		return false
	case want.Match == "capture":
		p.captured[want.Name] = value
		return true
	case want.Match == "captured":
		return value == p.captured[want.Name]
	case want.Match == "captured_hex":
		return value == hex.EncodeToString([]byte(p.captured[want.Name]))
	case want.Match == "one_of" || want.Match == "equals":
		for _, one := range append(want.Choices, want.Value) {
			isRight = isRight || value == one
		}
		return isRight
	case want.Match == "remaining":
		want.Min, want.Max = p.left(want, asked)
	}
	var number uint64
	must(fmt.Sscan(value, &number))
	return want.Min <= number && number <= want.Max
}

// isSet returns true if each record that is wanted occurs exactly once in a group.
func (p *play) isSet(want pattern, got record, asked int) bool {
	found := []any{got}
	for _, group := range want.Path {
		inner := []any{}
		for _, one := range found {
			records, _ := one.(record)[group].([]any)
			inner = append(inner, records...)
		}
		found = inner
	}
	for _, wanted := range want.Records {
		times := 0
		for _, one := range found {
			if p.match(wanted, one.(record), asked) {
				times++
			}
		}
		if times != 1 {
			return false
		}
	}
	return !want.Exactly || len(found) <= len(want.Records)
}

// left returns the least and the most units that can be left, whenever between request and reply the server looked.
func (p *play) left(lifetime pattern, asked int) (uint64, uint64) {
	least, most := p.elapsed(lifetime, asked)
	gone, unit := least/lifetime.Unit, lifetime.Unit
	if lifetime.Full <= gone {
		return 1, 0
	}
	if unit >= 1e9 { // of units below a second, only whole ones are gone
		gone = (least + unit - 1) / unit
	}
	if most = (most + unit - 1) / unit; most > lifetime.Full {
		most = lifetime.Full
	}
	return lifetime.Full - most, lifetime.Full - gone
}

// elapsed returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply.
func (p *play) elapsed(lifetime pattern, asked int) (least, most uint64) {
	if arrived, is := p.arrived[lifetime.Since]; is && p.sent[asked].After(arrived) {
		least = uint64(p.sent[asked].Sub(arrived))
	}
	return least, uint64(p.arrived[asked].Sub(p.sent[lifetime.Since]))
}
