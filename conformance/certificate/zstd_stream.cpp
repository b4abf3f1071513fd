#include "conformance/certificate/zstd_stream.hpp"

#include <zstd.h>

#include <new>

namespace hallmark::certificate {
namespace {

/// Level 9 makes what level 3 makes smaller by a fifth, and takes a tenth of a second more a run.
constexpr int level = 9;
/// The bytes that are searched for repetitions, as a power of two: the cases resemble each other.
constexpr int window = 23;

}  // namespace

struct Compressor::State {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  State() {
    if (context == nullptr) throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ZSTD_freeCCtx(context); }

  std::string compress(std::string_view text, ZSTD_EndDirective directive) {
    std::string out;
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (;;) {
      std::string chunk(ZSTD_CStreamOutSize(), '\0');
      ZSTD_outBuffer into{chunk.data(), chunk.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context, &into, &in, directive);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // of a stream, nothing else can fail
      out.append(chunk, 0, into.pos);
      const bool over = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
      if (over) return out;
    }
  }
};

Compressor::Compressor() : state_(std::make_unique<State>()) {
  ZSTD_CCtx_setParameter(state_->context, ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(state_->context, ZSTD_c_windowLog, window);
  ZSTD_CCtx_setParameter(state_->context, ZSTD_c_checksumFlag, 1);
}

Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;

std::string Compressor::add(std::string_view text) {
  return state_->compress(text, ZSTD_e_continue);
}

std::string Compressor::finish() { return state_->compress({}, ZSTD_e_end); }

struct Decompressor::State {
  ZSTD_DCtx* context = ZSTD_createDCtx();
  std::string error;
  bool ended = false;
  State() {
    if (context == nullptr) throw std::bad_alloc();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ZSTD_freeDCtx(context); }
};

Decompressor::Decompressor() : state_(std::make_unique<State>()) {
  ZSTD_DCtx_setParameter(state_->context, ZSTD_d_windowLogMax, most_window);
}

Decompressor::~Decompressor() = default;

std::optional<std::string> Decompressor::next(std::string_view& compressed) {
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  if (state_->ended) return std::string();
  ZSTD_inBuffer in{compressed.data(), compressed.size(), 0};
  ZSTD_outBuffer into{chunk.data(), chunk.size(), 0};
  const std::size_t left = ZSTD_decompressStream(state_->context, &into, &in);
  if (ZSTD_isError(left) != 0) {
    state_->error = std::string("is no sound Zstandard file: ") + ZSTD_getErrorName(left);
    return std::nullopt;
  }
  compressed.remove_prefix(in.pos);
  state_->ended = left == 0;
  chunk.resize(into.pos);
  return chunk;
}

const std::string& Decompressor::error() const { return state_->error; }

bool Decompressor::ended() const { return state_->ended; }

}  // namespace hallmark::certificate
