#include "reference/model/records/record_table.hpp"

namespace hallmark::model {

RecordTable::Slot RecordTable::add(std::string_view key, std::uint64_t hash) {
  Slot slot = used_;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else {
    if (used_ % chunk_size == 0) chunks_.push_back(std::make_unique<Record[]>(chunk_size));
    ++used_;
  }
  Record& record = (*this)[slot];
  record.key.assign(key);
  record.hash = hash;
  record.live = true;
  record.slot = slot;
  index_.insert(slot);
  return slot;
}

void RecordTable::erase(Slot slot) {
  index_.erase(slot);
  Record& record = (*this)[slot];
  // Assigning an empty record would keep the capacity of its strings.
  std::destroy_at(&record);
  std::construct_at(&record);
  free_.push_back(slot);
}

}  // namespace hallmark::model
