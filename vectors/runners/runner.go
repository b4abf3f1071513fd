// Plays the golden vectors of a dialect against a server, and checks a codec against their bytes. docs/vectors.md explains them.
// go run vectors/runners/*.go VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
// Without a server, it only checks the codec. READING=ANSWER: how the server differs from released ones. Exit code 1: failures.
package main

import (
	"fmt"
	"os"
	"strings"
)

// layouts are those of messages as servers with these answers lay them out.
type layouts struct {
	messages []object
	answers  object
}

// find returns the layout of a message, or of the format that a strategy writes.
func (l layouts) find(kind, name string) object {
	for _, one := range l.messages {
		if one["kind"] == kind && (one["message"] == name || one["strategy"] == name) {
			return one.with(object{"fields": l.applicable(one.list("fields"))})
		}
	}
	panic(refused("there is no layout of the " + kind + " " + name))
}

// applicable drops fields that only servers with other answers have.
func (l layouts) applicable(fields []object) (kept []object) {
	for _, field := range fields {
		if field["when"] == nil || l.answers.has(field.object("when")) {
			parts := object{"head": l.applicable(field.list("head")), "tail": l.applicable(field.list("tail"))}
			kept = append(kept, field.with(parts))
		}
	}
	return kept
}

func refuseIf(wrong bool, why string) {
	if wrong {
		panic(refused(why))
	}
}

func must[T any](value T, err error) T {
	refuseIf(err != nil, fmt.Sprint(err))
	return value
}

// refusal returns the reason if a function panics, and true.
func refusal(run func()) (why string, is bool) {
	defer func() {
		if caught := recover(); caught != nil {
			why, is = fmt.Sprint(caught), true
		}
	}()
	run()
	return
}

// checkInvalid checks that the codec refuses an invalid message, and at the right field.
func checkInvalid(l layouts, message, invalid object) {
	layout, data := l.find(message.text("kind"), message.text("message")), fromHex(invalid.text("hex"))
	if invalid["first"] != nil {
		data = fromHex(message.text("valid"))[:invalid.int("first")]
	}
	why, isRefused := refusal(func() {
		if invalid["change"] == nil {
			decode(layout, data)
		} else {
			encode(layout, message.object("fields").with(invalid.object("change")))
		}
	})
	refuseIf(!isRefused || why != invalid.text("field") && invalid["kind"] != "size", "is refused at "+why)
}

// checkState checks that the codec reads the right values in a state, or refuses a state that is in error.
func checkState(l layouts, asked, answer object) {
	want, state := answer, asked.text("state")
	if asked["op"] == "encode" {
		want, state = asked, answer.text("state")
	}
	if answer["error"] == nil {
		refuseIf(!agree(l, want, state), "the codec reads "+state+" otherwise")
		return
	}
	parts := object{}
	strategies, _ := asked["of"].([]any)
	for i, strategy := range strategies {
		parts[[]string{"primary", "secondary"}[i]] = object{"strategy": strategy, "fields": object{}}
	}
	_, isRefused := refusal(func() { agree(l, asked.with(object{"fields": parts}), state) })
	refuseIf(!isRefused, "the codec reads "+state+" otherwise")
}

// run plays a vector. States and invalid messages concern only the codec.
func run(vector object, l layouts, server string) {
	switch {
	case vector["invalid"] != nil:
		checkInvalid(l, vector.object("message"), vector.object("invalid"))
	case vector["operation"] != nil:
		for _, step := range vector.list("steps") {
			checkState(l, step.object("request"), step.object("answer"))
		}
	default:
		newPlay(l, server).run(vector)
	}
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: runner VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]")
		os.Exit(2)
	}
	directory := os.Args[1]
	dialect, width, _ := strings.Cut(os.Args[2], "/")
	given, server := object{}, ""
	for _, option := range os.Args[3:] {
		if strings.Contains(option, "://") {
			server = option
		} else if reading, answer, is := strings.Cut(option, "="); is {
			given[reading] = answer
		}
	}
	file := load(width, directory, "layouts", dialect+".json")
	all := vectors(directory, dialect, width)
	if server == "" {
		all = append(invalidMessages(directory, dialect, width), all...)
	}
	played, failed, skipped := 0, 0, 0
	for _, one := range all {
		answers, readings := file.object("answers").object("deployed").with(given), one.object("readings")
		if server == "" {
			answers = file.object("answers").object(one.text("profile")).with(readings)
		}
		if one["operation"] == "decide" || !answers.has(readings) {
			skipped++
			continue
		}
		played++
		if why, is := refusal(func() { run(one, layouts{file.list("messages"), answers}, server) }); is {
			failed++
			fmt.Printf("FAIL %s: %s\n", strings.Replace(one.text("id"), "{width}", width, 1), why)
		}
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", played-failed, failed, skipped)
	if failed > 0 || played == 0 {
		os.Exit(1)
	}
}
