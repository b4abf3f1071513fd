#pragma once

#include "protocol/codec/fast.hpp"
#include "protocol/codec/layout.hpp"
#include "protocol/record.hpp"

/// Holds the compile-time codec equal to the generic one, over random messages of every layout.
namespace hallmark::protocol::test {

template <class Head, class Tail>
Record to_record(const fast::RecordView<Head, Tail>& view, const Readings& readings);

/// Gives the record the field, unless it follows from others or the readings leave it out.
void add(Record& record, const Field& field, std::uint64_t number, const Readings& readings);
void add(Record& record, const Field& field, base::ByteView bytes, const Readings& readings);
void add(Record& record, const Field& field, std::vector<Record> group, const Readings& readings);

template <class Parent, std::size_t I>
void add(Record& record, const Field& field, const fast::GroupView<Parent, I>& group,
         const Readings& readings) {
  std::vector<Record> records;
  for (const auto& one : group) records.push_back(to_record(one, readings));
  add(record, field, std::move(records), readings);
}

template <class List, std::size_t... I>
void add_fields(const fast::detail::Slots<List>& slots, const Readings& readings, Record& record,
                std::index_sequence<I...>) {
  (add(record, List::fields[I],
       slots.template at<fast::detail::index_of<List>(List::fields[I].name)>(), readings),
   ...);
}

template <class Head, class Tail>
Record to_record(const fast::RecordView<Head, Tail>& view, const Readings& readings) {
  Record record;
  add_fields<Head>(view.head, readings, record, std::make_index_sequence<Head::size>{});
  const bool failed = record.find("status") != nullptr && record.number("status") == 0;
  if (!failed)
    add_fields<Tail>(view.tail, readings, record, std::make_index_sequence<Tail::size>{});
  return record;
}

/// A message as the compile-time codec decodes and encodes it.
struct Again {
  Record record;
  ByteBuffer bytes;  ///< encoded from what was decoded alone
};

/// The compile-time codec of one message. A function of a few calls is all that is instantiated for
/// each message: what it is held to has no templates.
/// @param again  unless null, set where the message is complete
using Codec = fast::Outcome (*)(base::ByteView bytes, const Readings& readings, bool check_choices,
                                Again* again);

template <class M>
fast::Outcome codec(base::ByteView bytes, const Readings& readings, bool check_choices,
                    Again* again) {
  typename M::View view;
  const fast::Outcome outcome = fast::decode<M>(bytes, readings, view, check_choices);
  if (again == nullptr || !outcome.complete()) return outcome;
  again->record = to_record(view, readings);
  if constexpr (M::status != fast::detail::none) {
    // A failure ends with its status.
    if (again->record.find("status") != nullptr && again->record.number("status") == 0) {
      fast::encode_failure<M>(again->bytes, readings, view);
      return outcome;
    }
  }
  fast::encode<M>(again->bytes, readings, view);
  return outcome;
}

/// Holds the codec of the layout's message equal to the generic one.
void check_all(Codec codec, const Layout& layout, const Readings& readings);

template <const Dialect& D, Width W, std::size_t... I>
void check_operations(const Readings& readings, std::index_sequence<I...>) {
  (check_all(codec<fast::Request<D, I, W>>, Layout::request(D.operations[I], W, readings),
             readings),
   ...);
  (check_all(codec<fast::Reply<D, I, W>>, Layout::reply(D.operations[I], W, readings), readings),
   ...);
  if constexpr (!D.pushes.empty()) {
    check_all(codec<fast::Push<D, 0, W>>, Layout::push(D.pushes[0], W, readings), readings);
  }
}

template <const Dialect& D, Width W>
void check_width() {
  constexpr auto all = std::make_index_sequence<D.operations.size()>{};
  check_operations<D, W>(Readings(D, Profile::deployed), all);
  check_operations<D, W>(Readings(D, Profile::literal), all);
}

}  // namespace hallmark::protocol::test
