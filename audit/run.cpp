#include "audit/run.hpp"

#include <fmt/format.h>

#include "audit/file_migrator.hpp"
#include "audit/store_migrator.hpp"

namespace hallmark::audit {
namespace {

using stores::Entry;

/// Whatever becomes of entries that were checked.
class Migration {
 public:
  virtual ~Migration() = default;
  virtual void take(const Entry& entry, const Checked& checked) = 0;
  virtual stores::Result<void> batch_done() = 0;
  /// False: it was stopped.
  virtual stores::Result<bool> scan_done(const std::function<bool()>& stop) = 0;
  virtual const MigrationResult& result() const = 0;
};

class OfStore final : public Migration {
 public:
  OfStore(std::unique_ptr<stores::Connection> connection, Tally& tally, const std::string& chosen,
          bool dry_run, bool repeats)
      : connection_(std::move(connection)),
        migrator_(*connection_, tally, base::Glob(chosen), dry_run, repeats) {}

  void take(const Entry& entry, const Checked& checked) override { migrator_.take(entry, checked); }
  stores::Result<void> batch_done() override { return migrator_.flush(); }
  stores::Result<bool> scan_done(const std::function<bool()>&) override { return true; }
  const MigrationResult& result() const override { return migrator_.result(); }

 private:
  std::unique_ptr<stores::Connection> connection_;
  StoreMigrator migrator_;
};

class OfFile final : public Migration {
 public:
  explicit OfFile(FileMigrator&& migrator) : migrator_(std::move(migrator)) {}

  void take(const Entry& entry, const Checked& checked) override { migrator_.take(entry, checked); }
  stores::Result<void> batch_done() override { return {}; }
  stores::Result<bool> scan_done(const std::function<bool()>& stop) override {
    return migrator_.finish(stop);
  }
  const MigrationResult& result() const override { return migrator_.result(); }

 private:
  FileMigrator migrator_;
};

bool gives_keys_twice(const stores::Address& address) {
  return std::holds_alternative<base::RedisEndpoint>(address);
}

stores::Result<std::unique_ptr<Migration>> open_migration(const Source& source,
                                                          const RunOptions& options, Tally& tally) {
  if (options.migrate == Migrate::no) return std::unique_ptr<Migration>();
  const bool dry_run = options.migrate == Migrate::dry_run;
  if (const auto* const file = std::get_if<base::FileEndpoint>(&source.address)) {
    auto migrator = FileMigrator::open(*file, source.scan, tally, dry_run);
    if (!migrator) return migrator.error();
    return std::unique_ptr<Migration>(std::make_unique<OfFile>(*std::move(migrator)));
  }
  auto connected = stores::connect(source.address, source.access);
  if (!connected) return connected.error();
  auto connection = *std::move(connected);
  if (options.around) connection = options.around(std::move(connection));
  return std::unique_ptr<Migration>(std::make_unique<OfStore>(
      std::move(connection), tally, source.scan.match, dry_run, gives_keys_twice(source.address)));
}

class Runner {
 public:
  Runner(stores::Scanner& scanner, Tally& tally, Migration* migration, const RunOptions& options)
      : scanner_(scanner), tally_(tally), migration_(migration), options_(options) {}

  /// Result: false when it was stopped.
  stores::Result<bool> run() {
    tally_.expect(scanner_.progress().bytes ? 0 : scanner_.progress().total);
    while (true) {
      const auto entries = scanner_.next();
      if (!entries) return entries.error();
      if (entries->empty()) break;
      if (auto done = batch(*entries); !done) return done.error();
      if (options_.on_progress) options_.on_progress(scanner_.progress(), tally_.faulty());
      if (options_.stop && options_.stop()) return false;
    }
    return migration_ == nullptr ? stores::Result<bool>(true)
                                 : migration_->scan_done(options_.stop);
  }

 private:
  stores::Result<void> batch(std::span<const Entry> entries) {
    for (const Entry& entry : entries) {
      const Checked* const checked = tally_.add(entry);
      if (checked != nullptr && migration_ != nullptr) migration_->take(entry, *checked);
    }
    return migration_ == nullptr ? stores::Result<void>() : migration_->batch_done();
  }

  stores::Scanner& scanner_;
  Tally& tally_;
  Migration* migration_;
  const RunOptions& options_;
};

bool matched_nothing(const Source& source, const AuditResult& audit) {
  return source.scan.match != "*" && audit.entries == 0 && audit.expired == 0 &&
         !audit.interrupted && audit.error.empty();
}

stores::Error no_match(const Source& source) {
  return {stores::ErrorKind::usage,
          fmt::format("--match '{}' matches no key of {}; check the pattern, or accept an empty "
                      "audit with --allow-empty",
                      source.scan.match, to_string(source.address))};
}

}  // namespace

stores::Result<RunResult> run(const Source& source, Rules& rules, const RunOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Tally tally({.limits = options.limits,
               .most_examples = options.most_examples,
               .rewriting = options.migrate == Migrate::no ? Rewriting::no : Rewriting::yes,
               .remembered = gives_keys_twice(source.address) ? options.remembered : 0},
              rules, options.on_finding);
  // A file is opened for editing before it is read.
  auto migration = open_migration(source, options, tally);
  if (!migration) return migration.error();
  auto scanner = stores::open_scanner(source.address, source.scan, source.access);
  if (!scanner) return scanner.error();
  const auto ended = Runner(**scanner, tally, migration->get(), options).run();
  RunResult result{.audit = tally.result()};
  if (ended) {
    result.audit.interrupted = !*ended;
    if (*ended) result.audit.unused_rules = rules.unused();
  } else {
    result.audit.error = ended.error().message;
    result.audit.lost = ended.error().kind == stores::ErrorKind::lost;
    // Refused at the first request, such as for the type of a column: the same as not opened.
    if (!result.audit.lost && result.audit.entries == 0) return ended.error();
  }
  if (!options.allow_empty && matched_nothing(source, result.audit)) return no_match(source);
  if (*migration) result.migration = (*migration)->result();
  result.audit.duration = std::chrono::steady_clock::now() - began;
  return result;
}

}  // namespace hallmark::audit
