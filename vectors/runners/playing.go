// Plays one vector on connections of its own. Without a server it only checks the codec against the bytes of the vector.
package main

import (
	"bufio"
	"net"
	"strings"
	"time"
)

// link is a connection. The steps whose requests wait for a reply are in waiting, by the name of the request.
type link struct {
	net.Conn
	reader  *bufio.Reader
	waiting map[string][]int
}

type play struct {
	layouts
	matcher
	server string
	links  map[string]*link
}

func newPlay(l layouts, server string) *play {
	return &play{l, matcher{object{}, map[int]time.Time{}, map[int]time.Time{}}, server, map[string]*link{}}
}

func (p *play) link(name string) *link {
	if p.links[name] == nil {
		network, address, _ := strings.Cut(p.server, "://")
		connection := must(net.Dial(network, address))
		p.links[name] = &link{connection, bufio.NewReaderSize(connection, 1<<17), map[string][]int{}}
	}
	p.links[name].SetDeadline(time.Now().Add(10 * time.Second))
	return p.links[name]
}

func (p *play) receive(on string, layout object) object {
	link := p.link(on)
	if link.RemoteAddr().Network() != "udp" {
		return readMessage(layout, link.reader)
	}
	datagram := make([]byte, 1<<16)
	return decode(layout, string(datagram[:must(link.Read(datagram))]))
}

// exchange sends a request and receives its reply.
func (p *play) exchange(on, name string, values object) {
	p.link(on).Write([]byte(encode(p.find("request", name), values)))
	p.receive(on, p.find("reply", name))
}

// run plays a vector. It purges the vector's keys before and after.
func (p *play) run(vector object) {
	p.purge(vector)
	defer func() {
		p.purge(vector)
		for _, link := range p.links {
			link.Close()
		}
	}()
	for place, step := range vector.list("steps") {
		on := step.text("on")
		switch {
		case step["any_of"] != nil:
			p.expect(on, step.list("any_of"))
		case step["expect"] != nil:
			p.expect(on, []object{step})
		case step["hex"] != nil:
			p.send(on, place, step)
		case p.server == "":
		case step["close"] != nil:
			p.link(on).Close()
			delete(p.links, on)
		default: // silence: nothing comes before the reply to a ping
			p.exchange(on, "ping", object{"request_id": "1234321"})
		}
	}
}

func (p *play) purge(vector object) {
	for _, key := range vector.list("keys") {
		if p.server != "" {
			p.exchange("purge", "PURGE", key)
		}
	}
}

// checkReply checks that the codec decodes an expected message, and encodes it with the values that the vector names.
// It returns the decoded message.
func checkReply(layout, expected object) object {
	data := fromHex(expected.text("hex"))
	example := decode(layout, data)
	values := example.with(nil)
	for name, value := range expected.object("fields") {
		if _, isMatch := value.(object); !isMatch && name != "status" {
			values[name] = value
		}
	}
	refuseIf(encode(layout, values) != data, "the codec reads "+layout.text("message")+" as "+example.summary())
	return example
}

func (p *play) send(on string, place int, step object) {
	data, name := fromHex(step.text("hex")), step.text("send")
	if name != "" {
		encoded := encode(p.find("request", name), step.object("fields"))
		refuseIf(encoded != data, "the codec does not encode "+name+" as "+step.text("hex"))
	}
	if p.server == "" {
		return
	}
	for _, one := range step.object("substitute") {
		at, name := one.(object)["at"].([]any), one.(object).text("name")
		data = data[:at[0].(uint64)] + p.captured.text(name) + data[at[0].(uint64)+at[1].(uint64):]
	}
	link := p.link(on)
	link.waiting[name] = append(link.waiting[name], place)
	p.sent[place] = time.Now()
	must(link.Write([]byte(data)))
}

// expect receives a message, which has to be one of several.
func (p *play) expect(on string, messages []object) {
	name, kind, examples := messages[0].text("expect"), "reply", []object{}
	if messages[0]["push"] != nil {
		kind = "push"
	}
	layout := p.find(kind, name)
	for _, one := range messages {
		examples = append(examples, checkReply(layout, one))
	}
	if p.server == "" {
		return
	}
	got, link := reply{asked: -1}, p.link(on)
	if waiting := link.waiting[name]; kind == "reply" && len(waiting) > 0 {
		got.asked, link.waiting[name] = waiting[0], waiting[1:]
	}
	got.values = p.receive(on, layout)
	p.arrived[got.asked] = time.Now()
	for i, one := range messages {
		if p.accepts(one, examples[i], got) {
			return
		}
	}
	panic(refused(name + " came as " + got.values.summary()))
}
