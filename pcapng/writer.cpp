#include "pcapng/writer.hpp"

namespace hallmark::pcapng {
namespace {

constexpr std::size_t written_at_once = 65'536;

}  // namespace

base::Result<Writer> Writer::create(const std::string& path, std::string_view application) {
  auto file = base::OutputFile::create(path);
  if (!file) return file.error();
  Writer writer(std::move(*file));
  append_head(writer.buffer_, application, "hallmark");
  return writer;
}

void Writer::add(Time at, base::ByteView frame, std::string_view comment) {
  if (!error_.empty()) return;
  append_packet(buffer_, at, frame, comment);
  ++packets_;
  if (buffer_.size() >= written_at_once) flush();
}

void Writer::flush() {
  if (error_.empty()) {
    if (const auto written = file_.write(buffer_); !written) error_ = written.error().message;
  }
  buffer_.clear();
}

base::Result<void> Writer::commit() {
  flush();
  if (!error_.empty()) return base::Error{error_};
  return file_.commit();
}

}  // namespace hallmark::pcapng
