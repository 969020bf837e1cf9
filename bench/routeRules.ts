/**
 * Measures the cost of a route's rules per request, in microseconds of CPU by the size of its body:
 *
 *     node bench/routeRules.ts
 */
import { RequestFacts } from '../src/gateway/routing/routes/requestFacts.ts';
import type { RouteRule } from '../src/gateway/routing/routes/routeEntry.ts';
import { RouteTable } from '../src/gateway/routing/routes/routeTable.ts';

const SIZES = { '16 KB': 16_000, '64 KB': 64_000, '1 MB': 1_000_000 };
const ROUNDS = 9;
/** Bytes of bodies in a round. */
const ROUND_BYTES = 100_000_000;
const SENTENCE =
  'The gateway reads "only" what a rule needs; a page of prose, with_code(and = numbers[42]) in between.\n';
const SINGLE_RULES: Readonly<Record<string, readonly RouteRule[]>> = {
  class: [{ class: 'auxiliary', use: ['other'] }],
  image: [{ image: true, use: ['other'] }],
  tokensAbove: [{ tokensAbove: 500_000, use: ['other'] }],
  'tool, not offered': [{ tool: 'web_search', use: ['other'] }],
  'tool, offered': [{ tool: 'tool_19', use: ['other'] }],
};
const RULES = { ...SINGLE_RULES, all: Object.values(SINGLE_RULES).flat() };

/** Returns a conversation of an agent that ran commands, followed by 20 tools. */
function bodyOf(bytes: number): Buffer {
  const turn = (nth: number) => [
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `call_${nth}`, name: 'tool_1', input: { path: `src/${nth}` } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${nth}`, content: SENTENCE.repeat(8) }] },
  ];
  const messages = Array.from({ length: bytes / 1_150 }, (_, nth) => turn(nth)).flat();
  const parameters = { type: 'object', properties: { path: { type: 'string', description: SENTENCE } } };
  const tools = Array.from({ length: 20 }, (_, nth) => ({ name: `tool_${nth}`, description: SENTENCE, parameters }));
  return Buffer.from(JSON.stringify({ model: 'coding', messages, tools, stream: true }));
}

function measure(body: Buffer, when: readonly RouteRule[]): number {
  const table = new RouteTable({ coding: { use: ['usual'], when: [...when] } });
  const route = table.find('coding');
  if (route === undefined) throw new Error('There is no such route.');
  const count = Math.ceil(ROUND_BYTES / body.length);
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    for (let nth = 0; nth < count; nth++) table.choose(route, new RequestFacts({ body }).fit);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / count;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

const rows = Object.entries(RULES).map(([name, when]) => {
  const figures = Object.entries(SIZES).map(([size, bytes]) => [size, Number(measure(bodyOf(bytes), when).toFixed(1))]);
  return [name, Object.fromEntries(figures)];
});
console.table(Object.fromEntries(rows));
