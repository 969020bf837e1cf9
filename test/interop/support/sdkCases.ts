/** Tests that every SDK must pass with every kind of upstream. */
import assert from 'node:assert/strict';
import type { FormatName, UserPart } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import type { Answer, AskedRequest, Manners } from '../../support/modelServer/modelServer.ts';
import { USAGE } from '../../support/modelServer/script.ts';
import { closeAll } from '../../unit/gateway/support/gateway.ts';
import { type ScriptedGateway, UPSTREAM_KINDS, type UpstreamKind } from './scriptedUpstreams.ts';
import type { SdkClient, SdkKind } from './sdkClient.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TEXT = 'Grüße aus Tromsø 🙂, "in" quotes.\nAnd a second line.';
/**
 * Small pieces that split characters, fields, and events. Streams also have CRLF, comments, and no space after the
 * colon.
 */
const HARD: Manners = { pieceBytes: 3, odd: true };
/** The same with larger pieces, for long answers. */
const PIECES: Manners = { pieceBytes: 17, odd: true };
const CALLS = [
  { call: 'call_a', name: 'look', arguments: '{"city":"Tromsø"}' },
  { call: 'call_b', name: 'look', arguments: '{"city":"Zürich"}' },
];
const SIGNATURE = 'EqQBCkgIARABGAIiQL8+/w==';

const ERRORS = [
  { status: 400, type: 'invalid_request_error', vendorA: ['invalid_request_error', null] },
  { status: 401, type: 'authentication_error', vendorA: ['invalid_request_error', 'invalid_api_key'] },
  { status: 402, type: 'billing_error', vendorA: ['insufficient_quota', 'insufficient_quota'] },
  { status: 403, type: 'permission_error', vendorA: ['permission_error', 'permission_denied'] },
  { status: 404, type: 'not_found_error', vendorA: ['invalid_request_error', 'model_not_found'] },
  { status: 429, type: 'rate_limit_error', vendorA: ['rate_limit_error', 'rate_limit_exceeded'] },
  { status: 500, type: 'api_error', vendorA: ['server_error', null] },
] as const;

function errorBody(format: FormatName, { type, vendorA: [ownType, code] }: (typeof ERRORS)[number]): object {
  const message = 'Words of the upstream.';
  return format === 'messages'
    ? { type: 'error', error: { type, message } }
    : { error: { message, type: ownType, code, param: null } };
}

/** Decodes what the server received, in the server's own format. */
function decoded({ format, body }: AskedRequest) {
  if (format === undefined) throw new Error('This was no request for an answer.');
  return wireFormats[format].decodeRequest(body);
}

function imagesIn(asked: AskedRequest): string[] {
  const parts = decoded(asked).messages.flatMap(({ parts: all }) => [...all]);
  const shown = parts.flatMap((part): readonly UserPart[] => {
    if (part.type === 'toolResult') return part.content;
    return part.type === 'image' ? [part] : [];
  });
  return shown.flatMap((part) => (part.type === 'image' && part.source.kind === 'base64' ? [part.source.data] : []));
}

export function describeSdk(kind: SdkKind): void {
  for (const upstream of UPSTREAM_KINDS) {
    describe(`${kind.name} on ${upstream.name}`, () => {
      afterEach(closeAll);
      const start = async (script: (request: AskedRequest) => Answer) => {
        const gateway = await upstream.start(script);
        return { gateway, client: kind.create(gateway) };
      };
      const proves = kind.givesReasoningBack && upstream.formatFor(kind.format) !== 'chat-completions';
      for (const stream of [true, false]) {
        describeAnswers(kind, start, stream);
        if (proves) describeReasoning(start, stream);
      }
      describeFailures(start, upstream);
    });
  }
}

type Start = (script: (request: AskedRequest) => Answer) => Promise<{ gateway: ScriptedGateway; client: SdkClient }>;

function describeAnswers(kind: SdkKind, start: Start, stream: boolean): void {
  const how = stream ? 'streamed' : 'whole';

  if (kind.namesPages) {
    it(`names the pages that it cites, ${how}`, async () => {
      const url = 'https://example.com/tides';
      const { client } = await start(() => ({ parts: [{ text: TEXT, cites: [{ url, title: 'Tides' }] }], ...PIECES }));
      const answer = await client.ask({ text: 'Hi', stream });
      assert.deepEqual([answer.text, answer.pages], [TEXT, [url]]);
    });
  }

  it(`has text and usage, ${how}`, async () => {
    const { client } = await start(() => ({ parts: [{ text: TEXT }], ...HARD }));
    const answer = await client.ask({ text: 'Hi', stream });
    assert.deepEqual([answer.text, answer.inputTokens, answer.outputTokens], [TEXT, USAGE.prompt, USAGE.completion]);
  });

  it(`has parallel calls and sends back their results with images, ${how}`, async () => {
    const { client, gateway } = await start(({ text }) =>
      text.includes('snow')
        ? { parts: [{ text: 'Cold.' }], ...PIECES }
        : { parts: [{ text: 'I look.' }, ...CALLS], ...PIECES },
    );
    const answer = await client.ask({ text: 'Weather?', stream, offersTool: true });
    assert.deepEqual(
      answer.calls.map(({ id, name, input }) => ({ call: id, name, arguments: JSON.stringify(input) })),
      CALLS,
    );
    const results = new Map([
      ['call_b', 'rain'],
      ['call_a', 'snow'],
    ]);
    assert.equal((await client.goOn(results, PNG)).text, 'Cold.');
    const asked = await gateway.server.question(1);
    const parts = decoded(asked).messages.flatMap(({ parts: all }) => [...all]);
    const called = parts.flatMap((part) => (part.type === 'toolCall' ? [part.id] : []));
    const answered = parts.flatMap((part) => (part.type === 'toolResult' ? [part.toolCallId] : []));
    assert.deepEqual(
      [called, answered.sort()],
      [
        ['call_a', 'call_b'],
        ['call_a', 'call_b'],
      ],
    );
    if (kind.showsImages) assert.deepEqual(imagesIn(asked), [PNG, PNG]);
  });

  it(`shows an image, ${how}`, async () => {
    const { client, gateway } = await start(() => ({ parts: [{ text: 'A dot.' }], ...PIECES }));
    assert.equal((await client.ask({ text: 'What is this?', image: PNG, stream })).text, 'A dot.');
    assert.deepEqual(imagesIn(await gateway.server.question()), [PNG]);
  });

  it(`has an answer of a given shape, ${how}`, async () => {
    const schema = {
      type: 'object',
      properties: { x: { type: 'number' } },
      required: ['x'],
      additionalProperties: false,
    };
    const { client, gateway } = await start(({ body }) => {
      const isTool = body.tool_choice !== undefined;
      return { parts: isTool ? [{ call: 'c', name: 'json', arguments: '{"x":7}' }] : [{ text: '{"x":7}' }], ...PIECES };
    });
    const answer = await client.ask({ text: 'Seven?', schema, stream });
    assert.deepEqual(JSON.parse(answer.text), { x: 7 });
    assert.ok(JSON.stringify(decoded(await gateway.server.question())).includes('"x":{"type":"number"}'));
  });
}

function describeReasoning(start: Start, stream: boolean): void {
  it(`sends back reasoning with its signature, ${stream ? 'streamed' : 'whole'}`, async () => {
    const said = {
      parts: [{ reasoning: 'Wind from the west.', signature: SIGNATURE }, ...CALLS.slice(0, 1)],
      ...PIECES,
    };
    const { client, gateway } = await start(({ text }) =>
      text.includes('snow') ? { parts: [{ text: 'Cold.' }] } : said,
    );
    const answer = await client.ask({ text: 'Weather?', stream, offersTool: true });
    assert.equal(answer.reasoning, 'Wind from the west.');
    await client.goOn(new Map([['call_a', 'snow']]));
    assert.ok((await gateway.server.question(1)).text.includes(SIGNATURE));
  });
}

/**
 * Returns the status for the client: an error about the upstream's key is not passed on as one about the client's own
 * key.
 */
function statusFor({ name }: UpstreamKind, status: number): number {
  return (status === 401 || status === 403) && name !== 'a hosted service' ? 502 : status;
}

function describeFailures(start: Start, upstream: UpstreamKind): void {
  for (const [nth, error] of ERRORS.entries()) {
    // Each error ends streams and whole answers, and each upstream fails with both.
    const stream = (nth + UPSTREAM_KINDS.indexOf(upstream)) % 2 === 0;
    it(`has error ${error.status}, ${stream ? 'streamed' : 'whole'}`, async () => {
      const { client } = await start(({ format }) => {
        const { status } = error;
        return { status, body: errorBody(format ?? 'chat-completions', error), headers: { 'retry-after': '1' } };
      });
      await assert.rejects(client.ask({ text: 'Hi', stream }), (thrown: Error) => {
        assert.equal(client.statusOf(thrown), statusFor(upstream, error.status));
        assert.match(thrown.message, /Words of the upstream/);
        return true;
      });
    });
  }

  for (const ending of ['cut', 'end'] as const) {
    it(`sees that a stream is not whole (${ending})`, async () => {
      const { client } = await start(() => ({ parts: [{ text: TEXT }], afterEvents: 5, ending, pieceBytes: 9 }));
      await assert.rejects(client.ask({ text: 'Hi', stream: true }));
    });
  }

  it('can leave in the middle, which ends the upstream’s work', async () => {
    const { client, gateway } = await start(() => ({ parts: [{ text: TEXT }], afterEvents: 7, ending: 'stall' }));
    const leaving = new AbortController();
    const question = { text: 'Hi', stream: true, signal: leaving.signal, onPiece: () => leaving.abort() };
    await assert.rejects(client.ask(question));
    assert.equal(await (await gateway.server.question()).ended, 'left', upstream.name);
  });
}
