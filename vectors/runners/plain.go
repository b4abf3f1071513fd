package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
)

// plain is a file of plain vectors.
type plain struct {
	Layouts  []layout
	Examples []example
	Vectors  []vector
	Skipped  int
}

// layout is that of one message. Its kind is request, reply, push or format.
type layout struct {
	Kind, Message string
	Fields        []field
}

type field struct {
	Name, Kind, Hex, Of, Extent, Pattern, Suffix string
	Size                                         int
	Padded                                       bool
	OnSuccess                                    bool `json:"on_success"`
	Choices                                      map[string]string
	Head, Tail                                   []field
}

// record has the values of a message: each is a string or, if it is a group, a list of records.
type record = map[string]any

// example is a message that a codec has to write and to read. Of one that it has to refuse, either bytes or values are absent.
type example struct {
	Id                 string
	Layout             int
	Hex                string
	Refused            *string
	Fields             record
	Anywhere, Unlisted bool
}

type vector struct {
	Id             string
	Cleanup, Steps []step
}

// step sends a request if it has no expectations: the next message has to satisfy one of these.
type step struct {
	On, Send string
	Insert   []struct {
		At   int
		Name string
	}
	Close   bool
	Layout  int
	Answers *int
	Expect  [][]pattern
}

// pattern is what a field has to be. Full, unit and since belong to a lifetime.
type pattern struct {
	Match, Field, Value, Name string
	Choices, Path             []string
	Records                   [][]pattern
	Exactly                   bool
	Min, Max, Full            uint64 `json:",string"`
	Unit                      uint64 `json:"unit_ns,string"`
	Since                     int
}

func refuseIf(wrong bool, why string) {
	if wrong {
		panic(refused(why))
	}
}

func load(path string) (file plain) {
	must(0, json.Unmarshal(must(os.ReadFile(path)), &file))
	return file
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func unhex(digits string) string { return string(must(hex.DecodeString(digits))) }

func parse(digits string) uint64 { return must(strconv.ParseUint(digits, 10, 64)) }
