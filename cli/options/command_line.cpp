#include "cli/options/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

#include "base/output_path.hpp"
#include "cli/help/help.hpp"
#include "cli/options/usage_error.hpp"

namespace hallmark::cli {
namespace {

/// The heading that CLI11 gives to options without one.
constexpr const char* usual_group = "Options";

/// CLI11 names a value after its type and its check: "UINT:UINT in [1 - 8]".
struct ValueName {
  std::string placeholder;
  std::string range;  ///< "1 to 8"; empty: not said
};

ValueName value_name_of(const CLI::Option& option) {
  std::string type = option.get_type_name();
  std::string range;
  if (const auto in = type.find(" in ["); in != std::string::npos) {
    range = type.substr(in + 5, type.size() - in - 6);
    if (const auto dash = range.find(" - "); dash != std::string::npos)
      range.replace(dash, 3, " to ");
    type.resize(type.rfind(':', in));
  }
  const bool is_number = type == "UINT" || type == "INT" || type == "FLOAT";
  return {is_number ? "N" : type, range};
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// Descriptions have line breaks where their source has them; they mean nothing.
std::string one_paragraph(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

OptionDescription described(const CLI::Option& option) {
  OptionDescription made;
  for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  if (!option.nonpositional()) made.positional = option.get_name(true);
  made.text = one_paragraph(option.get_description());
  if (takes_value(option)) {
    auto [placeholder, range] = value_name_of(option);
    made.value = std::move(placeholder);
    if (option.get_expected_min() == 0) made.value = "[" + made.value + "]";
    if (!range.empty()) made.text += fmt::format("{}({})", made.text.empty() ? "" : " ", range);
    made.usual = option.get_default_str();
  }
  made.group = option.get_group() == usual_group ? "" : option.get_group();
  made.required = option.get_required();
  made.repeats = option.get_items_expected_max() > 1;
  return made;
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

Option* Option::group(const std::string& name) {
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
      app_(owned_.get()) {
  // Subcommands inherit both.
  app_->set_help_flag("-h,--help", "Print this help and stop");
  app_->set_help_all_flag("--help-all", "Print this help with all options and stop");
}

Command::Command(CLI::App* app) : app_(app) {}

Command::~Command() = default;

Command* Command::add_subcommand(std::string name, std::string description) {
  CLI::App* const added = app_->add_subcommand(std::move(name), std::move(description));
  subcommands_.push_back(std::unique_ptr<Command>(new Command(added)));
  return subcommands_.back().get();
}

void Command::require_subcommand(int least) { app_->require_subcommand(least); }

void Command::footer(std::string text) { app_->footer(std::move(text)); }

void Command::set_version_flag(std::string name, const std::string& version,
                               const std::string& description) {
  app_->set_version_flag(std::move(name), version, description);
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

void Command::advanced(std::initializer_list<const char*> names) {
  for (const char* const name : names) advanced_.push_back(app_->get_option(name));
}

CommandDescription Command::describe(const std::string& parent) const {
  CommandDescription made{.name = parent.empty() ? name() : parent + " " + name(),
                          .text = app_->get_description(),
                          .footer = app_->get_footer(),
                          .options = {},
                          .commands = {}};
  for (const CLI::Option* const option : std::as_const(*app_).get_options()) {
    if (option == app_->get_help_all_ptr() && advanced_.empty()) continue;
    made.options.push_back(described(*option));
    made.options.back().advanced = std::ranges::find(advanced_, option) != advanced_.end();
  }
  // --help and --help-all were declared first, and are looked for last.
  std::ranges::stable_partition(made.options, [](const OptionDescription& one) {
    return std::ranges::none_of(one.names, [](const std::string& name) {
      return name == "--help" || name == "--help-all" || name == "--version";
    });
  });
  for (const auto& command : subcommands_) made.commands.push_back(command->describe(made.name));
  return made;
}

std::string Command::help(bool all) const {
  const Command* named = this;
  std::string parents;
  for (auto parsed = app_->get_subcommands(); !parsed.empty();
       parsed = named->app_->get_subcommands()) {
    const auto next = std::ranges::find(named->subcommands_, parsed.back(),
                                        [](const auto& one) { return one->app_; });
    if (next == named->subcommands_.end()) break;
    parents += (parents.empty() ? "" : " ") + named->name();
    named = next->get();
  }
  return render_help(named->describe(parents), all ? HelpExtent::all : HelpExtent::common);
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
  } catch (const CLI::CallForHelp&) {
    return NotRun{true, help(false)};
  } catch (const CLI::CallForAllHelp&) {
    return NotRun{true, help(true)};
  } catch (const CLI::Success& asked) {
    return NotRun{true, std::string(asked.what()) + '\n'};
  } catch (const CLI::ParseError& error) {
    return NotRun{false, explain_usage_error(*app_, error)};
  }
  return std::nullopt;
}

}  // namespace hallmark::cli
