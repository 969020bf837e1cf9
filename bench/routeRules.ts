/**
 * Measures the cost of a route's rules per request, in microseconds of CPU by the size of its body:
 *
 *     node bench/routeRules.ts
 */
import { KnownBodies, RequestFacts } from '../src/gateway/routing/routes/requestFacts.ts';
import type { RouteRule } from '../src/gateway/routing/routes/routeEntry.ts';
import { RouteTable } from '../src/gateway/routing/routes/routeTable.ts';

const SIZES = { '1 KB': 1_000, '100 KB': 100_000, '1 MB': 1_000_000 };
const ROUNDS = 9;
/** Bytes of bodies in a round. */
const ROUND_BYTES = 100_000_000;
/** Requests of a conversation, each with one turn more than the one before. */
const REQUESTS = 16;
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
const PICTURE = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(SENTENCE).toString('base64') },
};

type Content = readonly object[];

/** Returns a turn of an agent that ran a command. */
function turnOf(nth: number): readonly object[] {
  const call = { type: 'tool_use', id: `call_${nth}`, name: 'tool_1', input: { path: `src/${nth}` } };
  const result = { type: 'tool_result', tool_use_id: call.id, content: `${nth} ${SENTENCE.repeat(8)}` };
  return [
    { role: 'assistant', content: [call] },
    { role: 'user', content: [result] },
  ];
}

/** Returns the requests of a growing conversation, with 20 tools. */
function bodiesOf(bytes: number, question: Content): readonly Buffer[] {
  const parameters = { type: 'object', properties: { path: { type: 'string', description: SENTENCE } } };
  const tools = Array.from({ length: 20 }, (_, nth) => ({ name: `tool_${nth}`, description: SENTENCE, parameters }));
  return Array.from({ length: REQUESTS }, (_, more) => {
    const turns = Array.from({ length: bytes / 1_150 + more }, (_each, nth) => turnOf(nth)).flat();
    const messages = [{ role: 'user', content: question }, ...turns];
    return Buffer.from(JSON.stringify({ model: 'coding', messages, tools, stream: true }));
  });
}

/** @param knownFor returns what is remembered of earlier requests, for each request. */
function measure(bodies: readonly Buffer[], when: readonly RouteRule[], knownFor: () => KnownBodies): number {
  const table = new RouteTable({ coding: { use: ['usual'], when: [...when] } });
  const route = table.find('coding');
  if (route === undefined) throw new Error('There is no such route.');
  const count = Math.ceil(ROUND_BYTES / (bodies[0]?.length ?? 1));
  const times = Array.from({ length: ROUNDS }, () => {
    const start = process.cpuUsage();
    for (let nth = 0; nth < count; nth++) {
      const body = bodies[nth % bodies.length];
      if (body !== undefined) table.choose(route, new RequestFacts({ body }, knownFor()).fit);
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / count;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

function rowOf(when: readonly RouteRule[], question: Content, knownFor: () => KnownBodies) {
  const figures = Object.entries(SIZES).map(([size, bytes]) => {
    const bodies = bodiesOf(bytes, question);
    return [size, Number(measure(bodies, when, knownFor).toFixed(1))];
  });
  return Object.fromEntries(figures);
}

const TEXT: Content = [{ type: 'text', text: SENTENCE }];
const WITH_PICTURE: Content = [...TEXT, PICTURE];
/** Every request remembers the ones before. */
const remembering = () => {
  const known = new KnownBodies();
  return () => known;
};
const image: readonly RouteRule[] = [{ image: false, use: ['other'] }];
console.table({
  ...Object.fromEntries(Object.entries(RULES).map(([name, when]) => [name, rowOf(when, TEXT, remembering())])),
  'image, in the conversation': rowOf(image, WITH_PICTURE, remembering()),
  'image, first request': rowOf(image, TEXT, () => new KnownBodies()),
  'image, in the first request': rowOf(image, WITH_PICTURE, () => new KnownBodies()),
});
