// Reads the files of a dialect for one width: vectors, layouts of messages, and messages that a codec has to refuse.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// object is an object of JSON, or the values of a message. Its numbers are uint64, its lists of objects []object.
type object map[string]any

func (o object) object(name string) object { found, _ := o[name].(object); return found }
func (o object) list(name string) []object { found, _ := o[name].([]object); return found }
func (o object) text(name string) string   { found, _ := o[name].(string); return found }
func (o object) number(name string) uint64 { found, _ := o[name].(uint64); return found }
func (o object) int(name string) int       { return int(o.number(name)) }
func (o object) summary() string           { return fmt.Sprintf("%.300s", must(json.Marshal(o))) }

// with returns an object with the members of both. Those of the other replace its own.
func (o object) with(other object) object {
	both := object{}
	for _, one := range []object{o, other} {
		for name, value := range one {
			both[name] = value
		}
	}
	return both
}

// has returns true if the object has all members of the other.
func (o object) has(other object) bool { return reflect.DeepEqual(o.with(other), o) }

func fromHex(digits string) string { return string(must(hex.DecodeString(digits))) }

// vectors returns the vectors of a dialect, of both profiles.
func vectors(directory, dialect, width string) (all []object) {
	for _, folder := range []string{dialect, dialect + "/literal"} {
		for _, path := range must(filepath.Glob(filepath.Join(directory, folder, "*.json"))) {
			file := object{"profile": "deployed"}.with(load(width, path))
			for _, vector := range file.list("vectors") {
				if isFor(width, file["widths"]) {
					all = append(all, vector.with(object{"profile": file["profile"]}))
				}
			}
		}
	}
	return all
}

// invalidMessages returns the messages that a codec has to refuse, each with the valid message that was changed.
func invalidMessages(directory, dialect, width string) (all []object) {
	for _, message := range load(width, directory, "invalid", dialect+".json").list("messages") {
		for _, invalid := range message.list("invalid") {
			id := "invalid/" + message.text("message") + "/" + invalid.text("id")
			all = append(all, object{"id": id, "profile": "deployed", "message": message, "invalid": invalid})
		}
	}
	return all
}

// load returns what a file says for a width.
func load(width string, path ...string) object {
	decoder := json.NewDecoder(bytes.NewReader(must(os.ReadFile(filepath.Join(path...)))))
	decoder.UseNumber()
	var file any
	must(0, decoder.Decode(&file))
	return atWidth(file, width).(object)
}

// atWidth returns what a part of a file says for a width, or nil. It spells out runs, bytes and large numbers.
func atWidth(part any, width string) any {
	switch part := part.(type) {
	case json.Number:
		return must(strconv.ParseUint(part.String(), 10, 64))
	case []any:
		return listAtWidth(part, width)
	case map[string]any:
		kept, widths := object{}, 0
		for name, one := range part {
			widths += strings.Count(" u8 u16 u32 u64 ", " "+name+" ")
			if value := atWidth(one, width); value != nil || one == nil {
				kept[name] = value
			}
		}
		if widths > 0 && widths == len(part) {
			return kept[width]
		}
		return spelledOut(kept)
	}
	return part
}

// listAtWidth drops elements that are for other widths.
func listAtWidth(list []any, width string) any {
	values, objects := []any{}, []object{}
	for _, one := range list {
		fields, _ := one.(map[string]any)
		if !isFor(width, fields["widths"]) {
			continue
		}
		values = append(values, atWidth(one, width))
		if found, is := values[len(values)-1].(object); is {
			objects = append(objects, found)
		}
	}
	if len(objects) == len(values) {
		return objects
	}
	return values
}

func isFor(width string, widths any) bool { return widths == nil || contains(widths.([]any), width) }

func contains(list []any, value any) bool {
	for _, one := range list {
		if one == value {
			return true
		}
	}
	return false
}

// spelledOut returns the digits or the text of a run, the value that an object stands for, or the object itself.
func spelledOut(found object) any {
	for _, spelling := range []string{"hex", "text"} {
		if parts, is := found[spelling].([]any); is {
			found[spelling] = fmt.Sprint(parts...)
		}
		if run, is := found[spelling].(string); is && found["times"] != nil {
			return strings.Repeat(run, found.int("times"))
		}
	}
	switch {
	case len(found) > 1:
	case found["hex"] != nil:
		return fromHex(found.text("hex"))
	case found["text"] != nil:
		return found["text"]
	case found["number"] != nil:
		return must(strconv.ParseUint(found.text("number"), 10, 64))
	}
	return found
}
