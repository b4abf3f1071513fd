// Encodes and decodes messages by their layouts, which docs/vectors.md explains. To test your own codec, replace this file:
// the runner calls encode, decode and readMessage. A layout names its message: "kind" is request, reply, push or format,
// and "message" is the name. A value is a number (uint64), bytes (string) or the records of a group ([]object).
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// refused is what a codec panics with: the name of the field that is wrong, or "" if bytes follow the message.
type refused string

// encode returns the bytes of a message.
func encode(layout, values object) string {
	return encodeFields(layout.list("fields"), values)
}

// decode returns the values of a message. The data have to be exactly one message.
func decode(layout object, data string) object {
	source := bufio.NewReaderSize(strings.NewReader(data), len(data)+16)
	values := readMessage(layout, source)
	_, err := source.ReadByte()
	refuseIf(err == nil, "")
	return values
}

// readMessage returns the values of the next message of a stream. It leaves what follows the message in the stream.
func readMessage(layout object, source *bufio.Reader) object {
	return readFields(layout.list("fields"), source, object{}, object{})
}

func present(field, values object) bool {
	return field["on_success"] == nil || values["status"] != uint64(0)
}

func encodeFields(fields []object, values object) (data string) {
	for _, field := range fields {
		if present(field, values) {
			data += encodeField(field, values)
		}
	}
	return data
}

func encodeField(field, values object) (data string) {
	name, size, of := field.text("name"), field.int("size"), field.text("of")
	value := values[name]
	if of != "" {
		value = uint64(len(values.text(of)) + len(values.list(of)))
	} else if value == nil && field["kind"] == "number" {
		value = uint64(0)
	}
	switch value := value.(type) {
	case nil: // the field is a constant, or empty
		data = fromHex(field.text("hex"))
	case string:
		data = value
	case uint64:
		data = strconv.FormatUint(value, 10) // as text
		if size > 0 {
			refuseIf(size < 8 && value>>(8*size) > 0, name)
			data = string(binary.LittleEndian.AppendUint64(nil, value)[:size])
		}
	case []object:
		for _, part := range []string{"head", "tail"} {
			for _, record := range value {
				data += encodeFields(field.list(part), record)
			}
		}
	}
	if data != "" {
		data += field.text("suffix")
	}
	for field["padded"] != nil && len(data) < size {
		data += "\x00"
	}
	refuseIf(size > 0 && len(data) != size, name)
	return data
}

func decodeNumber(raw string, field object) uint64 {
	if field["kind"] == "text" {
		return must(strconv.ParseUint(raw, 10, 64))
	}
	return binary.LittleEndian.Uint64([]byte(raw + strings.Repeat("\x00", 8)))
}

// readFields adds fields to a record. The sizes and counts that it reads of later fields are kept in sizes.
func readFields(fields []object, source *bufio.Reader, record, sizes object) object {
	for _, field := range fields {
		name, kind, of := field.text("name"), field["kind"], field.text("of")
		switch {
		case !present(field, record):
		case kind == "group":
			record[name] = readGroup(field, source, sizes.number(name))
		case of != "":
			sizes[of] = decodeNumber(readField(field, source, sizes), field)
		case kind == "number":
			record[name] = decodeNumber(readField(field, source, sizes), field)
		case kind == "constant":
			readField(field, source, sizes)
		default:
			record[name] = strings.TrimSuffix(readField(field, source, sizes), field.text("suffix"))
		}
	}
	return record
}

func readGroup(field object, source *bufio.Reader, count uint64) []object {
	records, sizes := []object{}, []object{}
	for uint64(len(records)) < count {
		own := object{}
		records = append(records, readFields(field.list("head"), source, object{}, own))
		sizes = append(sizes, own)
	}
	for i, record := range records {
		readFields(field.list("tail"), source, record, sizes[i])
	}
	return records
}

// readField returns the bytes of a field.
func readField(field object, source *bufio.Reader, sizes object) string {
	name := field.text("name")
	if field["kind"] == "text" {
		rest, _ := source.Peek(source.Size())
		found := regexp.MustCompile("^" + field.text("extent")).FindSubmatch(rest)
		pattern := regexp.MustCompile("^(?:" + field.text("pattern") + ")$")
		refuseIf(found == nil || !pattern.Match(found[1]), name)
		source.Discard(len(found[1]))
		return string(found[1])
	}
	size := field.int("size")
	if field["kind"] == "bytes" {
		size = sizes.int(name)
	}
	refuseIf(size < 0 || size > 1<<24, name)
	raw := make([]byte, size)
	_, err := io.ReadFull(source, raw)
	spelled, choices := hex.EncodeToString(raw), field.object("choices")
	refuseIf(err != nil || field["hex"] != nil && field["hex"] != spelled || choices != nil && choices[spelled] == nil, name)
	return string(raw)
}
