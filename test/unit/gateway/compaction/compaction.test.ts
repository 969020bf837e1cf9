import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { prepareCompaction } from '../../../../src/gateway/compaction/compaction.ts';
import { seal } from '../../../../src/gateway/compaction/seal.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { sealingKey } from '../../../../src/gateway/keys/sentSecrets.ts';
import { SingleUpstream } from '../../../../src/gateway/routing/singleUpstream.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { type AskedRequest, ModelServer, type Answer as Scripted } from '../../../support/modelServer/modelServer.ts';
import { USAGE } from '../../../support/modelServer/script.ts';
import { openResponse } from '../../formats/responses/openResponses.ts';
import { assertFits, jsonOf } from '../../formats/responses/wellFormed.ts';
import { issued } from '../budgets/limited.ts';
import { json, LOCAL_KEY, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { type RunningRouter, startRouter } from '../support/routed.ts';

const SUMMARY = 'The user builds a lamp. The bulb is next.';
const OTHER_KEY = 'key_of-another-tool-for-the-tests';
const OWN_ITEM = { type: 'compaction', id: 'cmp_upstream', encrypted_content: 'gAAAA-of-the-upstream' };
const TOOLS = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
const INPUT = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Build a lamp.' }] },
  { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: 'no bulb' },
];
const TRIGGER = { type: 'compaction_trigger' };
const summarize = () => ({ parts: [{ text: SUMMARY }] });

interface Running {
  readonly port: number;
}
const compact = ({ port }: Running, body: object = {}, key = LOCAL_KEY) =>
  ask(port, '/api/v1/responses/compact', body, key);
const respond = ({ port }: Running, body: object, key = LOCAL_KEY) => ask(port, '/api/v1/responses', body, key);

function ask(port: number, path: string, body: object, key: string) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return send({ port, path, headers, body: JSON.stringify({ model: 'model-a', input: INPUT, tools: TOOLS, ...body }) });
}

interface Compacted {
  readonly output: readonly { readonly type: string; readonly encrypted_content: string }[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** Returns all requests except those for the list of models. */
const askedOf = ({ servers }: Pick<RunningRouter, 'servers'>) =>
  (servers[0]?.requests ?? []).filter(({ path }) => !path.endsWith('/models'));

const textOf = (request: AskedRequest | undefined) => JSON.stringify(request?.body);

describe('a conversation that is compacted', () => {
  afterEach(closeAll);

  for (const format of ['chat-completions', 'messages'] satisfies FormatName[]) {
    describe(`on ${format}`, () => {
      const start = (script: (request: AskedRequest) => Scripted = summarize) =>
        startRouter([{ formats: [format], script }]);

      it('becomes one sealed item, which a later request includes and the model reads as text', async () => {
        const running = await start();
        const answer = await compact(running);
        assert.equal(answer.status, 200);
        const { output, usage } = json(answer) as Compacted;
        assert.deepEqual(
          output.map(({ type }) => type),
          ['compaction'],
        );
        assert.deepEqual([usage.input_tokens, usage.output_tokens], [USAGE.prompt, USAGE.completion]);
        assert.ok(!answer.body.toString().includes('lamp'));
        const question = { type: 'message', role: 'user', content: 'Go on.' };
        const next = await respond(running, { input: [...output, question] });
        assert.equal(next.status, 200);
        const [asked, continued] = running.servers[0]?.requests ?? [];
        assert.match(textOf(asked), /Build a lamp\..*no bulb.*Summarize the conversation/);
        assert.match(textOf(continued), /The user builds a lamp\..*Go on\./);
        assert.ok(!textOf(continued)?.includes('encrypted_content'));
      });

      it('becomes one item of a stream that ends with a complete response', async () => {
        const running = await start();
        const answer = await respond(running, { input: [...INPUT, TRIGGER], stream: true });
        const events = jsonOf(answer.body.toString());
        assert.deepEqual(
          events.map(({ type }) => type),
          [
            'response.created',
            'response.in_progress',
            'response.output_item.added',
            'response.output_item.done',
            'response.completed',
          ],
        );
        assert.deepEqual(
          events.map(({ sequence_number }) => sequence_number),
          [0, 1, 2, 3, 4],
        );
        const item = events[3]?.item as unknown as Compacted['output'][number];
        assert.deepEqual(events[4]?.response.output, [item]);
        for (const event of [events[0], events[4]]) assertFits(openResponse, event?.response);
        const { usage } = (await running.records.at(-1)) ?? (await running.nextRecord());
        assert.deepEqual(usage && [usage.inputTokens, usage.outputTokens], [USAGE.prompt, USAGE.completion]);
        const next = await respond(running, { input: [item] });
        assert.equal(next.status, 200);
        assert.match(textOf(running.servers[0]?.requests.at(-1)), /builds a lamp/);
      });

      it('becomes a complete response if it is not streamed', async () => {
        const answer = await respond(await start(), { input: [...INPUT, TRIGGER] });
        const body = json(answer) as Compacted;
        assertFits(openResponse, body);
        assert.deepEqual(
          body.output.map(({ type }) => type),
          ['compaction'],
        );
      });

      it('keeps the tools of its calls, and does not let the model call any', async () => {
        const running = await start();
        await compact(running);
        const { tools, tool_choice: choice } = running.servers[0]?.requests[0]?.body ?? {};
        assert.equal(tools.length, 1);
        assert.deepEqual(choice, format === 'messages' ? { type: 'none' } : 'none');
      });

      it('fails with the error of the model', async () => {
        const error = { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } };
        const refused = await compact(await start(() => ({ status: 429, body: error })));
        assert.equal(refused.status, 429);
        assert.match(refused.body.toString(), /Slow down\./);
      });

      it('fails if the model writes no summary', async () => {
        const call = { call: 'call_2', name: 'look', arguments: '{}' };
        const whole = await compact(await start(() => ({ parts: [call] })));
        assert.equal(whole.status, 502);
        assert.match(whole.body.toString(), /wrote none/);
        const running = await start(() => ({ parts: [call] }));
        const stream = await respond(running, { input: [TRIGGER], stream: true });
        assert.match(stream.body.toString(), /event: response\.failed\n.*wrote none/);
      });

      it('fails if the upstream disconnects', async () => {
        const running = await start(() => ({ ...summarize(), afterEvents: 3, ending: 'cut' }));
        const stream = await respond(running, { input: [TRIGGER], stream: true });
        // If the stream has not started when the connection breaks, the error is the answer.
        assert.match(stream.body.toString(), /premature close/);
        assert.ok(!stream.body.toString().includes('"type":"compaction"'));
      });
    });
  }

  describe('on responses', () => {
    const start = (script: (request: AskedRequest) => Scripted) => startRouter([{ formats: ['responses'], script }]);

    it('is compacted by an upstream that supports it, whose items are passed on unchanged', async () => {
      const body = {
        id: 'resp_1',
        object: 'response.compaction',
        created_at: 1,
        output: [OWN_ITEM],
        usage: { input_tokens: 9, output_tokens: 4 },
      };
      const running = await start(({ path }) => (path.endsWith('/compact') ? { status: 200, body } : summarize()));
      const ended = running.nextRecord();
      assert.deepEqual(json(await compact(running)), body);
      const { usage, endpoint } = await ended;
      assert.deepEqual([usage, endpoint], [{ inputTokens: 9, outputTokens: 4 }, '/responses/compact']);
      await respond(running, { input: [OWN_ITEM, TRIGGER] });
      assert.deepEqual(running.servers[0]?.requests.at(-1)?.body.input, [OWN_ITEM, TRIGGER]);
    });

    it('has the usage that the upstream reports, including cached tokens', async () => {
      const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 8 }, output_tokens: 4 };
      const running = await start(() => ({ status: 200, body: { id: 'resp_1', output: [OWN_ITEM], usage } }));
      const ended = running.nextRecord();
      await compact(running);
      assert.deepEqual((await ended).usage, { inputTokens: 9, cachedInputTokens: 8, outputTokens: 4 });
    });

    it('is summarized if the upstream has no such endpoint', async () => {
      const running = await start(({ path }) => (path.endsWith('/compact') ? { status: 404, body: {} } : summarize()));
      const { output } = json(await compact(running)) as Compacted;
      assert.deepEqual(
        output.map(({ type }) => type),
        ['compaction'],
      );
      await respond(running, { input: [...output] });
      assert.match(textOf(running.servers[0]?.requests.at(-1)), /builds a lamp/);
    });

    for (const status of [404, 405, 501]) {
      it(`is summarized by the model of its session even if another upstream could compact it (${status})`, async () => {
        const lacking = ({ path }: AskedRequest): Scripted =>
          path.endsWith('/compact') ? { status, body: { error: { message: 'Not here.' } } } : summarize();
        const able = () => ({ status: 200, body: { object: 'response.compaction', output: [OWN_ITEM] } });
        const running = await startRouter(
          [
            { formats: ['responses'], script: lacking },
            { formats: ['responses'], script: able },
          ],
          {},
          {},
          { coding: { use: ['server0/a', 'server1/b'] } },
        );
        const compacted = await compact(running, { model: 'coding' });
        assert.equal(compacted.headers['x-model-access-upstream'], 'server0');
        const [item] = (json(compacted) as Compacted).output;
        assert.notEqual(item?.encrypted_content, OWN_ITEM.encrypted_content);
        const next = await respond(running, { model: 'coding', input: [item] });
        assert.equal(next.headers['x-model-access-upstream'], 'server0');
        assert.deepEqual(
          running.servers[1]?.requests.filter(({ path }) => !path.endsWith('/models')),
          [],
        );
      });
    }

    for (const [what, failure] of [
      ['is down', { status: 503, body: { error: { message: 'Down.' } } }],
      ['breaks the connection', 'hang up'],
    ] as const) {
      it(`is summarized by the next upstream, of another format, if the first ${what}`, async () => {
        const running = await startRouter(
          [
            { formats: ['responses'], script: () => failure },
            { formats: ['chat-completions'], script: summarize },
          ],
          {},
          {},
          { coding: { use: ['server0/a', 'server1/b'] } },
        );
        const asked = { model: 'coding', input: [...INPUT, TRIGGER] };
        for (const answer of [await compact(running, { model: 'coding' }), await respond(running, asked)]) {
          const [item] = (json(answer) as Compacted).output;
          assert.equal(item?.type, 'compaction');
          assert.equal(answer.headers['x-model-access-upstream'], 'server1');
        }
      });
    }

    it('is summarized by the upstream of its session, even if the first upstream could compact it', async () => {
      let isDown = true;
      const able = ({ path }: AskedRequest): Scripted => {
        if (isDown) return { status: 503, body: { error: { message: 'Down.' } } };
        return path.endsWith('/compact') ? { status: 200, body: { output: [OWN_ITEM] } } : summarize();
      };
      const running = await startRouter(
        [
          { formats: ['responses'], script: able },
          { formats: ['messages'], script: summarize },
        ],
        {},
        {},
        { coding: { use: ['server0/a', 'server1/b'] } },
      );
      await respond(running, { model: 'coding' });
      isDown = false;
      const answer = await compact(running, { model: 'coding' });
      const [item] = (json(answer) as Compacted).output;
      assert.equal(item?.type, 'compaction');
      assert.notEqual(item.encrypted_content, OWN_ITEM.encrypted_content);
    });

    it('is summarized if the next upstream after a failed one does not compact', async () => {
      const lacking = ({ path, body }: AskedRequest): Scripted => {
        if (path.endsWith('/compact')) return { status: 404, body: { error: { message: 'Not here.' } } };
        const isAsked = JSON.stringify(body.input).includes(TRIGGER.type);
        return isAsked ? { status: 400, body: { error: { message: 'Unknown item compaction_trigger' } } } : summarize();
      };
      const down = () => ({ status: 503, body: { error: { message: 'Down.' } } });
      const running = await startRouter(
        [down, lacking].map((script) => ({ formats: ['responses'], script })),
        {},
        {},
        { coding: { use: ['server0/a', 'server1/b'] } },
      );
      const asked = { model: 'coding', input: [...INPUT, TRIGGER] };
      for (const answer of [await compact(running, { model: 'coding' }), await respond(running, asked)]) {
        assert.equal((json(answer) as Compacted).output[0]?.type, 'compaction');
      }
    });

    it('is summarized if the upstream refuses the item, but not if it refuses anything else', async () => {
      const refusal = (message: string) => ({
        status: 400,
        body: { error: { message, type: 'invalid_request_error' } },
      });
      const hasTrigger = ({ body }: AskedRequest) =>
        body.input.some(({ type }: { type: string }) => type === TRIGGER.type);
      const knowsNot = await start((request) =>
        hasTrigger(request) ? refusal("Invalid value: 'compaction_trigger'") : summarize(),
      );
      const { output } = json(await respond(knowsNot, { input: [...INPUT, TRIGGER] })) as Compacted;
      assert.deepEqual(
        output.map(({ type }) => type),
        ['compaction'],
      );
      const other = await start(() => refusal('Invalid tools.'));
      const refused = await respond(other, { input: [...INPUT, TRIGGER] });
      assert.equal(refused.status, 400);
      assert.match(refused.body.toString(), /Invalid tools\./);
      assert.equal(other.servers[0]?.requests.length, 1);
    });
  });

  it('is summarized by the hosted service, even if long requests are otherwise streamed through', async () => {
    const server = await ModelServer.start(summarize);
    closeLater(() => server.close());
    const counter = new TokenCounter();
    closeLater(() => counter.close());
    const hosted = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    const upstream = new SingleUpstream(hosted, counter);
    closeLater(() => upstream.close());
    const { port } = await startGateway({ upstream });
    const { output } = json(await compact({ port })) as Compacted;
    await respond({ port }, { input: [...INPUT, TRIGGER] });
    assert.deepEqual(
      server.requests.map(({ path, text }) => [path, text.includes(TRIGGER.type)]),
      Array(2).fill(['/api/v1/responses', false]),
      'the service is asked for nothing that it does not know',
    );
    const long = { type: 'message', role: 'user', content: 'long '.repeat(50_000) };
    const headers = {
      authorization: `Bearer ${LOCAL_KEY}`,
      'content-type': 'application/json',
      'x-codex-beta-features': 'remote_compaction_v2',
    };
    const body = JSON.stringify({ model: 'model-a', input: [long, ...output] });
    assert.equal((await send({ port, path: '/api/v1/responses', headers, body })).status, 200);
    assert.match(textOf(server.requests.at(-1)), /builds a lamp/);
  });

  describe('by an upstream, in an item that only this upstream can read', () => {
    const question = { type: 'message', role: 'user', content: 'Go on.' };

    for (const format of ['chat-completions', 'messages'] satisfies FormatName[]) {
      for (const type of ['compaction', 'compaction_summary']) {
        it(`is refused on ${format}, which cannot carry the item (${type})`, async () => {
          const running = await startRouter([{ formats: [format], script: summarize }]);
          for (const body of [{ stream: false }, { stream: true }, { input: [OWN_ITEM, question, TRIGGER] }]) {
            const refused = await respond(running, { input: [{ ...OWN_ITEM, type }, question], ...body });
            assert.equal(refused.status, 400, refused.body.toString());
            assert.match(refused.body.toString(), /only the service that wrote it can read/);
          }
          assert.deepEqual(askedOf(running), []);
        });
      }
    }

    for (const [what, failure, status, again] of [
      ['is down', { status: 503, body: { error: { message: 'Down.' } } }, 503, []],
      ['breaks the connection', 'hang up', 502, [['server0', undefined]]],
    ] as const) {
      it(`is not lost in a failover: the route reports that this upstream ${what}`, async () => {
        const running = await startRouter(
          [
            { formats: ['responses'], script: () => failure },
            { formats: ['chat-completions'], script: summarize },
            { formats: ['messages'], script: summarize },
          ],
          {},
          {},
          { coding: { use: ['server0/a', 'server1/b', 'server2/c'] } },
        );
        const answer = await respond(running, { model: 'coding', input: [OWN_ITEM, question] });
        assert.equal(answer.status, status, answer.body.toString());
        const { attempts } = running.records.at(-1) ?? (await running.nextRecord());
        assert.deepEqual(
          attempts?.map(({ upstream, skipped }) => [upstream, skipped]),
          [['server0', undefined], ['server1', 'compaction'], ['server2', 'compaction'], ...again],
        );
        for (const { requests } of running.servers.slice(1)) {
          assert.deepEqual(
            requests.filter(({ body }) => body !== undefined),
            [],
          );
        }
      });
    }

    for (const order of [
      ['server0/a', 'server1/b'],
      ['server1/b', 'server0/a'],
    ]) {
      it(`is retried if no other upstream of the route can read it (${order.join(', ')})`, async () => {
        let asked = 0;
        const script = ({ body }: AskedRequest): Scripted => {
          if (body !== undefined) asked += 1;
          return asked === 1
            ? { status: 500, body: { error: { message: 'Broken.' } } }
            : { parts: [{ text: 'Done.' }] };
        };
        const running = await startRouter(
          [
            { formats: ['responses'], script },
            { formats: ['chat-completions'], script: summarize },
          ],
          {},
          {},
          { coding: { use: order } },
        );
        const answer = await respond(running, { model: 'coding', input: [OWN_ITEM, question] });
        assert.equal(answer.status, 200, answer.body.toString());
        assert.match(answer.body.toString(), /Done\./);
        assert.equal(asked, 2);
      });
    }
  });

  it('cannot be opened with another key or after a change', async () => {
    const other = { id: 'other', name: 'other', secret: OTHER_KEY, createdAt: 0 };
    const running = await startRouter([{ script: summarize }], {}, { localKeys: [issued(), other] });
    const { output } = json(await compact(running)) as Compacted;
    const [item] = output;
    const sealed = item?.encrypted_content ?? '';
    const last = sealed.endsWith('A') ? 'B' : 'A';
    const middle = sealed.replace(/(.{40})./, (whole, head: string) => head + (whole.endsWith('A') ? 'B' : 'A'));
    const forgeries = [`${sealed.slice(0, -2)}${last}${last}`, middle, 'model-access-1.', 'model-access-1.AAAA'];
    for (const content of forgeries) {
      const refused = await respond(running, { input: [{ ...item, encrypted_content: content }] });
      assert.equal(refused.status, 400, content);
      assert.match(refused.body.toString(), /"code":"invalid_encrypted_content"/);
    }
    const stolen = await respond(running, { input: [item] }, OTHER_KEY);
    assert.equal(stolen.status, 400);
    assert.ok(!stolen.body.toString().includes('lamp'));
    assert.equal(running.servers[0]?.requests.length, 1);
  });

  describe('in an item that its client has made', () => {
    /** A client knows the secret that the key for its summaries is derived from. */
    const item = (text: string) => {
      const key = sealingKey({ authorization: `Bearer ${LOCAL_KEY}` });
      return { type: 'compaction', encrypted_content: seal(text, key) };
    };
    const long = item('a'.repeat(6 * 1024 * 1024));

    for (const [what, items] of [
      ['has very many items', Array(101).fill(item('a'))],
      ['becomes longer than 16 MB when its items are opened', Array(3).fill(long)],
    ] as const) {
      it(`is refused if the input ${what}`, async () => {
        const running = await startRouter([{ script: summarize }]);
        const refused = await respond(running, { input: items });
        assert.equal(refused.status, 400);
        assert.match(refused.body.toString(), /"code":"invalid_encrypted_content"/);
        assert.deepEqual(askedOf(running), []);
      });
    }

    it('counts toward the memory for requests in progress with its opened length', async () => {
      const running = await startRouter([{ script: summarize }], {}, { heldMegabytes: 20 });
      assert.equal((await respond(running, { input: [item('a'.repeat(1024 * 1024))] })).status, 200);
      assert.equal((await respond(running, { input: [long] })).status, 503);
      assert.equal(askedOf(running).length, 1);
    });
  });

  it('is refused if the model writes a summary that no model would write', async () => {
    const running = await startRouter([{ script: () => ({ parts: [{ text: 'a'.repeat(2_000_001) }] }) }]);
    const refused = await compact(running);
    assert.equal(refused.status, 502);
    assert.match(refused.body.toString(), /too long/);
  });

  it('yields to other work between the steps in which a long conversation is read and written', async () => {
    const input = Array.from({ length: 5_000 }, (_, nth) => ({
      role: 'user',
      content: `${nth} ${'word '.repeat(20)}`,
    }));
    const body = Buffer.from(JSON.stringify({ model: 'm', input }));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const prepared = await prepareCompaction(
      {
        endpoint: '/responses/compact',
        method: 'POST',
        subpath: '',
        query: '',
        headers: {},
        localKeyId: 'tests',
        callerFormat: 'responses',
        body,
      },
      createHosted({ baseAddress: 'http://127.0.0.1:1', serviceKey: SERVICE_KEY }),
      () => new Uint8Array(32),
    );
    isOver = true;
    assert.ok('request' in prepared);
    assert.ok(Buffer.from(prepared.request.body).includes('"4999 word'));
    // It is searched for long texts, measured, parsed, decoded, and written, with two turns before each step.
    assert.ok(turns >= 20, String(turns));
  });

  it('counts toward the limits of its key', async () => {
    const running = await startRouter([{ script: summarize }], {}, { localKeys: [issued({ models: ['model-b'] })] });
    assert.equal((await compact(running)).status, 403);
    const limited = await startRouter(
      [{ script: summarize }],
      {},
      {
        localKeys: [issued({ budgets: [{ amount: 1, unit: 'tokens', period: 'total' }] })],
      },
    );
    assert.equal((await compact(limited)).status, 402);
    assert.deepEqual(askedOf(limited), []);
  });

  it('is refused for a key with restrictions if the request is ambiguous or runs in the background', async () => {
    const behind = [{ formats: ['responses'] as const, script: summarize }];
    const running = await startRouter(behind, {}, { localKeys: [issued({ models: ['model-a'] })] });
    const headers = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
    const input = JSON.stringify([...INPUT, TRIGGER]);
    for (const members of ['"model":"dear","model":"model-a"', '"model":"model-a","background":true']) {
      for (const path of ['/api/v1/responses', '/api/v1/responses/compact']) {
        const body = `{${members},"input":${input}}`;
        assert.equal((await send({ port: running.port, path, headers, body })).status, 400, `${path} ${members}`);
      }
    }
    assert.deepEqual(askedOf(running), []);
  });
});
