#include "stores/file_edit.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/descriptor.hpp"
#include "base/output_file.hpp"
#include "stores/file_error.hpp"

namespace hallmark::stores {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// The end of the last line that has one: LF or CR LF.
std::string_view line_end_of(const base::Descriptor& file, off_t size) {
  std::string tail(std::size_t{1} << 16, '\0');
  const off_t begin = std::max<off_t>(0, size - static_cast<off_t>(tail.size()));
  const auto count = ::pread(file.get(), tail.data(), tail.size(), begin);
  tail.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  const auto end = tail.rfind('\n');
  return end != tail.npos && end > 0 && tail[end - 1] == '\r' ? "\r\n" : "\n";
}

bool same(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

class FileEdit::Impl {
 public:
  Impl(base::Descriptor source, std::filesystem::path path, base::OutputFile target,
       const struct stat& status)
      : source_(std::move(source)),
        path_(std::move(path)),
        target_(std::move(target)),
        status_(status),
        window_(buffer_size),
        line_end_(line_end_of(source_, status.st_size)) {
    output_.reserve(buffer_size);
  }

  /// Copies the source up to `offset`, then goes on behind `resume`.
  Result<void> copy_until(std::uint64_t offset, std::uint64_t resume);
  Result<void> write(std::string_view text);
  Result<void> finish_copy();
  Result<void> flush();
  Result<void> commit();
  void append(std::string_view line) { appended_ += fmt::format("{}{}", line, line_end_); }

 private:
  Result<std::string_view> read_at_position();
  Error read_failure() const { return file_error(path_, "read", errno); }
  Result<void> check_unchanged() const;

  base::Descriptor source_;
  std::filesystem::path path_;
  base::OutputFile target_;
  struct stat status_;
  std::vector<char> window_;  ///< of the source
  std::uint64_t window_begin_ = 0;
  std::size_t window_filled_ = 0;
  std::uint64_t position_ = 0;  ///< everything of the source before it is dealt with
  char last_ = '\n';            ///< the last byte written
  std::string_view line_end_;
  std::string appended_;
  std::string output_;
};

/// The content of the window from the position on; refilled if that is empty. Empty: the end.
Result<std::string_view> FileEdit::Impl::read_at_position() {
  if (position_ < window_begin_ || position_ >= window_begin_ + window_filled_) {
    ssize_t count = -1;
    do {
      count = ::pread(source_.get(), window_.data(), window_.size(), static_cast<off_t>(position_));
    } while (count < 0 && errno == EINTR);
    if (count < 0) return read_failure();
    window_begin_ = position_;
    window_filled_ = static_cast<std::size_t>(count);
  }
  return std::string_view(window_.data(), window_filled_)
      .substr(static_cast<std::size_t>(position_ - window_begin_));
}

Result<void> FileEdit::Impl::copy_until(std::uint64_t offset, std::uint64_t resume) {
  if (offset < position_ || resume < offset) {
    return Error{ErrorKind::usage, "the entries of a file have to be changed in their order"};
  }
  while (position_ < offset) {
    const auto some = read_at_position();
    if (!some) return some.error();
    if (some->empty()) return Error{ErrorKind::failed, path_.string() + " became shorter"};
    const auto taken = some->substr(
        0, static_cast<std::size_t>(std::min<std::uint64_t>(some->size(), offset - position_)));
    if (auto written = write(taken); !written) return written;
    position_ += taken.size();
  }
  position_ = resume;
  return {};
}

Result<void> FileEdit::Impl::write(std::string_view text) {
  if (text.empty()) return {};
  last_ = text.back();
  output_ += text;
  return output_.size() < buffer_size ? Result<void>() : flush();
}

Result<void> FileEdit::Impl::flush() {
  const auto written = target_.write(output_);
  output_.clear();
  if (!written) return Error{ErrorKind::failed, written.error().message};
  return {};
}

/// The rest of the source. Its size is that of `open`: what others appended since is found out
/// later.
Result<void> FileEdit::Impl::finish_copy() {
  const auto size = static_cast<std::uint64_t>(status_.st_size);
  if (auto copied = copy_until(std::max(size, position_), std::max(size, position_)); !copied) {
    return copied;
  }
  if (!appended_.empty() && last_ != '\n') {
    if (auto written = write(line_end_); !written) return written;
  }
  return write(appended_);
}

Result<void> FileEdit::Impl::check_unchanged() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) return read_failure();
  if (now.st_ino == status_.st_ino && now.st_dev == status_.st_dev &&
      now.st_size == status_.st_size && same(now.st_mtim, status_.st_mtim)) {
    return {};
  }
  return Error{ErrorKind::failed,
               fmt::format("{} was changed by others meanwhile: nothing was written; run it again",
                           path_.string())};
}

Result<void> FileEdit::Impl::commit() {
  if (auto copied = finish_copy(); !copied) return copied;
  if (auto flushed = flush(); !flushed) return flushed;
  if (auto unchanged = check_unchanged(); !unchanged) return unchanged;
  if (const auto done = target_.commit(); !done) {
    return Error{ErrorKind::failed, done.error().message};
  }
  return {};
}

FileEdit::FileEdit(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileEdit::FileEdit(FileEdit&&) noexcept = default;
FileEdit& FileEdit::operator=(FileEdit&&) noexcept = default;
FileEdit::~FileEdit() = default;

Result<FileEdit> FileEdit::open(const std::filesystem::path& path) {
  // A pipe would let us wait for its writer, only to be refused then.
  base::Descriptor source(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!source.open()) return file_error(path, "read", errno);
  struct stat status {};
  if (::fstat(source.get(), &status) != 0) return file_error(path, "read", errno);
  const Error not_regular{ErrorKind::usage,
                          fmt::format("cannot rewrite {}: not a regular file", path.string())};
  if (!S_ISREG(status.st_mode)) return not_regular;
  auto target = base::OutputFile::create(path);
  if (!target) return Error{ErrorKind::denied, target.error().message};
  // A name such as /dev/fd/3 would write the file while it is read.
  if (!target->replaces()) return not_regular;
  return FileEdit(std::make_unique<Impl>(std::move(source), path, std::move(*target), status));
}

Result<void> FileEdit::replace(const Entry& entry, std::string_view state) {
  if (state.find_first_of("\r\n") != state.npos) {
    return Error{ErrorKind::usage, "a state with the end of a line in it cannot be in a file"};
  }
  if (auto copied = impl_->copy_until(entry.line.value, entry.line.value_end); !copied) {
    return copied;
  }
  return impl_->write(state);
}

Result<void> FileEdit::drop(const Entry& entry) {
  return impl_->copy_until(entry.line.begin, entry.line.end);
}

Result<void> FileEdit::append(std::string_view key, std::string_view state) {
  if (key.find_first_of("\r\n\t") != key.npos || state.find_first_of("\r\n") != state.npos) {
    return Error{ErrorKind::usage,
                 "a key or state with the end of a line in it cannot be in a file"};
  }
  impl_->append(fmt::format("{}{}{}", key, key.empty() ? "" : "\t", state));
  return {};
}

Result<void> FileEdit::commit() { return impl_->commit(); }

}  // namespace hallmark::stores
