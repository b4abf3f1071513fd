#include "reference/faults/records/records_fault.hpp"

#include "reference/faults/faults.hpp"

namespace hallmark::faults {
namespace {

class FaultyRecords final : public Records {
 public:
  FaultyRecords(Records& right, RecordsFault fault) : right_(right), fault_(std::move(fault)) {}

  bool insert(const Moment& at, std::string_view key, std::uint64_t quota, TtlUnit unit,
              std::uint64_t ttl) override {
    const Moment then = moment(at);
    const Insert asked{then, key, quota, unit, ttl};
    return fault_.insert ? fault_.insert(right_, asked) : asked.of(right_);
  }

  std::optional<model::CounterView> query(const Moment& at, std::string_view key) override {
    const Moment then = moment(at);
    return fault_.query ? fault_.query(right_, {then, key}) : right_.query(then, key);
  }

  bool update(const Moment& at, std::string_view key, Attribute attribute, Change change,
              std::uint64_t value) override {
    const Moment then = moment(at);
    const Update asked{then, key, attribute, change, value};
    return fault_.update ? fault_.update(right_, asked) : asked.of(right_);
  }

  bool purge(const Moment& at, std::string_view key) override {
    const Moment then = moment(at);
    return fault_.purge ? fault_.purge(right_, {then, key}) : right_.purge(then, key);
  }

  bool set(const Moment& at, std::string_view key, std::string_view value, TtlUnit unit,
           std::uint64_t ttl) override {
    const Moment then = moment(at);
    const Set asked{then, key, value, unit, ttl};
    return fault_.set ? fault_.set(right_, asked) : asked.of(right_);
  }

  std::optional<model::BufferView> get(const Moment& at, std::string_view key) override {
    const Moment then = moment(at);
    return fault_.get ? fault_.get(right_, {then, key}) : right_.get(then, key);
  }

  std::optional<model::KeyMetrics> stat(const Moment& at, std::string_view key) override {
    return right_.stat(moment(at), key);
  }
  void for_each(const Moment& at,
                const std::function<void(const model::EntryView&)>& visit) override {
    right_.for_each(moment(at), visit);
  }
  model::StoreTotals totals(const Moment& at) override { return right_.totals(moment(at)); }
  StoredRecord* find(const Moment& at, std::string_view key) override {
    return right_.find(moment(at), key);
  }
  void reschedule(StoredRecord& record, Time expires_at) override {
    right_.reschedule(record, expires_at);
  }
  std::uint64_t max_value() const override { return right_.max_value(); }

 private:
  Moment moment(const Moment& at) const { return fault_.moment ? fault_.moment(at) : at; }

  Records& right_;
  RecordsFault fault_;
};

}  // namespace

std::unique_ptr<Records> faulty(Records& right, RecordsFault fault) {
  return std::make_unique<FaultyRecords>(right, std::move(fault));
}

Code records(RecordsFault fault) {
  return [fault = std::move(fault)](Faults& faults) { faults.records.push_back(fault); };
}

}  // namespace hallmark::faults
