// Encodes and decodes messages by the layouts of plain vectors, which docs/vectors.md explains. To test your own codec, replace
// this file: the runner calls encode, decode and readMessage. Of the values, a number is its decimal digits, bytes are
// hexadecimal digits, and a group is the list of its records. Messages are strings of bytes.
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
func encode(l layout, values record) string { return encodeFields(l.Fields, values) }

// decode returns the values of a message. The data have to be exactly one message.
func decode(l layout, data string) record {
	source := bufio.NewReaderSize(strings.NewReader(data), len(data)+16)
	values := readMessage(l, source)
	_, err := source.ReadByte()
	refuseIf(err == nil, "")
	return values
}

// readMessage returns the values of the next message of a stream. It leaves what follows the message in the stream.
func readMessage(l layout, source *bufio.Reader) record {
	return readFields(l.Fields, source, record{}, map[string]uint64{})
}

func (f field) isPresent(values record) bool { return !f.OnSuccess || values["status"] != "0" }

func encodeFields(fields []field, values record) (data string) {
	for _, f := range fields {
		if f.isPresent(values) {
			data += f.encode(values)
		}
	}
	return data
}

func (f field) encode(values record) (data string) {
	switch value := values[f.Name].(type) {
	case []any:
		for _, part := range [][]field{f.Head, f.Tail} {
			for _, one := range value {
				data += encodeFields(part, one.(record))
			}
		}
		return data
	case string:
		if f.Kind == "number" {
			return f.encodeNumber(parse(value))
		}
		data = unhex(value)
	}
	switch measured := values[f.Of].(type) {
	case string:
		return f.encodeNumber(uint64(len(measured) / 2))
	case []any:
		return f.encodeNumber(uint64(len(measured)))
	}
	if data != "" {
		data += f.Suffix
	}
	data += unhex(f.Hex) // of a constant
	if f.Padded && len(data) < f.Size {
		data += strings.Repeat("\x00", f.Size-len(data))
	}
	refuseIf(f.Size > 0 && len(data) != f.Size, f.Name)
	return data
}

func (f field) encodeNumber(number uint64) string {
	if f.Kind == "text" {
		return strconv.FormatUint(number, 10)
	}
	refuseIf(f.Size < 8 && number>>(8*f.Size) > 0, f.Name)
	return string(binary.LittleEndian.AppendUint64(nil, number)[:f.Size])
}

// readFields adds fields to a record. The sizes and counts that it reads of later fields are kept in sizes.
func readFields(fields []field, source *bufio.Reader, to record, sizes map[string]uint64) record {
	for _, f := range fields {
		if !f.isPresent(to) {
			continue
		}
		if f.Kind == "group" {
			to[f.Name] = f.readGroup(source, sizes[f.Name])
			continue
		}
		raw := f.readBytes(source, sizes)
		switch {
		case f.Of != "" && f.Kind == "text":
			sizes[f.Of] = parse(raw)
		case f.Of != "":
			sizes[f.Of] = number(raw)
		case f.Kind == "number":
			to[f.Name] = strconv.FormatUint(number(raw), 10)
		case f.Kind != "constant":
			to[f.Name] = hex.EncodeToString([]byte(strings.TrimSuffix(raw, f.Suffix)))
		}
	}
	return to
}

func number(raw string) uint64 {
	return binary.LittleEndian.Uint64([]byte(raw + strings.Repeat("\x00", 8)))
}

func (f field) readGroup(source *bufio.Reader, count uint64) []any {
	records, sizes := []any{}, []map[string]uint64{}
	for uint64(len(records)) < count {
		sizes = append(sizes, map[string]uint64{})
		records = append(records, readFields(f.Head, source, record{}, sizes[len(records)]))
	}
	for i, one := range records {
		readFields(f.Tail, source, one.(record), sizes[i])
	}
	return records
}

func (f field) readBytes(source *bufio.Reader, sizes map[string]uint64) string {
	if f.Kind == "text" {
		rest, _ := source.Peek(source.Size())
		found := regexp.MustCompile("^" + f.Extent).FindSubmatch(rest)
		refuseIf(found == nil || !regexp.MustCompile("^(?:"+f.Pattern+")$").Match(found[1]), f.Name)
		source.Discard(len(found[1]))
		return string(found[1])
	}
	size := uint64(f.Size)
	if f.Kind == "bytes" {
		size = sizes[f.Name]
	}
	refuseIf(size > 1<<24, f.Name)
	raw := make([]byte, size)
	_, err := io.ReadFull(source, raw)
	spelled := hex.EncodeToString(raw)
	_, isChoice := f.Choices[spelled]
	refuseIf(err != nil || f.Hex != "" && f.Hex != spelled || f.Choices != nil && !isChoice, f.Name)
	return string(raw)
}
