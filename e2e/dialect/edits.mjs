// The typing that adds throttr-7.4: a copy of throttr-7.3 with the operation EXISTS, and with the number of
// all channels in each fragment of CHANNELS. Each `before` stands once in its file.

/** Its own table begins as a copy: `from` with every `7.3` and `7_3` replaced. */
export const table = {
  from: 'protocol/dialects/throttr_7_3.hpp',
  to: 'protocol/dialects/throttr_7_4.hpp',
  edits: [
    {
      before: 'inline constexpr Field channels_fragment[] = {\n    integer("fragment", 8),\n',
      after: 'inline constexpr Field channels_fragment[] = {\n    integer("fragment", 8),\n' +
        '    integer("listed", 8),\n',
    },
    {
      before: '    {"WHOAMI", 0x18, {only_opcode}, {only_status, connection_identity}, "WHOAMI"},\n',
      after: '    {"WHOAMI", 0x18, {only_opcode}, {only_status, connection_identity}, "WHOAMI"},\n' +
        '    {"EXISTS", 0x1a, {by_key}, status_reply, "EXISTS"},\n',
    },
    {
      before: 'inline constexpr Clause only_here[] = {\n',
      after: 'inline constexpr Clause only_here[] = {\n' +
        '    {"exists.code", Level::must, "EXISTS", "the first byte is 1a"},\n' +
        '    {"exists.layout", Level::must, "EXISTS", "key size 1, key"},\n' +
        '    {"exists.status", Level::must, "EXISTS", "01 where there is such a record, otherwise 00"},\n' +
        '    {"channels.listed", Level::must, "CHANNELS",\n' +
        '     "each fragment tells how many channels all fragments list, 8 bytes"},\n',
    },
  ],
};

/** Files that other dialects share. */
export const shared = {
  // The list of dialects.
  'protocol/dialects/all.hpp': [
    {
      before: '#include "protocol/dialects/throttr_7_3.hpp"\n',
      after: '#include "protocol/dialects/throttr_7_3.hpp"\n#include "protocol/dialects/throttr_7_4.hpp"\n',
    },
    { before: '&throttr_7_3, ', after: '&throttr_7_3, &throttr_7_4, ' },
  ],
  // The vocabulary.
  'protocol/names.hpp': [
    { before: 'list_requests, n_over, ', after: 'list_requests, listed, n_over, ' },
    { before: 'EVENT, GET, ', after: 'EVENT, EXISTS, GET, ' },
  ],
  // The replies of the reference server.
  'reference/session/typed_session_impl.hpp': [
    {
      before: '  void on_update(const View<"UPDATE">& request) {\n',
      after: '  void on_exists(const View<"EXISTS">& request) {\n' +
        '    reply_status<"EXISTS">(model_.store().exists(now(), key_of(request)));\n' +
        '  }\n\n' +
        '  void on_update(const View<"UPDATE">& request) {\n',
    },
    {
      before: '  std::uint64_t offset;  ///< is added to the number of a fragment\n',
      after: '  std::uint64_t offset;  ///< is added to the number of a fragment\n' +
        '  std::uint64_t entries;  ///< of all fragments\n',
    },
    {
      before: '"fragment"_f = fragment.number + offset,',
      after: '"fragment"_f = fragment.number + offset, "listed"_f = entries,',
    },
    {
      before: '{shown_.first_fragment, listed}',
      after: '{shown_.first_fragment, entries.size(), listed}',
    },
    {
      before: '    if constexpr (has("WHOAMI")) {\n',
      after: '    if constexpr (has("EXISTS")) handle<"EXISTS", query, &Self::on_exists>(table);\n' +
        '    if constexpr (has("WHOAMI")) {\n',
    },
  ],
};
