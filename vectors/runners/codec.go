// Encodes and decodes messages by the layouts of plain vectors, which docs/vectors.md explains. To test your own codec, call it
// from encode, decode and readMessage: a layout names its message. Messages are strings of bytes. Of the values, a number is its
// decimal digits, bytes are hexadecimal digits, and a group is the list of its records.
package main

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// layout is that of a message, the kind of which is request, reply, push or format, or of a field in it.
type layout struct {
	Kind, Message, Name, Hex, Of, Extent, Pattern string
	Size                                          uint64
	OnSuccess                                     bool `json:"on_success"`
	Choices                                       map[string]string
	Fields, Head, Tail                            []layout
}

// record has the values of a message, or of one of the records of a group, by field.
type record = map[string]any

// refused is what a codec panics with: the name of the field that is wrong, or "end" if bytes follow the message.
type refused string

func refuseIf(wrong bool, why string) {
	if wrong {
		panic(refused(why))
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error)            { refuseIf(err != nil, fmt.Sprint(err)) }
func unhex(digits string) string { return string(must(hex.DecodeString(digits))) }
func parse(digits string) uint64 { return must(strconv.ParseUint(digits, 10, 64)) }

// encode returns the bytes of a message.
func encode(l layout, values record) (data string) {
	visit(l.Fields, values, func(f layout, values record) { data += f.encodeField(values) })
	return data
}

// decode returns the values of a message. The data have to be exactly one message.
func decode(l layout, data string) record {
	source := strings.NewReader(data)
	values := readMessage(l, source)
	refuseIf(source.Len() > 0, "end")
	return values
}

// readMessage returns the values of the next message of a stream. It leaves what follows the message in the stream.
func readMessage(l layout, source io.Reader) record {
	values := record{}
	visit(l.Fields, values, func(f layout, values record) { f.decodeField(values, source) })
	return values
}

// visit calls a function for each field in the order of the bytes: a group, the heads of its records, their tails.
func visit(fields []layout, values record, call func(layout, record)) {
	for _, f := range fields {
		if f.OnSuccess && values["status"] == "0" {
			continue
		}
		call(f, values)
		records, _ := values[f.Name].([]any)
		for _, part := range [][]layout{f.Head, f.Tail} {
			for _, one := range records {
				visit(part, one.(record), call)
			}
		}
	}
}

// encodeField returns the bytes of a field; none of a group, as visit comes to the fields in it.
func (f layout) encodeField(values record) string {
	value, _ := values[f.Name].(string)
	if f.Of != "" {
		digits, _ := values[f.Of].(string)
		records, _ := values[f.Of].([]any)
		value = fmt.Sprint(len(digits)/2 + len(records))
	}
	switch {
	case f.Of != "" && f.Kind == "text":
		return value
	case f.Of != "" || f.Kind == "number":
		refuseIf(f.Size < 8 && parse(value)>>(8*f.Size) > 0, f.Name)
		return string(binary.LittleEndian.AppendUint64(nil, parse(value))[:f.Size])
	}
	data := unhex(f.Hex + value)
	refuseIf(f.Size > 0 && uint64(len(data)) != f.Size, f.Name)
	return data
}

// decodeField reads a field. A size or a count stands in the place of what it measures until that is read.
func (f layout) decodeField(values record, source io.Reader) {
	measured, _ := values[f.Name].(uint64)
	refuseIf(measured > 1<<22, f.Name)
	if f.Kind == "group" {
		records := make([]any, measured)
		for i := range records {
			records[i] = record{}
		}
		values[f.Name] = records
		return
	}
	switch raw := f.take(source, f.Size+measured); {
	case f.Of != "" && f.Kind == "text":
		values[f.Of] = parse(raw)
	case f.Of != "":
		values[f.Of] = littleEndian(raw)
	case f.Kind == "number":
		values[f.Name] = fmt.Sprint(littleEndian(raw))
	case f.Kind != "constant":
		values[f.Name] = fmt.Sprintf("%x", raw)
	}
}

func littleEndian(raw string) uint64 {
	return binary.LittleEndian.Uint64(append([]byte(raw), make([]byte, 8)...))
}

// take reads so many bytes, or the text that the field's expression finds.
func (f layout) take(source io.Reader, size uint64) string {
	if f.Kind == "text" {
		rest := string(must(io.ReadAll(source)))
		found := regexp.MustCompile("^" + f.Extent).FindStringSubmatch(rest)
		refuseIf(found == nil || !regexp.MustCompile("^(?:"+f.Pattern+")$").MatchString(found[1]), f.Name)
		must(source.(io.Seeker).Seek(int64(len(found[1])-len(rest)), io.SeekCurrent))
		return found[1]
	}
	raw := must(io.ReadAll(io.LimitReader(source, int64(size))))
	spelled := hex.EncodeToString(raw)
	refuseIf(uint64(len(raw)) < size || f.Hex != "" && f.Hex != spelled || f.Choices != nil && f.Choices[spelled] == "", f.Name)
	return string(raw)
}

// compare checks that the codec makes of an example what it should.
func compare(result, wanted any) {
	refuseIf(!reflect.DeepEqual(result, wanted), fmt.Sprintf("the codec makes of it %.300v", result))
}
