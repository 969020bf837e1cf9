import assert from 'node:assert/strict';
import { FORMAT_NAMES, type FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { type Answer, json, send } from '../support/client.ts';
import { closeAll, startGateway, startPair } from '../support/gateway.ts';
import { PAIRS, RING, startRouter } from '../support/routed.ts';

const LEVELS = 100_000;
const DEEP_LIST = '['.repeat(LEVELS) + ']'.repeat(LEVELS);
const DEEP_OBJECT = '{"a":'.repeat(LEVELS) + 1 + '}'.repeat(LEVELS);
const TEXT = [{ text: 'An answer.' }];

interface Insertions {
  readonly message?: string;
  readonly schema?: string;
  readonly further?: string;
}

/** Returns a question as JSON, with raw JSON where programs could write deeply nested values. */
function question(caller: FormatName, { message = '"hello"', schema = '{"type":"object"}', further }: Insertions) {
  const tool = {
    'chat-completions': `{"type":"function","function":{"name":"f","parameters":${schema}}}`,
    messages: `{"name":"f","input_schema":${schema}}`,
    responses: `{"type":"function","name":"f","parameters":${schema}}`,
  }[caller];
  const conversation = caller === 'responses' ? 'input' : 'messages';
  const said = `"${conversation}":[{"role":"user","content":${message}}]`;
  return `{"model":"familya-haiku-4.5","max_tokens":9,"tools":[${tool}],${said}${further ? `,${further}` : ''}}`;
}

const DEEP: Readonly<Record<string, Insertions>> = {
  'in what was said': { message: DEEP_LIST },
  'in the schema of a tool': { schema: `{"type":"object","properties":${DEEP_OBJECT}}` },
  'in its metadata': { further: `"metadata":{"a":${DEEP_LIST}}` },
  'in an unknown member': { further: `"unknown":${DEEP_OBJECT}` },
};

function assertRefused(answer: Answer, caller: FormatName): void {
  assert.equal(answer.status, 400, answer.body.toString().slice(0, 200));
  const error = wireFormats[caller].decodeError(json(answer));
  assert.equal(error?.kind, 'invalidRequest');
  assert.match(error.message, /nested too deep/);
}

describe('JSON with a hundred thousand levels', () => {
  afterEach(closeAll);

  for (const [where, insertions] of Object.entries(DEEP)) {
    for (const { caller, upstream } of RING) {
      it(`is refused with 400 if it would be translated: ${where}, ${caller} for ${upstream}`, async () => {
        const running = await startRouter([{ formats: [upstream], script: () => ({ parts: TEXT }) }]);
        const body = question(caller, insertions);
        const path = `/v1${wireFormats[caller].path}`;
        assertRefused(await send({ port: running.port, path, body }), caller);
        assert.equal(running.servers[0]?.requests.length, 0);
        assert.deepEqual(running.errors, []);
      });
    }

    for (const caller of FORMAT_NAMES) {
      it(`is refused with 400 by the sandbox: ${where}, ${caller}`, async () => {
        const { port, errors } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
        const path = `/v1${wireFormats[caller].path}`;
        assertRefused(await send({ port, path, body: question(caller, insertions) }), caller);
        assert.deepEqual(errors, []);
      });
    }

    it(`is passed through byte for byte if it is not parsed: ${where}`, async () => {
      const { port, service } = await startPair();
      const body = question('messages', insertions);
      assert.equal((await send({ port, path: '/v1/messages', body })).status, 200);
      assert.ok(service.requests[0]?.body.equals(Buffer.from(body)));
    });
  }

  it('is refused with 400 if it would be counted, wherever it is', async () => {
    const { port, errors } = await startRouter([{ script: () => ({ parts: TEXT }) }]);
    for (const insertions of Object.values(DEEP)) {
      const body = question('messages', insertions);
      assertRefused(await send({ port, path: '/v1/messages/count_tokens', body }), 'messages');
    }
    assert.deepEqual(errors, []);
  });

  for (const { caller, upstream } of RING) {
    for (const stream of [false, true]) {
      it(`becomes an error if an upstream answers with it: ${upstream} for ${caller}, stream: ${stream}`, async () => {
        const running = await startRouter([
          {
            formats: [upstream],
            script: () => ({
              status: 200,
              body: `{"content":${DEEP_LIST},"choices":${DEEP_LIST},"output":${DEEP_LIST}}`,
            }),
          },
        ]);
        const body = question(caller, { further: `"stream":${stream}` });
        const answer = await send({ port: running.port, path: `/v1${wireFormats[caller].path}`, body });
        assert.equal(answer.status, 502);
        assert.ok(wireFormats[caller].decodeError(json(answer)));
      });
    }
  }

  it('is passed through in an answer that is not translated', async () => {
    const { port, nextRecord, errors } = await startPair((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"usage":${DEEP_LIST}}`);
    });
    const ended = nextRecord();
    const answer = await send({ port, path: '/v1/messages' });
    assert.equal(answer.body.toString(), `{"usage":${DEEP_LIST}}`);
    assert.equal((await ended).end, 'completed');
    assert.deepEqual(errors, []);
  });
});

describe('JSON with names that are special in JavaScript', () => {
  afterEach(closeAll);

  const POISON =
    '"__proto__":{"polluted":true,"stream":true,"role":"system"},"constructor":{"prototype":{"polluted":true}}';

  const assertClean = () => {
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.equal(([] as { polluted?: unknown }).polluted, undefined);
    assert.equal(({} as { stream?: unknown }).stream, undefined);
  };
  const poisoned = (caller: FormatName): string => {
    const message = `[{"type":"${caller === 'responses' ? 'input_text' : 'text'}","text":"hello",${POISON}}]`;
    return question(caller, {
      message,
      schema: `{"type":"object",${POISON},"properties":{${POISON}}}`,
      further: POISON,
    });
  };

  for (const { caller, upstream } of PAIRS) {
    it(`does not affect the gateway, in a request or an answer: ${caller} for ${upstream}`, async () => {
      const parts = [{ call: 'c', name: '__proto__', arguments: `{${POISON}}` }, { text: 'hasOwnProperty' }];
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts }) }]);
      const path = `/v1${wireFormats[caller].path}`;
      const answer = await send({ port: running.port, path, body: poisoned(caller) });
      assert.equal(answer.status, 200, answer.body.toString());
      assert.match(answer.headers['content-type'] ?? '', /json/);
      assertClean();
      const { body } = running.servers[0]?.requests[0] ?? {};
      assert.notEqual(body.stream, true);
    });
  }

  for (const caller of FORMAT_NAMES) {
    it(`does not affect the sandbox: ${caller}`, async () => {
      const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
      const answer = await send({ port, path: `/v1${wireFormats[caller].path}`, body: poisoned(caller) });
      assert.equal(answer.status, 200, answer.body.toString());
      assertClean();
    });

    for (const model of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__/constructor']) {
      it(`is not a model: ${model}, ${caller}`, async () => {
        const running = await startRouter([{ models: ['known'], script: () => ({ parts: TEXT }) }]);
        const body = question(caller, {}).replace('familya-haiku-4.5', model);
        const path = `/v1${wireFormats[caller].path}`;
        assert.equal((await send({ port: running.port, path, body })).status, 404);
        const sandbox = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
        assert.equal((await send({ port: sandbox.port, path, body })).status, 404);
      });
    }
  }

  for (const encoding of ['constructor', '__proto__', 'toString']) {
    it(`is not a content encoding: ${encoding}`, async () => {
      for (const stream of [true, false]) {
        const headers = { 'content-encoding': encoding };
        const { port } = await startRouter([{ script: () => ({ parts: TEXT, headers }) }]);
        const answer = await send({
          port,
          path: '/v1/messages',
          body: question('messages', { further: `"stream":${stream}` }),
        });
        assert.equal(answer.status, 502);
        assert.match(answer.body.toString(), /decompressed|content encoding/);
      }
    });
  }
});

describe('JSON with very many values', () => {
  afterEach(closeAll);

  const wide = (caller: FormatName, tools: number, messages: number): string => {
    const format = wireFormats[caller];
    const parts = [{ type: 'text', text: 'Some words that were said.' }] as const;
    return JSON.stringify(
      format.encodeRequest({
        model: 'm',
        maxTokens: 10,
        system: [],
        messages: Array.from({ length: messages }, (_, nth) => ({ role: nth % 2 ? 'assistant' : 'user', parts })),
        tools: Array.from({ length: tools }, (_, nth) => ({
          name: `a tool with an odd and long name, which has to be shortened for some, number ${nth}`,
          parameters: { type: 'object', properties: { value: { type: 'string' } } },
        })),
      }),
    );
  };

  for (const { caller, upstream } of RING) {
    it(`arrives completely: 5,000 tools and 20,000 messages of ${caller} for ${upstream}`, async () => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts: TEXT }) }]);
      const answer = await send({
        port: running.port,
        path: `/v1${wireFormats[caller].path}`,
        body: wide(caller, 5_000, 20_000),
      });
      assert.equal(answer.status, 200, answer.body.toString().slice(0, 300));
      const { body } = running.servers[0]?.requests[0] ?? {};
      assert.equal(body.tools.length, 5_000);
      assert.equal((body.messages ?? body.input).length, 20_000);
    });

    it(`is refused with 400 if most of it is invalid: 240,000 values of ${caller} for ${upstream}`, async () => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ parts: TEXT }) }]);
      const wrong = new Array<number>(240_000).fill(0);
      const said = caller === 'responses' ? { input: wrong } : { messages: wrong };
      const body = JSON.stringify({ model: 'm', max_tokens: 10, ...said });
      const answer = await send({ port: running.port, path: `/v1${wireFormats[caller].path}`, body });
      assert.equal(answer.status, 400, answer.body.toString().slice(0, 300));
      assert.deepEqual(running.errors, []);
    });
  }
});
