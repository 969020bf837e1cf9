import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { type Answer, json, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, startGateway, startPair } from '../support/gateway.ts';
import { RING, startRouter } from '../support/routed.ts';

function tool(format: FormatName, name: string): unknown {
  const parameters = { type: 'object' };
  if (format === 'messages') return { name, input_schema: parameters };
  return format === 'responses'
    ? { type: 'function', name, parameters }
    : { type: 'function', function: { name, parameters } };
}

function body(format: FormatName, further: object): string {
  const said = [{ role: 'user', content: 'hello' }];
  const conversation = format === 'responses' ? { input: said } : { messages: said };
  return JSON.stringify({ model: 'familya-haiku-4.5', max_tokens: 9, ...conversation, ...further });
}

/** Requests that would keep the gateway busy, and the errors that they get. */
const EXCESSES: readonly (readonly [
  what: string,
  further: (format: FormatName) => object | undefined,
  expected: RegExp,
])[] = [
  [
    'tools',
    (format) => ({ tools: Array.from({ length: 10_001 }, (_, nth) => tool(format, `t${nth}`)) }),
    /tools: At most 10000 are allowed/,
  ],
  [
    'tools of one name',
    (format) => ({ tools: Array.from({ length: 10_001 }, () => tool(format, 'f')) }),
    /tools: At most 10000 are allowed/,
  ],
  [
    'values',
    () => ({ metadata: { a: Array.from({ length: 250_001 }, () => 0) } }),
    /too many values. The limit is 250000/,
  ],
  ['members', () => Object.fromEntries(Array.from({ length: 1_001 }, (_, nth) => [`a${nth}`, 0])), /too many members/],
  [
    'characters in the name of a tool',
    (format) => ({ tools: [tool(format, 't'.repeat(513))] }),
    /tool name can have at most 512 characters/,
  ],
  ['values in the arguments of calls', (format) => called(format, `[${'0,'.repeat(130_000)}0]`, 2), /too many values/],
  [
    'levels in the arguments of calls',
    (format) => called(format, '['.repeat(501) + ']'.repeat(501), 1),
    /nested too deep/,
  ],
  [
    'stop sequences',
    (format) =>
      format === 'responses' ? undefined : { [stopOf(format)]: Array.from({ length: 65 }, (_, nth) => `${nth}`) },
    /At most 64 stop sequences/,
  ],
  [
    'characters in a stop sequence',
    (format) => (format === 'responses' ? undefined : { [stopOf(format)]: ['a'.repeat(1_001)] }),
    /at most 1000 characters/,
  ],
];

/**
 * Returns a conversation with calls that have these arguments. The messages format has arguments as JSON, not as text.
 */
function called(format: FormatName, written: string, calls: number): object | undefined {
  const ids = Array.from({ length: calls }, (_, nth) => `call_${nth}`);
  const functions = ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: written } }));
  const items = ids.map((call_id) => ({ type: 'function_call', call_id, name: 'f', arguments: written }));
  if (format === 'messages') return undefined;
  return format === 'responses' ? { input: items } : { messages: [{ role: 'assistant', tool_calls: functions }] };
}

function stopOf(format: FormatName): string {
  return format === 'messages' ? 'stop_sequences' : 'stop';
}

function assertRefused(answer: Answer, format: FormatName, expected: RegExp): void {
  assert.equal(answer.status, 400, answer.body.toString().slice(0, 200));
  const error = wireFormats[format].decodeError(json(answer));
  assert.equal(error?.kind, 'invalidRequest');
  assert.match(error.message, expected);
}

describe('a request with too many', () => {
  afterEach(closeAll);

  for (const [what, further, expected] of EXCESSES) {
    for (const { caller, upstream } of RING) {
      const excess = further(caller);
      if (excess === undefined) continue;
      it(`${what} is refused with 400 if it would be translated: ${caller} for ${upstream}`, async () => {
        const { port, servers } = await startRouter([{ formats: [upstream], script: () => ({ parts: [] }) }]);
        const path = `/v1${wireFormats[caller].path}`;
        assertRefused(await send({ port, path, body: body(caller, excess) }), caller, expected);
        assert.equal(servers[0]?.requests.length, 0);
      });
    }
    for (const format of FORMAT_NAMES) {
      const excess = further(format);
      if (excess === undefined) continue;
      it(`${what} is refused with 400 by the sandbox: ${format}`, async () => {
        const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
        assertRefused(
          await send({ port, path: `/v1${wireFormats[format].path}`, body: body(format, excess) }),
          format,
          expected,
        );
      });
    }
  }

  it('tools is passed on unchanged to an upstream of its own format', async () => {
    const { port, service } = await startPair();
    const tools = Array.from({ length: 10_001 }, (_, nth) => tool('messages', `t${nth}`));
    assert.equal((await send({ port, path: '/v1/messages', body: body('messages', { tools }) })).status, 200);
    assert.equal(service.requests.length, 1);
  });
});

describe('the name of a model', () => {
  afterEach(closeAll);

  const ask = (port: number, model: string, further: object = {}) =>
    send({ port, path: '/v1/messages', body: JSON.stringify({ model, max_tokens: 9, messages: [], ...further }) });

  it('can have at most 512 characters', async () => {
    const { port, service } = await startPair();
    assert.equal((await ask(port, 'm'.repeat(512))).status, 200);
    assertRefused(await ask(port, 'm'.repeat(513)), 'messages', /at most 512 characters/);
    assert.equal(service.requests.length, 1);
  });

  it('has the same limit in a long body that is streamed through', async () => {
    const { port, service } = await startPair();
    assertRefused(
      await ask(port, 'm'.repeat(513), { text: 'x'.repeat(300_000) }),
      'messages',
      /at most 512 characters/,
    );
    assert.equal(service.requests.length, 0);
  });

  it('is limited before patterns, aliases, and a key’s terms are applied', async () => {
    const keys = [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0, models: ['*llama*instruct*'] }];
    const script = () => ({ parts: [] });
    const { port } = await startRouter([{ models: ['*llama*instruct*'], script }], {}, { localKeys: keys });
    assertRefused(await ask(port, 'llama-'.repeat(80_000)), 'messages', /at most 512 characters/);
  });
});
