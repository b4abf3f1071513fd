#include "reports/json_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hex.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "reports/certify/run_verdict.hpp"
#include "reports/json_number.hpp"
#include "reports/load/json_fields.hpp"

namespace hallmark::reports {
namespace {

using base::Json;

class JsonWriter {
 public:
  template <class T>
  void operator()(const char* key, const T& value) {
    object_[key] = to_json(value);
  }

  /// An absent optional is an absent key.
  template <class T>
  void operator()(const char* key, const std::optional<T>& value) {
    if (value) object_[key] = to_json(*value);
  }

  template <class T>
  void operator()(const char* key, OrNull<T> member) {
    object_[key] = member.value ? to_json(*member.value) : Json(nullptr);
  }

  template <class T>
  void operator()(const char* key, Signed<T> member) {
    object_[key] = to_json(member.value);
  }

  template <class T>
  void operator()(const char* key, OrAbsent<T> member) {
    if (member.value != std::remove_const_t<T>{}) object_[key] = to_json(member.value);
  }

  template <class T>
  static Json structure(const T& value) {
    JsonWriter writer;
    describe(writer, value);
    return std::move(writer.object_);
  }

 private:
  template <class T>
  requires std::is_class_v<T>
  static Json to_json(const T& value) { return structure(value); }
  template <class T>
  static Json to_json(const std::vector<T>& values) {
    Json array = Json::array();
    for (const auto& value : values) array.push_back(to_json(value));
    return array;
  }
  template <class T>
  requires std::is_enum_v<T>
  static Json to_json(T value) { return name_of(value); }
  template <class Representation, class Period>
  static Json to_json(std::chrono::duration<Representation, Period> value) {
    return to_json(static_cast<std::uint64_t>(std::max<Representation>(value.count(), 0)));
  }
  static Json to_json(const std::string& text) { return base::printable(text); }
  static Json to_json(const Code& code) { return text_of(code); }
  static Json to_json(const Bytes& bytes) { return base::to_hex(bytes); }
  static Json to_json(std::chrono::sys_time<std::chrono::milliseconds> time) {
    return base::iso_utc(time);
  }
  static Json to_json(bool value) { return value; }
  // JSON has no NaN or infinity: a ratio of nothing is written as 0.
  static Json to_json(double value) { return std::isfinite(value) ? value : 0.0; }
  static Json to_json(std::uint64_t value) { return json_number(value); }

  Json object_ = Json::object();
};

template <class T>
Json document(std::string_view format, const T& result,
              std::uint64_t version = json_fields::format_version) {
  Json json = {{"format", format}, {"format_version", version}};
  json["exit_code"] = static_cast<int>(exit_code(result));
  json.update(JsonWriter::structure(result));
  return json;
}

std::string text_of(const Json& json) { return json.dump(1) + '\n'; }

}  // namespace

Json json_of(const CertifyResult& result) {
  Json json = document(json_fields::certify_format, result);
  json["verdict"] = run_verdict(result);
  json["summary"] = JsonWriter::structure(count_verdicts(result));
  return json;
}

Json json_of(const Death& death) { return JsonWriter::structure(death); }

std::string render_json(const CertifyResult& result) { return text_of(json_of(result)); }

std::string render_json(const LoadResult& result) {
  return text_of(document(json_fields::load_format, result, json_fields::load_format_version));
}

std::string render_json(const Knee& knee) {
  return text_of(document(json_fields::knee_format, knee));
}

std::string render_json(const LoadComparison& comparison) {
  return text_of(document(json_fields::load_comparison_format, comparison));
}

std::string render_csv(const std::vector<SecondSample>& series) {
  std::string text =
      "second,seconds,sent,completed,errors,p50_ns,p99_ns,max_ns,"
      "p50_at_least,p99_at_least,max_at_least,p50_by_client,p99_by_client,max_by_client,"
      "reconnects\r\n";
  for (const SecondSample& one : series) {
    text +=
        fmt::format("{},{:.3f},{},{},{},{},{},{},{:d},{:d},{:d},{:d},{:d},{:d},{}\r\n", one.second,
                    one.length_s, one.sent, one.completed, one.errors, one.p50.value, one.p99.value,
                    one.max.value, one.p50.at_least, one.p99.at_least, one.max.at_least,
                    one.p50.by_client, one.p99.by_client, one.max.by_client, one.reconnects);
  }
  return text;
}

std::string render_csv(const Knee& knee) {
  std::string text =
      "sweep,rate,achieved,met,p50_ns,p99_ns,p99_9_ns,p50_at_least,p99_at_least,p99_9_at_least,"
      "busy\r\n";
  for (const KneePoint& one : knee.points) {
    text +=
        fmt::format("{},{:.1f},{:.1f},{},{},{},{},{:d},{:d},{:d},{:.3f}\r\n", one.sweep, one.rate,
                    one.achieved, name_of(one.met), one.p50.value, one.p99.value, one.p999.value,
                    one.p50.at_least, one.p99.at_least, one.p999.at_least, one.busy);
  }
  return text;
}

std::string render_json(const IdentifyResult& result) {
  return text_of(document(json_fields::identify_format, result));
}

}  // namespace hallmark::reports
