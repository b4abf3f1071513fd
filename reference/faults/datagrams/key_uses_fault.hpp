#pragma once

#include "reference/faults/faults.hpp"

namespace hallmark::faults {

using model::KeyUses;
using model::RatedKey;
using model::RatedUse;
using model::Time;

/// Does what `right`, which outlives it, does.
class AroundUses : public KeyUses {
 public:
  explicit AroundUses(KeyUses& inner) : right(inner) {}

  RatedUse use(std::string_view key, const Limit& limit, Time now) override {
    return right.use(key, limit, now);
  }
  model::UseCounts counts(std::string_view key, Time now) override {
    return right.counts(key, now);
  }
  RatedKey* find(std::string_view key) override { return right.find(key); }
  std::size_t size() const override { return right.size(); }

 protected:
  KeyUses& right;
};

/// A bug that is an `AroundUses`.
template <class Decorating>
Code uses() {
  return [](Faults& faults) {
    faults.uses.emplace_back([](KeyUses& right) { return std::make_unique<Decorating>(right); });
  };
}

}  // namespace hallmark::faults
