#include "cli/options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "base/output_path.hpp"
#include "cli/options/usage_error.hpp"

namespace hallmark::cli {
namespace {

/// The text that `parsed` was asked to print; CLI11 leaves out the newline after a footer.
std::string printed(const CLI::App& parsed, const CLI::Success& asked) {
  std::ostringstream text;
  parsed.exit(asked, text);
  return text.str().ends_with('\n') ? text.str() : text.str() + '\n';
}

}  // namespace

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::type_name(std::string name) {
  option_->type_name(std::move(name));
  return this;
}

Option* Option::group(std::string name) {
  option_->group(name);
  return this;
}

Option* Option::capture_default_str() {
  option_->capture_default_str();
  return this;
}

Option* Option::default_str(std::string text) {
  option_->default_str(std::move(text));
  return this;
}

Option* Option::range(int least, int most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::range(unsigned least, unsigned most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::range(std::uint64_t least, std::uint64_t most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::range(double least, double most) {
  option_->check(CLI::Range(least, most));
  return this;
}

Option* Option::expected(int least, int most) {
  option_->expected(least, most);
  return this;
}

Option* Option::not_empty() {
  option_->check([](const std::string& value) {
    return value.empty() ? std::string("it is empty; expected a name") : std::string();
  });
  return this;
}

Option* Option::take_all() {
  option_->take_all();
  return this;
}

Option* Option::delimiter(char letter) {
  option_->delimiter(letter);
  return this;
}

Option* Option::allow_extra_args(bool allowed) {
  option_->allow_extra_args(allowed);
  return this;
}

Option* Option::excludes(Option* other) {
  option_->excludes(other->option_);
  return this;
}

Option* Option::needs(Option* other) {
  option_->needs(other->option_);
  return this;
}

std::size_t Option::count() const { return option_->count(); }

bool Option::is_flag() const { return option_->get_expected_min() == 0; }

std::optional<std::string> Option::set(std::span<const std::string> values) {
  try {
    for (const std::string& value : values) option_->add_result(value);
    if (!values.empty()) option_->run_callback();
  } catch (const CLI::Error& error) {
    return error.what();
  }
  return std::nullopt;
}

Command::Command(std::string description, std::string name)
    : owned_(std::make_unique<CLI::App>(std::move(description), std::move(name))),
      app_(owned_.get()) {}

Command::Command(CLI::App* app) : app_(app) {}

Command::~Command() = default;

Command* Command::add_subcommand(std::string name, std::string description) {
  CLI::App* const added = app_->add_subcommand(std::move(name), std::move(description));
  subcommands_.push_back(std::unique_ptr<Command>(new Command(added)));
  return subcommands_.back().get();
}

void Command::require_subcommand(int least) { app_->require_subcommand(least); }

void Command::footer(std::string text) { app_->footer(std::move(text)); }

void Command::set_version_flag(std::string name, std::string version, std::string description) {
  app_->set_version_flag(std::move(name), version, std::move(description));
}

void Command::callback(std::function<void()> run) {
  app_->callback([this, run = std::move(run)] {
    check_outputs();
    run();
  });
}

Option* Command::handle(CLI::Option* option) {
  options_.push_back(std::make_unique<Option>(option));
  return options_.back().get();
}

template <class T>
Option* Command::add(std::string name, T& value, std::string description) {
  return handle(app_->add_option(std::move(name), value, std::move(description)));
}

Option* Command::add_option(std::string name, std::string& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, std::optional<std::string>& value,
                            std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, std::vector<std::string>& values,
                            std::string description) {
  return add(std::move(name), values, std::move(description));
}

Option* Command::add_option(std::string name, int& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, std::uint16_t& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, unsigned& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, std::uint64_t& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, std::optional<std::uint64_t>& value,
                            std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_option(std::string name, double& value, std::string description) {
  return add(std::move(name), value, std::move(description));
}

Option* Command::add_flag(std::string name, bool& value, std::string description) {
  return handle(app_->add_flag(std::move(name), value, std::move(description)));
}

Option* Command::add_output(std::string name, std::string& path, std::string description) {
  outputs_.emplace_back(name, &path);
  return add_option(std::move(name), path, std::move(description))->type_name("FILE")->not_empty();
}

void Command::check_outputs() const {
  std::map<std::filesystem::path, std::string> written;
  for (const auto& [option, path] : outputs_) {
    if (path->empty()) continue;
    const auto found = base::find_output(*path);
    if (!found || found->file.empty()) continue;  // told when it is written; nothing is lost
    const auto [first, is_new] = written.emplace(found->file, option);
    if (is_new) continue;
    throw CLI::ValidationError(
        fmt::format("{} and {} both name {}, so one would be lost; expected two files",
                    first->second, option, *path));
  }
}

std::string Command::name() const { return app_->get_name(); }

std::size_t Command::count(const std::string& option) const { return app_->count(option); }

Option* Command::get_option(const std::string& name) { return handle(app_->get_option(name)); }

Option* Command::find_option(const std::string& name) {
  CLI::Option* const found = app_->get_option_no_throw(name);
  return found == nullptr ? nullptr : handle(found);
}

std::vector<std::string> Command::long_names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

std::optional<NotRun> Command::run(std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);  // as CLI11 takes them
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::Success& asked) {
    return NotRun{true, printed(*app_, asked)};
  } catch (const CLI::ParseError& error) {
    return NotRun{false, explain_usage_error(*app_, error)};
  }
  return std::nullopt;
}

}  // namespace hallmark::cli
