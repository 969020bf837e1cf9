/** Requests with long texts, which are copied as bytes, are translated like those that are parsed completely. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { CallerRequest } from '../../../../src/gateway/core/callerRequest.ts';
import type { Endpoint } from '../../../../src/gateway/core/upstream.ts';
import { longTextsIn } from '../../../../src/gateway/http/longTexts.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';
import { translate } from '../../../../src/gateway/translation/translation.ts';
import { type Carried, chatRequest } from '../../../support/conversations.ts';
import { runs } from '../../../support/randomRuns.ts';
import { preserved as byChatCompletions } from '../../formats/chatCompletions/preserved.ts';
import { preservedInRequests as byMessages } from '../../formats/messages/preserved.ts';
import { preservedInRequests as byResponses } from '../../formats/responses/preserved.ts';
import { PAIRS } from '../support/routed.ts';

const CARRIED: Readonly<Record<FormatName, Carried>> = {
  'chat-completions': byChatCompletions,
  messages: byMessages,
  responses: byResponses,
};
const RUNS = { numRuns: runs(12) };
const FIXTURES = new URL('../../../fixtures/agents/', import.meta.url);

/** What is hard to copy: escapes at each end, quotes, characters of several bytes, and half of one. */
const HARD = ['\\', '"', '\\"', '\n\t', '/', '\u0001', 'ä😀', '\ud83d', '\u2028', '{"a":"b"}', 'x'];
const LONG = 'A long text. '.repeat(50);
const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'content', 'output', 'arguments', 'thinking', 'data']);

/** Returns the value with long texts wherever a format may have them. */
function withLongTexts(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') {
    const isText = TEXT_NAMES.has(name) && name !== 'arguments' && depth > 1 && value !== '';
    const [before, after] = [HARD[value.length % HARD.length], HARD[(value.length * 3) % HARD.length]];
    return isText ? `${before}${value}${LONG}${value}${after}` : value;
  }
  if (Array.isArray(value)) return value.map((each) => withLongTexts(each, name, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withLongTexts(each, key, depth + 1)]));
}

function padded(format: FormatName, body: Record<string, unknown>): Record<string, unknown> {
  const member = format === 'responses' ? 'input' : 'messages';
  const said = body[member];
  if (!Array.isArray(said)) return { ...body, [member]: [{ role: 'user', content: 'a '.repeat(140_000) }] };
  return { ...body, [member]: [...said, { role: 'user', content: 'a '.repeat(140_000) }] };
}

function callerRequest(format: FormatName, body: unknown): CallerRequest {
  return new CallerRequest({
    endpoint: wireFormats[format].path as Endpoint,
    method: 'POST',
    subpath: '',
    query: '',
    headers: {},
    localKeyId: 'k',
    callerFormat: format,
    body: Buffer.from(JSON.stringify(body)),
  });
}

/** Returns the answer to a request, which says nothing and has no usage. */
async function answered(caller: FormatName, body: object): Promise<string> {
  const request = callerRequest(caller, body);
  await request.read();
  const decoded = request.decoded();
  assert.ok('texts' in decoded && decoded.texts !== undefined);
  const format = wireFormats['chat-completions'];
  const translation = translate(request.original, decoded, format, 'm', new MemoryResponseStore());
  assert.ok('createAnswer' in translation);
  const pieces: string[] = [];
  const answer = translation.createAnswer({
    start: () => undefined,
    data: (piece) => pieces.push(piece.toString()) > 0,
    end: () => undefined,
    fail: ({ message }) => pieces.push(message),
  });
  answer.start(200, { 'content-type': 'text/event-stream' });
  answer.data(Buffer.from('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n'));
  answer.end();
  return pieces.join('');
}

/** Returns the body for the upstream, or the error. */
async function translated(caller: CallerRequest, upstream: FormatName): Promise<unknown> {
  const decoded = caller.decoded();
  if ('kind' in decoded) return decoded;
  const translation = translate(caller.original, decoded, wireFormats[upstream], 'm', new MemoryResponseStore());
  if ('kind' in translation) return translation;
  assert.ok(translation.writeBody !== undefined);
  return { dropped: translation.dropped, body: JSON.parse(Buffer.from(await translation.writeBody()).toString()) };
}

/** @returns whether texts were copied. */
async function assertSame(caller: FormatName, upstream: FormatName, body: unknown): Promise<boolean> {
  const shortened = callerRequest(caller, body);
  const error = await shortened.read();
  const whole = callerRequest(caller, body);
  assert.deepEqual(error ?? (await translated(shortened, upstream)), await translated(whole, upstream));
  const decoded = shortened.decoded();
  return 'texts' in decoded && decoded.texts !== undefined;
}

describe('a request with long texts is translated as if it were parsed completely', () => {
  for (const { caller, upstream } of PAIRS) {
    it(`${caller} for ${upstream}`, () =>
      fc.assert(
        fc.asyncProperty(chatRequest(CARRIED[caller]), async (request) => {
          const body = wireFormats[caller].encodeRequest({ ...request, store: false }) as Record<string, unknown>;
          assert.ok(await assertSame(caller, upstream, padded(caller, withLongTexts(body) as typeof body)));
        }),
        RUNS,
      ));
  }

  for (const file of readdirSync(FIXTURES)) {
    const { path, body } = JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'));
    const format = Object.values(wireFormats).find(({ path: own }) => path.split('?')[0].endsWith(own))?.name;
    for (const { caller, upstream } of PAIRS) {
      if (caller !== format) continue;
      it(`of ${file} for ${upstream}`, async () => {
        await assertSame(caller, upstream, padded(caller, withLongTexts(body) as Record<string, unknown>));
      });
    }
  }

  it('unless its answer may be stored with them', async () => {
    const body = { model: 'm', input: [{ role: 'user', content: 'a '.repeat(140_000) }] };
    assert.equal(await assertSame('responses', 'messages', body), false);
    assert.equal(await assertSame('responses', 'messages', { ...body, store: false }), true);
  });
});

describe('the answer to a request with long texts', () => {
  const text = 'word '.repeat(60_000);

  it('repeats the message that is its instructions, not a reference to it', async () => {
    const input = [
      { role: 'developer', content: text },
      { role: 'user', content: text },
    ];
    const events = await answered('responses', { model: 'm', store: false, stream: true, input });
    const created = JSON.parse(/^data: (.*)$/m.exec(events)?.[1] ?? '');
    assert.equal(created.response.instructions, text);
  });

  it('estimates the tokens of the texts at its start', async () => {
    const messages = [{ role: 'user', content: text }];
    const events = await answered('messages', { model: 'm', max_tokens: 9, stream: true, messages });
    const { message } = JSON.parse(/^data: (.*)$/m.exec(events)?.[1] ?? '');
    const { input_tokens: tokens } = message.usage;
    assert.ok(tokens > 50_000 && tokens < 100_000, String(tokens));
  });
});

describe('the long texts of a request', () => {
  const message = (content: string) => Buffer.from(`{"messages":[{"role":"user","content":${content}}]}`);
  const long = 'a'.repeat(600);

  it('are restored in their original places', () => {
    const body = message(`[{"type":"text","text":"${long}\\n"},{"type":"text","text":"é${long}"}]`);
    const texts = longTextsIn(body);
    const short = texts?.shortened().toString() ?? '';
    assert.ok(short.length > 0 && short.length < 300);
    assert.deepEqual(texts?.restore(short), body);
  });

  it('are escaped again in JSON within JSON', () => {
    const texts = longTextsIn(message(`"${long}\\"\\\\"`));
    assert.ok(texts !== undefined);
    const { messages } = JSON.parse(texts.shortened().toString());
    const nested = JSON.stringify({ once: { messages }, twice: JSON.stringify({ messages }) });
    const { once, twice } = JSON.parse(texts.restore(nested).toString());
    const expected = [{ role: 'user', content: `${long}"\\` }];
    assert.deepEqual([once.messages, JSON.parse(twice).messages], [expected, expected]);
  });

  for (const [what, content] of [
    ['only white space', `"${' \\n'.repeat(600)}"`],
    ['citations', `[{"type":"text","text":"${long}","citations":[]}]`],
    ['another type', `[{"type":"thinking","text":"${long}"}]`],
  ] as const) {
    it(`are not replaced if they have ${what}`, () => assert.equal(longTextsIn(message(content)), undefined));
  }

  it('are invalid if they are not terminated', async () => {
    const caller = callerRequest('messages', {});
    const body = Buffer.from(message(`"${long.repeat(500)}`));
    const error = await new CallerRequest({ ...caller.original, body }).read();
    assert.match(error?.message ?? '', /not JSON/);
  });

  it('are not replaced in a request with very many messages or parts', () => {
    const part = `{"type":"text","text":"${long}"}`;
    assert.ok(longTextsIn(message(`[${Array(19_000).fill(part).join()}]`)) !== undefined);
    assert.equal(longTextsIn(message(`[${Array(20_001).fill(part).join()}]`)), undefined);
    const messages = Array(20_001).fill(`{"content":"${long}"}`).join();
    assert.equal(longTextsIn(Buffer.from(`{"messages":[${messages}]}`)), undefined);
  });

  it('are not replaced in invalid UTF-8', () => {
    const body = message(`"${long}\xe9"`);
    assert.ok(longTextsIn(body) !== undefined);
    assert.equal(longTextsIn(Buffer.from(body.toString(), 'latin1')), undefined);
  });
});
