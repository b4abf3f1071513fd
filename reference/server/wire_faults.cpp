#include "reference/server/wire_faults.hpp"

#include <algorithm>

#include "reference/server/wire_spoiling.hpp"

namespace hallmark::server {
namespace {

using mutants::operator""_mutant;
using namespace spoiling;  // NOLINT(google-build-using-namespace): made for this file
using protocol::ByteBuffer;
using protocol::Bytes;
using protocol::Decoder;
using protocol::FieldValue;
using protocol::Kind;
using protocol::Record;
using Faults = std::vector<WireFault>;

/// A fault about what keys are taken for.
WireFault of_keys(mutants::Index mutant, void (*change)(Bytes&)) {
  return {.mutant = mutant, .request = [change](Record& values, const WireContext&) {
            for (const char* name : {"key", "consumer_id", "resource_id"})
              with_bytes(values, name, change);
          }};
}

WireFault of_request(mutants::Index mutant, std::string_view operation, void (*change)(Record&)) {
  return {.mutant = mutant,
          .operations = {operation},
          .request = [change](Record& values, const WireContext&) { change(values); }};
}

WireFault of_reply(mutants::Index mutant, std::vector<std::string_view> operations,
                   void (*change)(Record&)) {
  return {.mutant = mutant,
          .operations = std::move(operations),
          .reply = [change](Record& values, const WireContext&) { change(values); }};
}

WireFault of_bytes(mutants::Index mutant, std::vector<std::string_view> operations,
                   void (*change)(Bytes&, const Decoder&, const WireContext&)) {
  return {.mutant = mutant, .operations = std::move(operations), .bytes = change};
}

WireFault of_framing(mutants::Index mutant, WireFraming framing) {
  return {.mutant = mutant, .framing = framing};
}

/// A listing that announces one fragment too many.
WireFault one_fragment_more(mutants::Index mutant, std::string_view operation) {
  return of_bytes(mutant, {operation},
                  [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                    increment_count(bytes, decoder, "number_of_fragments");
                  });
}

void number_faults(Faults& all) {
  all.push_back(of_framing("codes.shifted"_mutant, WireFraming::codes_shifted));
  all.push_back(of_bytes("numbers.replies-big-endian"_mutant, {}, all_big_endian));
  const auto each_value = [](Record& values, const WireContext& context, auto change) {
    for (const char* name : {"quota", "ttl", "value"}) {
      const protocol::Value* const value = values.find(name);
      if (value == nullptr || !std::holds_alternative<std::uint64_t>(*value)) continue;
      values.set(name, change(std::get<std::uint64_t>(*value),
                              protocol::bytes_of(context.layout.width())));
    }
  };
  all.push_back({.mutant = "numbers.requests-big-endian"_mutant,
                 .request = [=](Record& values, const WireContext& context) {
                   each_value(values, context, reversed);
                 }});
  all.push_back({.mutant = "numbers.half-width"_mutant,
                 .request = [=](Record& values, const WireContext& context) {
                   each_value(values, context, [](std::uint64_t number, std::size_t width) {
                     return number & protocol::max_of_width(std::max<std::size_t>(width / 2, 1));
                   });
                 }});
  all.push_back({.mutant = "numbers.signed"_mutant,
                 .request = [=](Record& values, const WireContext& context) {
                   each_value(values, context, [](std::uint64_t number, std::size_t width) {
                     return number > protocol::max_of_width(width) / 2 ? 0 : number;
                   });
                 }});
}

void status_faults(Faults& all) {
  all.push_back({.mutant = "status.inverted"_mutant,
                 .operations = {"INSERT", "UPDATE", "PURGE", "SET"},
                 .reply = [](Record& values, const WireContext&) {
                   with_number(values, "status", [](std::uint64_t status) { return 1 - status; });
                 }});
  all.push_back(of_bytes("status.counts"_mutant, {"INSERT", "UPDATE", "PURGE", "SET"},
                         [](Bytes& bytes, const Decoder&, const WireContext&) {
                           if (bytes[0] == success) bytes[0] = 2;
                         }));
  all.push_back(
      of_bytes("status.always-success"_mutant, {"INSERT", "UPDATE", "PURGE", "SET"},
               [](Bytes& bytes, const Decoder&, const WireContext&) { bytes[0] = success; }));
  all.push_back(of_bytes(
      "status.doubled"_mutant, {"SET"},
      [](Bytes& bytes, const Decoder&, const WireContext&) { bytes.push_back(bytes[0]); }));
  all.push_back(of_bytes("status.of-insert-missing"_mutant, {"INSERT"},
                         [](Bytes& bytes, const Decoder&, const WireContext&) { bytes.clear(); }));
}

/// Faults of dialects that are not the one that most are tried with.
void other_status_faults(Faults& all) {
  const auto inverted = [](Record& values, const WireContext&) {
    with_number(values, "status", [](std::uint64_t status) { return 1 - status; });
  };
  all.push_back({.mutant = "status.of-subscriptions-inverted"_mutant,
                 .operations = {"SUBSCRIBE", "UNSUBSCRIBE"},
                 .reply = inverted});
  all.push_back({.mutant = "status.of-publish-inverted"_mutant,
                 .operations = {"PUBLISH"},
                 .reply = inverted});
  all.push_back(of_bytes("status.of-listings-missing"_mutant, {"INFO", "LIST", "WHOAMI"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "status");
                         }));
  all.push_back(of_bytes("reply.id-missing"_mutant, {},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "request_id");
                         }));
  all.push_back(
      {.mutant = "reply.id-off-by-one"_mutant, .reply = [](Record& values, const WireContext&) {
         with_number(values, "request_id", [](std::uint64_t id) { return (id + 1) & 0xffffffff; });
       }});
}

void request_faults(Faults& all) {
  all.push_back(of_request("request.insert-fields-swapped"_mutant, "INSERT",
                           [](Record& values) { swap_fields(values, "quota", "ttl"); }));
  all.push_back(of_request("request.update-codes-swapped"_mutant, "UPDATE",
                           [](Record& values) { swap_fields(values, "attribute", "change"); }));
  all.push_back(of_request("request.set-parts-swapped"_mutant, "SET",
                           [](Record& values) { swap_fields(values, "key", "value"); }));
  all.push_back(of_request("request.publish-parts-swapped"_mutant, "PUBLISH",
                           [](Record& values) { swap_fields(values, "channel", "payload"); }));
  all.push_back(of_request("request.query-key-shifted"_mutant, "QUERY", [](Record& values) {
    with_bytes(values, name_in(values), [](Bytes& key) {
      if (!key.empty()) key.erase(key.begin());
    });
  }));
  const auto cut = [&](mutants::Index mutant, std::string_view operation) {
    all.push_back(of_request(
        mutant, operation, [](Record& values) { with_bytes(values, name_in(values), cut_last); }));
  };
  cut("request.get-key-cut"_mutant, "GET");
  cut("request.purge-key-cut"_mutant, "PURGE");
  cut("request.stat-key-cut"_mutant, "STAT");
  cut("request.subscribe-channel-cut"_mutant, "SUBSCRIBE");
  cut("request.unsubscribe-channel-cut"_mutant, "UNSUBSCRIBE");
}

void key_faults(Faults& all) {
  all.push_back(of_keys("keys.cut-at-nul"_mutant, cut_at_nul));
  all.push_back(of_keys("keys.ignore-case"_mutant, [](Bytes& key) {
    for (std::uint8_t& byte : key) {
      if (byte >= 'A' && byte <= 'Z') byte |= 0x20;
    }
  }));
  all.push_back(of_keys("keys.trimmed"_mutant, [](Bytes& key) {
    while (!key.empty() && key.back() == ' ') key.pop_back();
    while (!key.empty() && key.front() == ' ') key.erase(key.begin());
  }));
  all.push_back(of_keys("keys.cut-at-64"_mutant, [](Bytes& key) {
    if (key.size() > 64) key.resize(64);
  }));
  all.push_back(of_keys("keys.not-utf8-refused"_mutant, [](Bytes& key) {
    if (is_utf8_lead_error(key)) key.clear();
  }));
}

void record_faults(Faults& all) {
  all.push_back(of_reply("reply.query-swapped"_mutant, {"QUERY"},
                         [](Record& values) { swap_fields(values, "quota", "ttl"); }));
  all.push_back(of_bytes("reply.query-without-type"_mutant, {"QUERY"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "ttl_type");
                         }));
  all.push_back(of_reply("reply.query-type-of-seconds"_mutant, {"QUERY"}, [](Record& values) {
    with_number(values, "ttl_type", [](std::uint64_t) { return seconds; });
  }));
  all.push_back(
      of_bytes("reply.query-one-more"_mutant, {"QUERY"},
               [](Bytes& bytes, const Decoder&, const WireContext&) { bytes.push_back(0); }));
  all.push_back(of_bytes("reply.query-missing-padded"_mutant, {"QUERY"},
                         [](Bytes& bytes, const Decoder&, const WireContext& context) {
                           if (failed(bytes))
                             bytes.resize(bytes.size() + size_on_success(context.layout));
                         }));
  all.push_back(of_bytes("reply.get-missing-empty"_mutant, {"GET"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext& context) {
                           if (!failed(bytes)) return;
                           succeed_with_zeros(bytes, decoder, context);
                           bytes[1] = seconds;
                         }));
  all.push_back(of_bytes("reply.get-swapped"_mutant, {"GET"},
                         [](Bytes& bytes, const Decoder&, const WireContext& context) {
                           if (failed(bytes)) return;
                           const auto n = static_cast<std::ptrdiff_t>(
                               protocol::bytes_of(context.layout.width()));
                           std::rotate(bytes.begin() + 1, bytes.begin() + 2, bytes.begin() + 2 + n);
                         }));
  all.push_back(of_reply("reply.get-value-cut-at-nul"_mutant, {"GET"},
                         [](Record& values) { with_bytes(values, "value", cut_at_nul); }));
  all.push_back(of_reply("reply.get-value-cut"_mutant, {"GET"}, [](Record& values) {
    with_bytes(values, "value", [](Bytes& value) {
      if (value.size() > 200) value.pop_back();
    });
  }));
  all.push_back(of_bytes("reply.get-size-of-key"_mutant, {"GET"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "value_size", 1);
                         }));
}

void list_faults(Faults& all) {
  all.push_back({.mutant = "list.numbered-from-zero"_mutant,
                 .operations = {"LIST"},
                 .reply = [](Record& values, const WireContext&) {
                   Records fragments = std::get<Records>(*values.find("fragments"));
                   for (Record& one : fragments) one.set("fragment", one.number("fragment") - 1);
                   values.set("fragments", std::move(fragments));
                 }});
  all.push_back(one_fragment_more("list.number-of-fragments-off"_mutant, "LIST"));
  all.push_back(of_bytes("list.names-first"_mutant, {"LIST"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           names_first(bytes, decoder, "keys", "key");
                         }));
  const auto of_list = [&](mutants::Index mutant, void (*change)(Records&)) {
    all.push_back({.mutant = mutant,
                   .operations = {"LIST"},
                   .reply = [change](Record& values, const WireContext&) {
                     in_fragments(values, "keys", change);
                   }});
  };
  of_list("list.names-reversed"_mutant, [](Records& keys) { reverse_names(keys, "key"); });
  of_list("list.counters-only"_mutant, [](Records& keys) {
    std::erase_if(keys, [](const Record& key) { return key.number("key_type") == 1; });
  });
  of_list("list.buffers-only"_mutant, [](Records& keys) {
    std::erase_if(keys, [](const Record& key) { return key.number("key_type") == 0; });
  });
  of_list("list.last-twice"_mutant, [](Records& keys) {
    if (!keys.empty()) keys.push_back(keys.back());
  });
  of_list("list.last-lost"_mutant, [](Records& keys) {
    if (keys.size() > 1) keys.pop_back();
  });
  of_list("list.time-point-in-seconds"_mutant, [](Records& keys) {
    for (Record& key : keys) key.set("time_point", key.number("time_point") / 1'000'000'000);
  });
  of_list("list.kinds-swapped"_mutant, [](Records& keys) {
    for (Record& key : keys) key.set("key_type", 1 - key.number("key_type"));
  });
  all.push_back(of_bytes("list.bytes-in-one-byte"_mutant, {"LIST"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "bytes_used", 1);
                         }));
}

void metric_faults(Faults& all) {
  all.push_back({.mutant = "stats.names-reversed"_mutant,
                 .operations = {"STATS"},
                 .reply = [](Record& values, const WireContext&) {
                   in_fragments(values, "keys", [](Records& keys) { reverse_names(keys, "key"); });
                 }});
  all.push_back(one_fragment_more("stats.number-of-fragments-off"_mutant, "STATS"));
  all.push_back({.mutant = "stats.reads-and-writes-swapped"_mutant,
                 .operations = {"STAT", "STATS"},
                 .reply = [](Record& values, const WireContext&) {
                   const auto swapped = [](Record& one) {
                     swap_fields(one, "reads_per_minute", "writes_per_minute");
                     swap_fields(one, "total_reads", "total_writes");
                   };
                   swapped(values);
                   in_fragments(values, "keys",
                                [&](Records& keys) { std::ranges::for_each(keys, swapped); });
                 }});
  all.push_back(of_bytes("stat.totals-missing"_mutant, {"STAT"},
                         [](Bytes& bytes, const Decoder&, const WireContext&) {
                           if (!failed(bytes)) bytes.resize(bytes.size() - 16);
                         }));
  all.push_back(of_bytes("stat.missing-zeros"_mutant, {"STAT"}, succeed_with_zeros));
  all.push_back(of_bytes("info.one-field-short"_mutant, {"INFO"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "version");
                         }));
  all.push_back(of_bytes("info.version-unpadded"_mutant, {"INFO"},
                         [](Bytes& bytes, const Decoder&, const WireContext&) {
                           while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
                         }));
  all.push_back(of_reply("info.bytes-swapped"_mutant, {"INFO"}, [](Record& values) {
    swap_fields(values, "total_read_bytes", "total_write_bytes");
    swap_fields(values, "read_bytes_per_minute", "write_bytes_per_minute");
  }));
  all.push_back(of_reply("info.minutes-empty"_mutant, {"INFO"}, [](Record& values) {
    const Record told = values;
    for (const auto& [name, value] : told.fields()) {
      if (name.ends_with("_per_minute")) values.set(name, std::uint64_t{0});
    }
  }));
  all.push_back(of_reply("info.requests-frozen"_mutant, {"INFO"}, [](Record& values) {
    for (const char* name : {"total_requests", "total_insert", "total_query", "total_info"})
      with_number(values, name, [](std::uint64_t n) { return std::min<std::uint64_t>(n, 1); });
  }));
  all.push_back(of_reply("info.counters-and-buffers-swapped"_mutant, {"INFO"}, [](Record& values) {
    swap_fields(values, "total_counters", "total_buffers");
    swap_fields(values, "total_allocated_bytes_on_counters", "total_allocated_bytes_on_buffers");
  }));
  all.push_back(of_reply("info.nobody-connected"_mutant, {"INFO"}, [](Record& values) {
    for (const char* name : {"total_subscriptions", "total_channels", "total_connections"})
      with_number(values, name, [](std::uint64_t) { return std::uint64_t{0}; });
  }));
}

void connection_faults(Faults& all) {
  const auto of_connections = [&](mutants::Index mutant, void (*change)(Records&)) {
    all.push_back({.mutant = mutant,
                   .operations = {"CONNECTIONS"},
                   .reply = [change](Record& values, const WireContext&) {
                     in_fragments(values, "connections", change);
                   }});
  };
  all.push_back(of_bytes("connections.entry-short"_mutant, {"CONNECTIONS"},
                         [](Bytes& bytes, const Decoder& decoder, const WireContext&) {
                           erase_field(bytes, decoder, "whoami_requests");
                         }));
  of_connections("connections.counts-zero"_mutant, [](Records& connections) {
    for (Record& one : connections) {
      const Record counted = one;
      for (const auto& [name, value] : counted.fields()) {
        if (name.ends_with("_requests")) one.set(name, std::uint64_t{0});
      }
    }
  });
  all.push_back(one_fragment_more("connections.number-of-fragments-off"_mutant, "CONNECTIONS"));
  of_connections("connections.asker-missing"_mutant, [](Records& connections) {
    if (!connections.empty()) connections.pop_back();
  });
  all.push_back(
      of_bytes("connection.found-for-anybody"_mutant, {"CONNECTION"}, succeed_with_zeros));
  all.push_back(of_reply("connection.other-id"_mutant, {"CONNECTION"}, [](Record& values) {
    with_bytes(values, "id", [](Bytes& id) { id[0] ^= 0xff; });
  }));
  all.push_back(of_reply("whoami.constant"_mutant, {"WHOAMI"}, [](Record& values) {
    with_bytes(values, "id", [](Bytes& id) { id.assign(id.size(), 0x11); });
  }));
  all.push_back({.mutant = "whoami.changes"_mutant,
                 .operations = {"WHOAMI"},
                 .reply = [](Record& values, const WireContext& context) {
                   with_bytes(values, "id", [&](Bytes& id) {
                     protocol::store_little_endian(id.data(), context.number, 8);
                   });
                 }});
}

void channel_faults(Faults& all) {
  const auto of_channels = [&](mutants::Index mutant, void (*change)(Records&)) {
    all.push_back({.mutant = mutant,
                   .operations = {"CHANNELS"},
                   .reply = [change](Record& values, const WireContext&) {
                     in_fragments(values, "channels", change);
                   }});
  };
  all.push_back(one_fragment_more("channels.number-of-fragments-off"_mutant, "CHANNELS"));
  of_channels("channels.subscribers-off"_mutant, [](Records& channels) {
    for (Record& one : channels)
      one.set("subscribed_connections", one.number("subscribed_connections") + 1);
  });
  of_channels("channels.names-reversed"_mutant,
              [](Records& channels) { reverse_names(channels, "channel"); });
  all.push_back(of_bytes("channel.found-for-anything"_mutant, {"CHANNEL"}, succeed_with_zeros));
  all.push_back(of_reply("channel.ids-zero"_mutant, {"CHANNEL"}, [](Record& values) {
    const protocol::Value* const found = values.find("subscribers");
    if (found == nullptr) return;
    Records subscribers = std::get<Records>(*found);
    for (Record& one : subscribers) one.set("connection_id", Bytes(16, 0));
    values.set("subscribers", std::move(subscribers));
  }));
}

void delivery_faults(Faults& all) {
  all.push_back({.mutant = "delivery.twice"_mutant,
                 .deliveries = [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                   const std::vector<Delivery> again(
                       deliveries.begin() + static_cast<std::ptrdiff_t>(earlier), deliveries.end());
                   deliveries.insert(deliveries.end(), again.begin(), again.end());
                 }});
  all.push_back({.mutant = "delivery.cut"_mutant,
                 .deliveries = [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                   for (std::size_t i = earlier; i < deliveries.size(); ++i) {
                     auto cut = std::make_shared<ByteBuffer>();
                     const protocol::ByteView whole = deliveries[i].frame->view();
                     cut->append(whole.first(whole.size() - 1));
                     deliveries[i].frame = std::move(cut);
                   }
                 }});
  all.push_back({.mutant = "delivery.first-only"_mutant,
                 .deliveries = [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                   if (deliveries.size() > earlier + 1)
                     deliveries.erase(deliveries.begin() + static_cast<std::ptrdiff_t>(earlier) + 1,
                                      deliveries.end());
                 }});
  all.push_back({.mutant = "delivery.lost"_mutant,
                 .deliveries = [](std::vector<Delivery>& deliveries, std::size_t earlier) {
                   deliveries.erase(deliveries.begin() + static_cast<std::ptrdiff_t>(earlier),
                                    deliveries.end());
                 }});
}

void stream_faults(Faults& all) {
  all.push_back(of_framing("stream.one-request-a-read"_mutant, WireFraming::one_request_a_read));
  all.push_back(of_framing("stream.partial-dropped"_mutant, WireFraming::partial_dropped));
  all.push_back(of_framing("stream.buffer-of-1024"_mutant, WireFraming::buffer_of_1024));
  all.push_back(of_framing("stream.batch-reversed"_mutant, WireFraming::batch_reversed));
  all.push_back(of_framing("stream.c-strings"_mutant, WireFraming::c_strings));
  all.push_back({.mutant = "stream.empty-name-waits"_mutant,
                 .operations = {"GET"},
                 .framing = WireFraming::empty_name_waits});
  all.push_back({.mutant = "stream.failures-merged"_mutant,
                 .operations = {"UPDATE", "QUERY"},
                 .framing = WireFraming::failures_merged});
  all.push_back({.mutant = "stream.questions-first-only"_mutant,
                 .operations = {"WHOAMI", "CHANNEL", "CHANNELS"},
                 .framing = WireFraming::first_only});
  all.push_back(of_bytes("stream.100-requests"_mutant, {},
                         [](Bytes& bytes, const Decoder&, const WireContext& context) {
                           if (context.number == 100) bytes.clear();
                         }));
}

const Faults& faults() {
  static const Faults all = [] {
    Faults made;
    for (const auto add : {number_faults, status_faults, other_status_faults, request_faults,
                           key_faults, record_faults, list_faults, metric_faults, connection_faults,
                           channel_faults, delivery_faults, stream_faults})
      add(made);
    return made;
  }();
  return all;
}

}  // namespace

const WireFault* active_wire_fault() {
  for (const WireFault& fault : faults()) {
    if (mutants::on(fault.mutant)) return &fault;
  }
  return nullptr;
}

}  // namespace hallmark::server
