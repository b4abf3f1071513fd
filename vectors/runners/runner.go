// Plays the golden vectors of a dialect against a server, and checks a codec against their bytes; docs/vectors.md explains them.
//   go run runner.go VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
// Without a server, only the codec. The server gives the answers of released ones, but for those named. Exit code 1: failures.
package main

import ("bufio"; "bytes"; "encoding/hex"; "encoding/json"; "fmt"; "io"; "math/big"; "net"; "os"; "path/filepath"; "regexp"; "strconv"; "strings"; "time")

type obj = map[string]any
type refused string // a panic: the field, or what is wrong

func must[T any](value T, err error) T { if err != nil { panic(refused(err.Error())) }; return value }
func refuseIf(wrong bool, why string) { if wrong { panic(refused(why)) } }
func refusal(run func()) (why string, is bool) { // why a function panics
	defer func() { if caught := recover(); caught != nil { why, is = fmt.Sprint(caught), true } }()
	run(); return
}
func object(value any) obj { found, _ := value.(obj); return found }
func list(value any) []any { found, _ := value.([]any); return found }
func text(value any) string { found, _ := value.(string); return found }
func number(value any) *big.Int { // of JSON, or of little-endian bytes
	switch of := value.(type) {
	case obj: return number(json.Number(text(of["number"])))
	case json.Number: found, _ := new(big.Int).SetString(of.String(), 10); return found
	case string: back := []byte(of); for i := range back { back[i] = of[len(of)-1-i] }; return new(big.Int).SetBytes(back)
	}
	return new(big.Int)
}
func small(value any) int { return int(number(value).Int64()) }
func atWidth(value any, width string) any {
	switch of := value.(type) {
	case []any:
		kept := []any{}
		for _, one := range of { if widths := list(object(one)["widths"]); widths == nil || strings.Contains(fmt.Sprint(widths), width) { kept = append(kept, atWidth(one, width)) } }
		return kept
	case obj:
		kept, named := obj{}, len(of) > 0
		for name, one := range of { kept[name] = atWidth(one, width); named = named && strings.Contains(" u8 u16 u32 u64 ", " "+name+" ") }
		for name, one := range kept { if one == absent { delete(kept, name) } }
		if named { if one, is := of[width]; is { return one }; return absent }
		return kept
	}
	return value
}
var absent = new(int)
func load(path, width string) obj {
	decoder := json.NewDecoder(bytes.NewReader(must(os.ReadFile(path)))); decoder.UseNumber()
	var file any; must(0, decoder.Decode(&file)); return object(atWidth(file, width))
}
func spelled(parts any, how string) string { // of what runs: spelled so many times
	if one, is := parts.(string); is && how == "hex" { return string(must(hex.DecodeString(one))) } else if is { return one }
	all := ""
	for _, one := range list(parts) { if run := object(one); run != nil { all += strings.Repeat(spelled(run[how], how), small(run["times"])) } else { all += spelled(one, how) } }
	return all
}
func valueOf(field any) any { // a number, bytes, or records
	switch of := field.(type) {
	case []any: records := []obj{}; for _, one := range of { records = append(records, valuesOf(object(one))) }; return records
	case obj: for _, how := range []string{"hex", "text"} { if of[how] != nil { return spelled(of[how], how) } }; return number(of)
	case json.Number: return number(of)
	}
	return field
}
func valuesOf(fields obj) obj { values := obj{}; for name, one := range fields { values[name] = valueOf(one) }; return values }
func isMatch(field any) bool { return object(field)["match"] != nil }

type codec struct { messages []any; answers obj; records map[string][]obj } // for servers that give these answers
func (c *codec) layout(named obj) []any {
	for _, one := range c.messages { is := true; for name, value := range named { is = is && object(one)[name] == value }; if is { return list(object(one)["fields"]) } }
	panic(refused(fmt.Sprint("no layout of ", named)))
}
func (c *codec) present(field, values obj) bool {
	status := values["status"]; if found, is := status.(*big.Int); is && found.Sign() == 0 { status = "\x00" }
	for reading, answer := range object(field["when"]) { if c.answers[reading] != answer { return false } }
	return field["on_success"] == nil || status != "\x00"
}
func (c *codec) encode(layout []any, values obj) (data string) {
	for _, one := range layout {
		field := object(one); name, kind, size := text(field["name"]), field["kind"], small(field["size"]); value := values[name]
		if !c.present(field, values) { continue }
		if of, is := field["of"].(string); is { if records, is := values[of].([]obj); is { value = big.NewInt(int64(len(records))) } else { value = big.NewInt(int64(len(text(values[of])))) } }
		if kind == "constant" { value = spelled(field["hex"], "hex") }
		if value == nil && kind == "number" { value = new(big.Int) }
		if records, is := value.([]obj); is { all := ""; for _, part := range []string{"head", "tail"} { for _, record := range records { all += c.encode(list(field[part]), record) } }; value = all }
		if whole, is := value.(*big.Int); is && kind == "text" { value = whole.String() } else if is {
			refuseIf(whole.BitLen() > 8*size, name)
			back := whole.FillBytes(make([]byte, size)); value = number(string(back)).FillBytes(make([]byte, size)); value = string(value.([]byte))
		}
		raw := text(value); refuseIf(size > 0 && (len(raw) > size || len(raw) < size && field["padded"] == nil), name)
		if data += raw + strings.Repeat("\x00", max(0, size-len(raw))); raw != "" { data += text(field["suffix"]) }
	}
	return
}
func max(a, b int) int { if a > b { return a }; return b }
func (c *codec) decode(layout []any, data string) obj { // bytes of one message
	reader := bufio.NewReaderSize(strings.NewReader(data), len(data)+16); values := c.message(layout, reader)
	_, err := reader.ReadByte(); refuseIf(err == nil, ""); return values
}
func (c *codec) message(layout []any, from *bufio.Reader) obj { c.records = map[string][]obj{}; return c.read(layout, from, obj{}, map[string]int{}) }
func (c *codec) read(layout []any, from *bufio.Reader, values obj, sizes map[string]int) obj {
	for _, one := range layout {
		field := object(one); name, kind, size := text(field["name"]), field["kind"], small(field["size"])
		if !c.present(field, values) { continue }
		if kind == "group" {
			records, own := []obj{}, []map[string]int{}
			for i := 0; i < sizes[name]; i++ { own = append(own, map[string]int{}); records = append(records, c.read(list(field["head"]), from, obj{}, own[i])) }
			for i, record := range records { c.read(list(field["tail"]), from, record, own[i]) }
			values[name], c.records[name] = records, append(c.records[name], records...); continue // over all fragments
		}
		raw := ""
		if kind == "text" {
			rest, _ := from.Peek(from.Size()); found := regexp.MustCompile("^" + text(field["extent"])).FindSubmatch(rest)
			refuseIf(found == nil || !regexp.MustCompile("^(?:"+text(field["pattern"])+")$").Match(found[1]), name)
			raw = string(found[1]); from.Discard(len(raw))
		} else {
			if kind == "bytes" { size = sizes[name] }
			refuseIf(size < 0 || size > 1<<24, name)
			data := make([]byte, size); _, err := io.ReadFull(from, data); refuseIf(err != nil, name); raw = string(data)
		}
		spelled := hex.EncodeToString([]byte(raw)); choices := object(field["choices"])
		refuseIf(field["hex"] != nil && field["hex"] != spelled || choices != nil && choices[spelled] == nil, name)
		of, measures := field["of"].(string)
		if measures && kind == "text" { sizes[of], _ = strconv.Atoi(raw) } else if measures { sizes[of] = int(number(raw).Int64()) } else if kind != "constant" { values[name] = strings.TrimSuffix(raw, text(field["suffix"])) }
	}
	return values
}
func (c *codec) agree(want, got any) bool { // of states: what is named is there, and numbers are equal however they are spelled
	switch of := want.(type) {
	case []any: records := got.([]obj); right := len(of) == len(records); for i := range of { right = right && c.agree(of[i], records[i]) }; return right
	case string: a, e := strconv.ParseFloat(of, 64); b, f := strconv.ParseFloat(text(got), 64); return of == got || strings.Contains(text(got), ".") && e == nil && f == nil && a == b
	}
	named, values, wants := obj{"message": object(want)["format"]}, object(got), object(want)
	if named["message"] == nil { named = obj{"strategy": object(want)["strategy"]} }
	if wants["fields"] != nil { values, wants = c.decode(c.layout(named), text(got)), object(wants["fields"]) }
	for name, one := range wants { if !c.agree(one, values[name]) { return false } }
	return true
}

type waiting struct { name any; place int }
type link struct { net.Conn; reader *bufio.Reader; waiting []waiting } // with requests that wait for their replies
type play struct { // one vector, on connections of its own; without a server, its bytes and the codec alone
	*codec; server []string; links map[string]*link; captured obj; sent, arrived map[int]time.Time; asked int
}
func (p *play) link(name string) *link {
	if p.links[name] == nil { connection := must(net.Dial(p.server[0], p.server[1])); p.links[name] = &link{connection, bufio.NewReaderSize(connection, 1<<17), nil} }
	p.links[name].SetDeadline(time.Now().Add(10 * time.Second)); return p.links[name]
}
func (p *play) receive(on string, layout []any) obj {
	if p.server[0] != "udp" { return p.message(layout, p.link(on).reader) }
	datagram := make([]byte, 1<<16); return p.decode(layout, string(datagram[:must(p.link(on).Read(datagram))]))
}
func (p *play) exchange(on, name string, values obj) {
	p.link(on).Write([]byte(p.encode(p.layout(obj{"kind": "request", "message": name}), values)))
	p.receive(on, p.layout(obj{"kind": "reply", "message": name}))
}
func (p *play) run(vector obj) {
	purge := func() { for _, key := range list(vector["keys"]) { if p.server != nil { p.exchange("purge", "PURGE", valuesOf(object(key))) } } }
	purge(); defer func() { purge(); for _, one := range p.links { one.Close() } }()
	for place, one := range list(vector["steps"]) {
		step := object(one); _, sends := step["send"]; messages := list(step["any_of"])
		if step["expect"] != nil { messages = []any{step} }
		switch {
		case step["request"] != nil: p.answer(object(step["request"]), object(step["answer"]))
		case sends: p.send(place, step)
		case messages != nil: p.expect(messages, text(step["on"]))
		case p.server == nil:
		case step["close"] != nil: p.link(text(step["on"])).Close()
		default: p.exchange(text(step["on"]), "ping", obj{"request_id": "1234321"}) // nothing comes before its reply
		}
	}
}
func (p *play) answer(asked, answer obj) { // of states
	want, state := answer, text(asked["state"]); if asked["op"] == "encode" { want, state = asked, text(answer["state"]) }
	if answer["error"] == nil { refuseIf(!p.agree(want, state), "the codec reads "+state+" otherwise"); return }
	parts := obj{}; for i, part := range list(asked["of"]) { parts[[]string{"primary", "secondary"}[i]] = obj{"strategy": part, "fields": obj{}} }
	_, is := refusal(func() { p.agree(obj{"strategy": asked["strategy"], "fields": parts}, state) }); refuseIf(!is, "the codec reads "+state)
}
func (p *play) send(place int, step obj) {
	data, name := spelled(step["hex"], "hex"), step["send"]
	if name != nil { refuseIf(p.encode(p.layout(obj{"kind": "request", "message": name}), valuesOf(object(step["fields"]))) != data, "the codec does not encode "+hex.EncodeToString([]byte(data))) }
	if p.server == nil { return }
	for _, one := range object(step["substitute"]) { at := list(object(one)["at"]); data = data[:small(at[0])] + text(p.captured[text(object(one)["name"])]) + data[small(at[0])+small(at[1]):] }
	to := p.link(text(step["on"])); to.waiting = append(to.waiting, waiting{name, place}); p.sent[place] = time.Now(); must(to.Write([]byte(data)))
}
func (p *play) expect(messages []any, on string) {
	first, kind, examples := object(messages[0]), "reply", []obj{}; if first["push"] != nil { kind = "push" }
	layout := p.layout(obj{"kind": kind, "message": first["expect"]})
	for _, one := range messages {
		data, values := spelled(object(one)["hex"], "hex"), obj{}; example := p.decode(layout, data); examples = append(examples, example)
		for name, raw := range example { values[name] = raw }
		for name, field := range object(object(one)["fields"]) { if name != "status" && !isMatch(field) { values[name] = valueOf(field) } }
		refuseIf(p.encode(layout, values) != data, fmt.Sprint("the codec reads ", first["expect"], " as ", example))
	}
	if p.server == nil { return }
	from := p.link(on); p.asked = -1
	for i, one := range from.waiting { if one.name == first["expect"] && kind == "reply" { p.asked = one.place; from.waiting = append(from.waiting[:i:i], from.waiting[i+1:]...); break } }
	values := p.receive(on, layout); p.arrived[p.asked] = time.Now()
	for i, one := range messages { if p.agrees(object(one), examples[i], values) { return } }
	panic(refused(fmt.Sprintf("%v came as %.300q", first["expect"], values)))
}
func (p *play) elapsed(since any) (*big.Int, *big.Int) { // the least and the most time between two requests, in nanoseconds
	place, least := small(since), time.Duration(0)
	if arrived, is := p.arrived[place]; is && p.sent[p.asked].After(arrived) { least = p.sent[p.asked].Sub(arrived) }
	return big.NewInt(int64(least)), big.NewInt(int64(p.arrived[p.asked].Sub(p.sent[place])))
}
func (p *play) agrees(message, example, values obj) bool {
	wants := object(message["fields"])
	if after := object(message["only_after"]); after != nil { _, most := p.elapsed(after["since"]); if new(big.Int).Mul(number(after["full"]), number(after["unit_ns"])).Cmp(most) > 0 { return false } }
	for name, raw := range example { _, group := raw.([]obj); got, is := values[name]; if !is || !group && !isMatch(wants[name]) && got != raw { return false } }
	for name, one := range wants { if isMatch(one) && !p.matches(object(one), one, values[name], name) { return false } }
	return len(example) == len(values)
}
func (p *play) matches(want obj, plain, raw any, name string) bool {
	whole, known := number(raw), text(p.captured[text(want["name"])])
	switch want["match"] {
	case nil: value := valueOf(plain); if number, is := value.(*big.Int); is { return number.Cmp(whole) == 0 }; return value == raw
	case "capture": p.captured[text(want["name"])] = raw
	case "captured": return raw == known
	case "captured_hex": return raw == hex.EncodeToString([]byte(known))
	case "range": return number(want["min"]).Cmp(whole) <= 0 && whole.Cmp(number(want["max"])) <= 0
	case "one_of": for _, one := range list(want["choices"]) { if number(one).Cmp(whole) == 0 { return true } }; return false
	case "set_of":
		found := p.records[name]
		for _, one := range list(want["records"]) {
			hits := 0
			for _, record := range found { is := true; for field, wanted := range object(one) { is = is && p.matches(object(wanted), wanted, record[field], field) }; if is { hits++ } }
			if hits != 1 { return false }
		}
		return want["exactly"] != true || len(found) == len(list(want["records"]))
	case "remaining":
		least, most := p.elapsed(want["since"]); unit := number(want["unit_ns"]); full := new(big.Int).Mul(number(want["full"]), unit)
		if unit.Cmp(big.NewInt(1e9)) < 0 && full.Cmp(least) > 0 { least.Sub(least, new(big.Int).Rem(least, unit)) } // short units pass as a whole
		longest, shortest := new(big.Int).Sub(full, least), new(big.Int).Sub(full, most); if shortest.Sign() < 0 { shortest.SetInt64(0) }
		return longest.Sign() > 0 && shortest.Quo(shortest, unit).Cmp(whole) <= 0 && whole.Cmp(new(big.Int).Quo(longest, unit)) <= 0
	}
	return true
}
func (c *codec) checkInvalid(message, one obj) { // bytes or values of a message that is not legal
	layout, valid, bytes := c.layout(obj{"kind": message["kind"], "message": message["message"]}), spelled(message["valid"], "hex"), ""
	if one["first"] != nil { bytes = valid[:small(one["first"])] } else if one["hex"] != nil { bytes = spelled(one["hex"], "hex") }
	why, is := refusal(func() {
		if one["change"] == nil { c.decode(layout, bytes); return }
		values := valuesOf(object(message["fields"])); for name, value := range valuesOf(object(one["change"])) { values[name] = value }; c.encode(layout, values)
	})
	refuseIf(!is || why != text(one["field"]) && one["kind"] != "size", "is refused at "+why)
}
func main() {
	if len(os.Args) < 3 { fmt.Fprintln(os.Stderr, "usage: runner VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]"); os.Exit(2) }
	directory, spoken := os.Args[1], strings.SplitN(os.Args[2]+"/", "/", 3); dialect, width := spoken[0], spoken[1]
	layouts, given, server := load(filepath.Join(directory, "layouts", dialect+".json"), width), obj{}, []string(nil)
	for _, one := range os.Args[3:] { if strings.Contains(one, "://") { server = strings.Split(one, "://") } else if parts := strings.SplitN(one, "=", 2); len(parts) == 2 { given[parts[0]] = parts[1] } }
	passed, failed, skipped := 0, 0, 0
	try := func(id, profile string, vector obj, run func(*play)) {
		answers := obj{}; for reading, answer := range object(object(layouts["answers"])[profile]) { answers[reading] = answer }
		if server != nil { for reading, answer := range object(object(layouts["answers"])["deployed"]) { answers[reading] = answer }; for reading, answer := range given { answers[reading] = answer } }
		skip := vector["operation"] == "decide"
		for reading, answer := range object(vector["readings"]) { skip = skip || server != nil && answers[reading] != answer; answers[reading] = answer }
		if skip { skipped++; return }
		player := &play{&codec{list(layouts["messages"]), answers, nil}, server, map[string]*link{}, obj{}, map[int]time.Time{}, map[int]time.Time{}, -1}
		if why, is := refusal(func() { run(player) }); is { failed++; fmt.Printf("FAIL %s: %s\n", strings.Replace(id, "{width}", width, 1), why) } else { passed++ }
	}
	for _, one := range list(load(filepath.Join(directory, "invalid", dialect+".json"), width)["messages"]) {
		message := object(one)
		for _, one := range list(message["invalid"]) { if server != nil { break }; bad := object(one); try("invalid/"+text(message["message"])+"/"+text(bad["id"]), "deployed", nil, func(p *play) { p.checkInvalid(message, bad) }) }
	}
	for profile, folder := range map[string]string{"deployed": "", "literal": "literal"} {
		for _, path := range must(filepath.Glob(filepath.Join(directory, dialect, folder, "*.json"))) {
			file := load(path, width); if widths := list(file["widths"]); widths != nil && !strings.Contains(fmt.Sprint(widths), width) { continue }
			for _, one := range list(file["vectors"]) { vector := object(one); try(text(vector["id"]), profile, vector, func(p *play) { p.run(vector) }) }
		}
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || passed == 0 { os.Exit(1) }
}
