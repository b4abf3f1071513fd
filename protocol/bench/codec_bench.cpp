#include <benchmark/benchmark.h>

#include <cstring>

#include "protocol/codec/fast_text.hpp"
#include "protocol/dialects/ratelimit_state.hpp"
#include "protocol/dialects/throttr_7_1.hpp"

// The compile-time codec beside a codec written by hand with memcpy for the same messages.
namespace hallmark::protocol {
namespace {

constexpr Width width = Width::u16;
using Insert =
    fast::Request<tables::throttr_7_1, fast::operation_index(tables::throttr_7_1, "INSERT"), width>;
using Query =
    fast::Request<tables::throttr_7_1, fast::operation_index(tables::throttr_7_1, "QUERY"), width>;
using QueryReply =
    fast::Reply<tables::throttr_7_1, fast::operation_index(tables::throttr_7_1, "QUERY"), width>;

const Readings deployed(tables::throttr_7_1, Profile::deployed);

/// Messages encoded between two clearings of the buffer, as in a batch for one write.
constexpr int batch = 64;

struct ByHand {
  static void insert(ByteBuffer& out, std::uint16_t quota, std::uint8_t type, std::uint16_t ttl,
                     base::ByteView key) {
    std::uint8_t* at = out.grow(7 + key.size());
    at[0] = 0x01;
    std::memcpy(at + 1, &quota, 2);
    at[3] = type;
    std::memcpy(at + 4, &ttl, 2);
    at[6] = static_cast<std::uint8_t>(key.size());
    std::memcpy(at + 7, key.data(), key.size());
  }

  static void query(ByteBuffer& out, base::ByteView key) {
    std::uint8_t* at = out.grow(2 + key.size());
    at[0] = 0x02;
    at[1] = static_cast<std::uint8_t>(key.size());
    std::memcpy(at + 2, key.data(), key.size());
  }

  struct InsertFields {
    std::uint16_t quota;
    std::uint8_t type;
    std::uint16_t ttl;
    base::ByteView key;
  };

  /// Bytes consumed; 0 when more are needed or the opcode is another.
  static std::size_t decode_insert(base::ByteView in, InsertFields& fields) {
    if (in.size() < 7 || in[0] != 0x01) return 0;
    std::memcpy(&fields.quota, in.data() + 1, 2);
    fields.type = in[3];
    std::memcpy(&fields.ttl, in.data() + 4, 2);
    const std::size_t key_size = in[6];
    if (in.size() - 7 < key_size) return 0;
    fields.key = in.subspan(7, key_size);
    return 7 + key_size;
  }

  static std::size_t decode_query(base::ByteView in, base::ByteView& key) {
    if (in.size() < 2 || in[0] != 0x02) return 0;
    const std::size_t key_size = in[1];
    if (in.size() - 2 < key_size) return 0;
    key = in.subspan(2, key_size);
    return 2 + key_size;
  }
};

base::Bytes key_of(int i) { return base::to_bytes("user:" + std::to_string(1000 + i)); }

template <class Encode>
void encode_batches(benchmark::State& state, Encode encode) {
  std::vector<base::Bytes> keys;
  for (int i = 0; i < batch; ++i) keys.push_back(key_of(i));
  ByteBuffer out;
  for (auto _ : state) {
    out.clear();
    for (const base::Bytes& key : keys) encode(out, key);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

template <class Decode>
void decode_batches(benchmark::State& state, const ByteBuffer& in, Decode decode) {
  for (auto _ : state) {
    base::ByteView rest = in.view();
    while (!rest.empty()) {
      const std::size_t n = decode(rest);
      if (n == 0) {
        state.SkipWithError("a message did not decode");
        return;
      }
      rest = rest.subspan(n);
    }
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

void encode_insert_fast(benchmark::State& state) {
  encode_batches(state, [](ByteBuffer& out, const base::Bytes& key) {
    fast::encode<Insert>(
        out, deployed,
        values("quota"_f = 7U, "ttl_type"_f = 4U, "ttl"_f = 30U, "key"_f = base::ByteView(key)));
  });
}
void encode_insert_by_hand(benchmark::State& state) {
  encode_batches(
      state, [](ByteBuffer& out, const base::Bytes& key) { ByHand::insert(out, 7, 4, 30, key); });
}
void encode_query_fast(benchmark::State& state) {
  encode_batches(state, [](ByteBuffer& out, const base::Bytes& key) {
    fast::encode<Query>(out, deployed, values("key"_f = base::ByteView(key)));
  });
}
void encode_query_by_hand(benchmark::State& state) {
  encode_batches(state, [](ByteBuffer& out, const base::Bytes& key) { ByHand::query(out, key); });
}

void decode_insert_fast(benchmark::State& state) {
  ByteBuffer in;
  for (int i = 0; i < batch; ++i) ByHand::insert(in, 7, 4, 30, key_of(i));
  decode_batches(state, in, [](base::ByteView rest) -> std::size_t {
    Insert::View view;
    const fast::Outcome outcome = fast::decode<Insert>(rest, deployed, view);
    benchmark::DoNotOptimize(view.get<"quota">());
    benchmark::DoNotOptimize(view.get<"ttl_type">());
    benchmark::DoNotOptimize(view.get<"ttl">());
    benchmark::DoNotOptimize(view.get<"key">().data());
    return outcome.complete() ? outcome.size : 0;
  });
}
void decode_insert_by_hand(benchmark::State& state) {
  ByteBuffer in;
  for (int i = 0; i < batch; ++i) ByHand::insert(in, 7, 4, 30, key_of(i));
  decode_batches(state, in, [](base::ByteView rest) {
    ByHand::InsertFields fields{};
    const std::size_t n = ByHand::decode_insert(rest, fields);
    benchmark::DoNotOptimize(fields.quota);
    benchmark::DoNotOptimize(fields.type);
    benchmark::DoNotOptimize(fields.ttl);
    benchmark::DoNotOptimize(fields.key.data());
    return n;
  });
}
void decode_query_fast(benchmark::State& state) {
  ByteBuffer in;
  for (int i = 0; i < batch; ++i) ByHand::query(in, key_of(i));
  decode_batches(state, in, [](base::ByteView rest) -> std::size_t {
    Query::View view;
    const fast::Outcome outcome = fast::decode<Query>(rest, deployed, view);
    benchmark::DoNotOptimize(view.get<"key">().data());
    return outcome.complete() ? outcome.size : 0;
  });
}
void decode_query_by_hand(benchmark::State& state) {
  ByteBuffer in;
  for (int i = 0; i < batch; ++i) ByHand::query(in, key_of(i));
  decode_batches(state, in, [](base::ByteView rest) {
    base::ByteView key;
    const std::size_t n = ByHand::decode_query(rest, key);
    benchmark::DoNotOptimize(key.data());
    return n;
  });
}

using TokenBucket =
    fast_text::State<tables::ratelimit_state,
                     fast_text::format_index(tables::ratelimit_state, "token-bucket/12")>;
constexpr Readings at_rest(tables::ratelimit_state, Profile::deployed);

/// Reads a token bucket and writes it again with a token less, as a decision does.
void decode_and_encode_token_bucket(benchmark::State& state) {
  std::vector<std::string> texts;
  for (int i = 0; i < batch; ++i) {
    texts.push_back("12|" + std::to_string(i % 90) + (i % 2 == 0 ? ".3333333333333335" : "") + "|" +
                    std::to_string(1761884055342794596 + i * 977));
  }
  ByteBuffer out;
  for (auto _ : state) {
    out.clear();
    for (const std::string& text : texts) {
      TokenBucket::View view;
      if (!fast_text::decode(base::as_bytes(text), at_rest, view)) state.SkipWithError("no state");
      fast_text::encode<TokenBucket>(out, at_rest,
                                     values("tokens"_f = view.real<"tokens">() - 1,
                                            "last_refill"_f = view.signed_number<"last_refill">()));
    }
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * batch);
}

BENCHMARK(decode_and_encode_token_bucket);
BENCHMARK(encode_insert_fast);
BENCHMARK(encode_insert_by_hand);
BENCHMARK(encode_query_fast);
BENCHMARK(encode_query_by_hand);
BENCHMARK(decode_insert_fast);
BENCHMARK(decode_insert_by_hand);
BENCHMARK(decode_query_fast);
BENCHMARK(decode_query_by_hand);

}  // namespace
}  // namespace hallmark::protocol
