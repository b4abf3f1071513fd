-- What is the same for every dialect: reads messages by the tables above.

local proto = Proto(dialect.id, dialect.title)

local default_port = dialect.transport == "tcp" and 9000 or 2000
proto.prefs.port = Pref.uint("Port of the server", default_port, "Messages to this port are requests")
if #dialect.widths > 1 then
  proto.prefs.width = Pref.uint("Value width in bytes", 2, "1, 2, 4 or 8: as the server was built")
end

local function value_width()
  return #dialect.widths > 1 and proto.prefs.width or dialect.widths[1]
end

-- Fields.

local fields = {}
local declared = {}

local function plain(name)
  return (name:lower():gsub("[^a-z0-9]+", "_"):gsub("^_", ""):gsub("_$", ""))
end

local number_kinds = {opcode = true, integer = true, size = true, count = true}

local function make_field(field, abbreviation)
  local name = field.name
  if field.unit then name = name .. " (" .. field.unit .. ")" end
  if field.kind == "opcode" then return ProtoField.uint8(abbreviation, name, base.HEX) end
  if field.kind == "status" or field.kind == "choice" then
    return ProtoField.uint8(abbreviation, name, base.DEC, field.choices)
  end
  if number_kinds[field.kind] then return ProtoField.uint64(abbreviation, name, base.DEC) end
  if field.kind == "bytes" or field.kind == "opaque" then return ProtoField.bytes(abbreviation, name) end
  return ProtoField.string(abbreviation, name)
end

-- Fields of one name and kind share a filter; of another kind, they get one of their own.
local function declare_list(list)
  for _, field in ipairs(list) do
    if field.kind == "group" then
      declare_list(field.head)
      declare_list(field.tail or {})
    else
      local name = field.kind == "literal" and "literal" or plain(field.name)
      local class = number_kinds[field.kind] and "number" or field.kind
      local key = name .. "/" .. class .. "/" .. (field.unit or "")
      if not declared[key] then
        local abbreviation = dialect.id .. "." .. name
        if declared[abbreviation] then abbreviation = abbreviation .. "_" .. class end
        while declared[abbreviation] do abbreviation = abbreviation .. "x" end
        declared[abbreviation] = true
        declared[key] = make_field(field, abbreviation)
        fields[#fields + 1] = declared[key]
      end
      field.proto_field = declared[key]
    end
  end
end

local function declare_message(message)
  if not message then return end
  declare_list(message.fields)
  declare_list(message.on_success)
end

for _, operation in ipairs(dialect.operations) do
  declare_message(operation.request)
  declare_message(operation.reply)
end
for _, push in ipairs(dialect.pushes) do declare_message(push.message) end

local field_operation = ProtoField.string(dialect.id .. ".operation", "Operation")
local field_reply_in = ProtoField.framenum(dialect.id .. ".reply_in", "Reply in", base.NONE, frametype.RESPONSE)
local field_request_in = ProtoField.framenum(dialect.id .. ".request_in", "Request in", base.NONE, frametype.REQUEST)
local field_time = ProtoField.double(dialect.id .. ".time", "Seconds since the request")
fields[#fields + 1] = field_operation
fields[#fields + 1] = field_reply_in
fields[#fields + 1] = field_request_in
fields[#fields + 1] = field_time
proto.fields = fields

local experts = {
  malformed = ProtoExpert.new(dialect.id .. ".malformed", "Malformed message", expert.group.MALFORMED, expert.severity.ERROR),
  unlisted = ProtoExpert.new(dialect.id .. ".unlisted", "Value that is not listed", expert.group.PROTOCOL, expert.severity.WARN),
  unasked = ProtoExpert.new(dialect.id .. ".unasked", "No request asked for this, as far as is captured", expert.group.SEQUENCE, expert.severity.NOTE),
  refused = ProtoExpert.new(dialect.id .. ".refused", "The server says failure", expert.group.RESPONSE_CODE, expert.severity.CHAT),
}
local all_experts = {}
for _, one in pairs(experts) do all_experts[#all_experts + 1] = one end
proto.experts = all_experts

local stream_number = Field.new(dialect.transport .. ".stream")

-- Reading. A reader returns false and the reason when the bytes are not such a message, and nil when
-- the message goes on behind them.

local function number_at(range)
  local number = range:len() <= 4 and range:le_uint() or range:le_uint64()
  return number, type(number) == "number" and number or number:tonumber()
end

local read_list

local readers = {}

local function read_number(state, field)
  local width = field.width
  if field.kind == "opcode" then width = 1 end
  if width == 0 then width = value_width() end
  if state.at + width > state.tvb:len() then return nil end
  local range = state.tvb(state.at, width)
  local _, number = number_at(range)
  if field.kind == "opcode" and number ~= field.code then return false, "another opcode" end
  if field.kind == "status" then
    if number > 1 then return false, string.format("status %02x is neither 00 nor 01", number) end
    state.status = number
  end
  state.items[#state.items + 1] = {field = field, range = range, number = number}
  state.at = state.at + width
  return true, number
end

for _, kind in ipairs({"opcode", "status", "integer", "choice", "size", "count"}) do
  readers[kind] = read_number
end

local function take(state, field, length)
  if state.at + length > state.tvb:len() then return nil end
  state.items[#state.items + 1] = {field = field, range = length > 0 and state.tvb(state.at, length) or nil, at = state.at}
  state.at = state.at + length
  return true
end

readers.bytes = function(state, field, scope) return take(state, field, scope[field.name] or 0) end
readers.opaque = function(state, field) return take(state, field, field.width) end
readers.text = readers.opaque

readers.group = function(state, field, scope)
  local count = scope[field.name] or 0
  local open = {field = field, count = count, at = state.at, children = {}}
  local items = state.items
  items[#items + 1] = open
  state.items = open.children
  local scopes = {}
  for _, part in ipairs({field.head, field.tail or {}}) do
    for i = 1, #part > 0 and count or 0 do
      scopes[i] = scopes[i] or {}
      local record = {field = field, record = i - 1, at = state.at, children = {}}
      local siblings = state.items
      siblings[#siblings + 1] = record
      state.items = record.children
      local done, why = read_list(state, part, scopes[i])
      if not done then return done, why end
      state.items = siblings
      record.length = state.at - record.at
    end
  end
  state.items = items
  open.length = state.at - open.at
  return true
end

-- Messages of text are all of a datagram: nothing goes on behind them.

local function rest_of(state)
  if state.at >= state.tvb:len() then return "" end
  return state.tvb(state.at):raw()
end

local function take_text(state, field, length, why)
  if not length then return false, field.name .. " " .. why end
  return take(state, field, length)
end

readers.literal = function(state, field)
  if rest_of(state):sub(1, #field.spelling) ~= field.spelling then
    return false, "\"" .. field.spelling .. "\" was expected"
  end
  return take(state, field, #field.spelling)
end

readers.tag = function(state, field)
  local digits = rest_of(state):match("^(%d+) ")
  state.id = digits or ""
  if not digits then return true end
  take(state, field, #digits)
  state.at = state.at + 1
  return true
end

readers.decimal = function(state, field)
  local pattern = "^%d+"
  if field.decimals > 0 then pattern = pattern .. "%." .. string.rep("%d", field.decimals) end
  local text = rest_of(state):match(pattern)
  return take_text(state, field, text and #text, "is not a number")
end

readers.word = function(state, field)
  local text = rest_of(state)
  local stop = text:find(field.ends, 1, true)
  local length = stop and stop - 1 or #text
  return take_text(state, field, length > 0 and length or nil, "is empty")
end

readers.line = function(state, field)
  local text = rest_of(state)
  return take_text(state, field, not text:find("\n", 1, true) and #text or nil, "holds a newline")
end

read_list = function(state, list, scope)
  for _, field in ipairs(list) do
    local done, why = readers[field.kind](state, field, scope)
    if not done then return done, why end
    if field.of then scope[field.of] = why end
  end
  return true
end

local function read_message(tvb, offset, message)
  local state = {tvb = tvb, at = offset, items = {}}
  local scope = {}
  local done, why = read_list(state, message.fields, scope)
  if done and (state.status == nil or state.status == 1) then
    done, why = read_list(state, message.on_success, scope)
  end
  if done and dialect.transport == "udp" and state.at < tvb:len() then
    return false, "bytes are left over"
  end
  if not done then return done, why end
  return state
end

-- Showing.

local function printable(range)
  local text = range:raw()
  if #text == 0 or #text > 64 or text:find("[^\32-\126]") then return nil end
  return " \"" .. text .. "\""
end

local function show_field(item, tree)
  local field = item.field
  if not item.range then
    local empty = tree:add(field.proto_field, "")
    empty:set_len(0)
    return
  end
  local shown
  if field.kind == "opcode" or item.number then
    shown = tree:add_le(field.proto_field, item.range)
  else
    shown = tree:add(field.proto_field, item.range)
  end
  if field.kind == "bytes" then
    local text = printable(item.range)
    if text then shown:append_text(text) end
  end
  if field.choices and field.choices[item.number] == nil then
    shown:add_proto_expert_info(experts.unlisted)
  end
  if field.kind == "status" and item.number == 0 then shown:add_proto_expert_info(experts.refused) end
end

local function show_items(tvb, items, tree)
  for _, item in ipairs(items) do
    if not item.children then
      show_field(item, tree)
    else
      local name = item.field.name
      local label = item.record and string.format("%s[%d]", name, item.record) or string.format("%s: %d", name, item.count)
      local length = item.length or 0
      local inner = length > 0 and tree:add(proto, tvb(item.at, length), label) or tree:add(proto, label)
      show_items(tvb, item.children, inner)
    end
  end
end

-- Pairing: requests in order, each with its reply; of those with an id, by the id.

local streams = {}
local known = {}

function proto.init()
  streams = {}
  known = {}
end

local function stream_of(pinfo)
  local field = stream_number()
  local key = field and tostring(field.value) or "?"
  streams[key] = streams[key] or {first = 1, last = 0, pending = {}}
  return streams[key]
end

local function key_of(tvb, pinfo, offset)
  return pinfo.number .. ":" .. (tvb:offset() + offset) .. ":" .. tvb:len()
end

local function id_of(state)
  if state.id then return state.id end
  for _, item in ipairs(state.items) do
    if item.field.name == "request_id" and item.number then return tostring(item.number) end
  end
end

local function add_request(stream, entry)
  stream.last = stream.last + 1
  stream.pending[stream.last] = entry
end

local function oldest(stream)
  while stream.first <= stream.last and not stream.pending[stream.first] do
    stream.first = stream.first + 1
  end
  return stream.pending[stream.first]
end

-- Takes the request of that id; without an id the oldest one.
local function take_request(stream, id)
  for i = stream.first, stream.last do
    local entry = stream.pending[i]
    if entry and (id == nil or entry.id == id) then
      stream.pending[i] = nil
      return entry
    end
  end
end

local function push_at(tvb, offset)
  local code = tvb(offset, 1):uint()
  for _, push in ipairs(dialect.pushes) do
    if push.opcode == code then return push end
  end
end

-- A reply that starts with a status does not start with the opcode of a push.
local function can_be_reply(operation, tvb, offset)
  local first = operation.reply.fields[1] or operation.reply.on_success[1]
  return first.kind ~= "status" or tvb(offset, 1):uint() <= 1
end

local function read_request(tvb, pinfo, offset)
  for _, operation in ipairs(dialect.operations) do
    local matches = dialect.transport == "udp" or operation.opcode == tvb(offset, 1):uint()
    if matches then
      local state, why = read_message(tvb, offset, operation.request)
      if state or dialect.transport == "tcp" then return state, why, operation end
    end
  end
  return false, "no operation has this opcode"
end

local function note_request(tvb, pinfo, offset, state, operation)
  local key = key_of(tvb, pinfo, offset)
  if not pinfo.visited then
    known[key] = {operation = operation, frame = pinfo.number, time = pinfo.rel_ts, id = id_of(state)}
    if operation.reply then add_request(stream_of(pinfo), known[key]) end
  end
  return known[key]
end

-- The reply of a datagram names its request by its id; if that was not captured, its form tells.
local function read_datagram_reply(tvb, pinfo, offset)
  local key = key_of(tvb, pinfo, offset)
  for _, operation in ipairs(dialect.operations) do
    local state = read_message(tvb, offset, operation.reply)
    if state then
      if not pinfo.visited then
        local entry = take_request(stream_of(pinfo), state.id)
        known[key] = entry or false
        if entry then entry.reply_frame = pinfo.number end
      end
      return state, nil, {name = operation.name, entry = known[key] or nil}
    end
  end
  return false, "not a reply of " .. dialect.title
end

local function read_stream_reply(tvb, pinfo, offset)
  local key = key_of(tvb, pinfo, offset)
  local entry = known[key]
  local stream = stream_of(pinfo)
  if not pinfo.visited then entry = oldest(stream) end
  local push = push_at(tvb, offset)
  if push and not (entry and can_be_reply(entry.operation, tvb, offset)) then
    local state, why = read_message(tvb, offset, push.message)
    return state, why, {name = push.name}
  end
  if not entry then return false, "no request asked for this, as far as is captured", {unasked = true} end
  local state, why = read_message(tvb, offset, entry.operation.reply)
  if state and not pinfo.visited then
    entry = take_request(stream, id_of(state)) or take_request(stream)
    entry.reply_frame = pinfo.number
    known[key] = entry
  end
  return state, why, {name = entry.operation.name, entry = entry}
end

-- The dissector.

local function show_message(tvb, offset, state, tree, label)
  local range = tvb(offset, state.at - offset)
  local inner = tree:add(proto, range, dialect.title .. ", " .. label)
  inner:add(field_operation, label):set_generated()
  show_items(tvb, state.items, inner)
  return inner
end

local function show_malformed(tvb, offset, tree, why, kind)
  local range = tvb(offset)
  tree:add(proto, range, dialect.title .. ", not decoded: " .. why):add_proto_expert_info(experts[kind], why)
end

local function dissect_one(tvb, pinfo, offset, tree, from_client)
  if from_client then
    local state, why, operation = read_request(tvb, pinfo, offset)
    if not state then return state, why, "malformed" end
    local entry = note_request(tvb, pinfo, offset, state, operation)
    local inner = show_message(tvb, offset, state, tree, operation.name .. " request")
    if entry and entry.reply_frame then inner:add(field_reply_in, entry.reply_frame):set_generated() end
    return state, operation.name .. " request"
  end
  local read = dialect.transport == "tcp" and read_stream_reply or read_datagram_reply
  local state, why, about = read(tvb, pinfo, offset)
  if not state then return state, why, about and about.unasked and "unasked" or "malformed" end
  local label = about.name .. (about.entry and " reply" or dialect.transport == "udp" and " reply" or " push")
  local inner = show_message(tvb, offset, state, tree, label)
  if about.entry then
    inner:add(field_request_in, about.entry.frame):set_generated()
    inner:add(field_time, pinfo.rel_ts - about.entry.time):set_generated()
  elseif dialect.transport == "udp" then
    inner:add_proto_expert_info(experts.unasked)
  end
  return state, label
end

function proto.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 or tvb:len() < tvb:reported_len() then return 0 end
  pinfo.cols.protocol = dialect.id
  local from_client = pinfo.dst_port == proto.prefs.port
  local offset = 0
  local labels = {}
  while offset < tvb:len() do
    local state, label, kind = dissect_one(tvb, pinfo, offset, tree, from_client)
    if state == nil and dialect.transport == "tcp" then
      pinfo.desegment_offset = offset
      pinfo.desegment_len = DESEGMENT_ONE_MORE_SEGMENT
      break
    end
    if not state then
      show_malformed(tvb, offset, tree, label or "ends too early", kind or "malformed")
      labels[#labels + 1] = "not decoded"
      break
    end
    labels[#labels + 1] = label
    offset = state.at
  end
  if #labels > 0 then pinfo.cols.info = table.concat(labels, ", ", 1, math.min(#labels, 8)) end
  return tvb:len()
end

local port_table = DissectorTable.get(dialect.transport .. ".port")
local registered

local function register()
  if registered == proto.prefs.port then return end
  if registered then port_table:remove(registered, proto) end
  registered = proto.prefs.port
  port_table:add(registered, proto)
end

proto.prefs_changed = register
register()
