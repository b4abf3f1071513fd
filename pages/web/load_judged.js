// What a load run proved about its target: records, limits, deliveries.

function bytes_line(text) {
  return el('code', { class: 'bytes' }, text);
}

function violation(one) {
  return el(
    'article',
    { class: 'finding' },
    el('header', {}, el('h3', {}, one.reason), el('p', { class: 'facts' }, 'key ', el('code', {}, one.key))),
    el(
      'div',
      { class: 'body' },
      one.drawing ? el('pre', { tabindex: '0' }, one.drawing.map((line) => `${shown(line)}\n`).join('')) : null,
      one.exchanges
        ? table(
            'Requests and replies',
            [number('connection'), number('request'), number('sent'), number('answered after'), 'request', 'reply'],
            one.exchanges.map((each) => [
              number(grouped(each.connection)),
              number(grouped(each.request_index)),
              number(duration(each.sent_ns)),
              number(
                each.received_ns === undefined ? 'no reply' : duration(Number(each.received_ns) - Number(each.sent_ns)),
              ),
              { value: bytes_line(each.request), class: 'text' },
              { value: bytes_line(each.reply), class: 'text' },
            ]),
          )
        : null,
    ),
  );
}

function records_part(ids, result) {
  const records = result.records;
  if (!records) return undefined;
  const judge = (wrong, words) => mark(Number(wrong) ? 'bad' : 'good', words);
  return section(
    ids,
    'records',
    'Records',
    facts('Records', [
      [
        'keys watched',
        judge(
          records.violated,
          `${plural(records.requests, 'request', 'requests')} of ${plural(records.keys, 'key', 'keys')}; ${grouped(records.violated)} keys whose replies no order explains`,
        ),
      ],
      [
        'inserts',
        judge(
          records.inserts_twice,
          `${grouped(records.inserts)} succeeded, ${grouped(records.inserts_twice)} of them on a record that another had made`,
        ),
      ],
      [
        'counters',
        Number(records.counters)
          ? judge(
              records.counters_wrong,
              `${grouped(records.counters)} read back, ${grouped(records.counters_wrong)} wrong`,
            )
          : undefined,
      ],
      ['given up', Number(records.given_up) ? `${grouped(records.given_up)} keys that were never at rest` : undefined],
      [
        'undecided',
        Number(records.undecided) ? `${grouped(records.undecided)} keys with too many orders to try` : undefined,
      ],
    ]),
    (records.violations ?? []).map(violation),
  );
}

function fan_out_part(ids, result) {
  const fan = result.fan_out;
  if (!fan) return undefined;
  return section(
    ids,
    'deliveries',
    'Deliveries',
    facts('Deliveries', [
      ['subscribers', grouped(fan.subscribers)],
      ['published', grouped(fan.published)],
      ['expected', grouped(fan.expected)],
      ['delivered', mark(Number(fan.delivered) === Number(fan.expected) ? 'good' : 'bad', grouped(fan.delivered))],
      ['without a stamp', Number(fan.unstamped) ? grouped(fan.unstamped) : undefined],
    ]),
    latency_table('Deliveries', '', [['from the planned send of the publication', fan.latency]]),
  );
}

function findings_table(caption, findings) {
  if (!findings?.length) return undefined;
  return table(
    caption,
    ['kind', 'key', number('from'), number('to'), number('admitted'), number('allowed'), 'why'],
    findings.map((one) => [
      one.kind ?? 'over-admission',
      el('code', {}, one.key),
      number(duration(one.from_ns)),
      number(duration(one.to_ns)),
      number(grouped(one.admitted)),
      number(grouped(one.allowed)),
      { value: one.reason, class: 'text' },
    ]),
  );
}

const count_pairs = (counts) =>
  Object.entries(counts).map(([name, count]) => [
    name.replaceAll('_', ' '),
    typeof count === 'object' ? undefined : grouped(count),
  ]);

async function datagram_part(ids, result) {
  const datagram = result.datagram;
  if (!datagram) return undefined;
  const { findings, ...limits } = datagram.limits ?? {};
  const { example, ...server } = datagram.server ?? {};
  return section(
    ids,
    'datagrams',
    'Datagrams',
    el('h3', {}, 'Requests and replies'),
    facts('Datagrams', count_pairs(datagram.counts)),
    el('h3', {}, "The client's sockets"),
    facts('Sockets', [...count_pairs(datagram.trouble), ['receive buffer', bytes_text(datagram.receive_buffer)]]),
    datagram.limits
      ? [el('h3', {}, 'Limits'), facts('Limits', count_pairs(limits)), findings_table('Wrong limits', findings)]
      : null,
    datagram.server
      ? [el('h3', {}, "The target's own counts"), facts('Server', [...count_pairs(server), ['example', example]])]
      : null,
    datagram.accounting_error ? el('p', { class: 'mark bad' }, datagram.accounting_error) : null,
  );
}

function store_part(ids, result) {
  if (!result.store) return undefined;
  const { findings, ...judged } = result.store.admissions;
  return section(
    ids,
    'store',
    'Admissions',
    facts('Decisions', count_pairs(result.store.counts)),
    facts('Admissions', count_pairs(judged)),
    findings_table('Admitted beyond a limit', findings),
  );
}
