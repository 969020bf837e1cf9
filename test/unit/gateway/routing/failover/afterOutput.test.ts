import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { USAGE } from '../../../../support/modelServer/script.ts';
import { read } from '../../support/client.ts';
import { closeAll } from '../../support/gateway.ts';
import {
  ALL_PAIRS,
  EVENTS,
  firstData,
  HELLO,
  itInTurn,
  passMinutes,
  readAnswer,
  startRoute,
} from './faultyUpstreams.ts';

const SAID = { parts: [{ text: 'Half of what there was to say.' }] };
const CALL = { parts: [{ call: 'call_1', name: 'look_up', arguments: '{"path":"a/very/long/path/to/a/file"}' }] };
const THOUGHT = { parts: [{ reasoning: 'Let me think about this for a while.' }] };
/** Number of events up to and including the first piece of output. */
const FIRST_OUTPUT = { 'chat-completions': 2, messages: 4, responses: 5 } as const;
/** Number of events at the end of a stream that only state that it has ended. */
const LAST_EVENTS = { 'chat-completions': 1, messages: 1, responses: 0 } as const;

for (const pair of ALL_PAIRS) {
  const { caller, upstream } = pair;
  const isNative = caller === upstream;
  const half = FIRST_OUTPUT[upstream] + 1;

  describe(`a client of ${caller} on upstreams of ${upstream}, after the first output`, () => {
    afterEach(closeAll);

    itInTurn(pair, 'only reasoning', async () => {
      const thinking = () => ({ ...THOUGHT, afterEvents: FIRST_OUTPUT[upstream], ending: 'cut' as const });
      const route = await startRoute(pair, [thinking, () => HELLO]);
      const { error, isFinished } = await route.ask();
      assert.ok(error);
      assert.ok(!isFinished);
      assert.equal(route.asked(1).length, 0);
    });

    itInTurn(pair, 'interrupted after output', async () => {
      for (const ending of ['cut', 'end'] as const) {
        const route = await startRoute(pair, [() => ({ ...SAID, afterEvents: half, ending }), () => HELLO]);
        const { text, error, isFinished } = await route.ask();
        assert.ok(text.length > 0 && SAID.parts[0]?.text.startsWith(text), text);
        assert.ok(error);
        assert.ok(!isFinished);
        assert.equal(route.asked(1).length, 0);
      }
    });

    itInTurn(pair, "interrupted inside a tool's arguments", async () => {
      const tools = { tools: [TOOLS[caller]] };
      const afterEvents = upstream === 'chat-completions' ? 4 : 6;
      const route = await startRoute(pair, [() => ({ ...CALL, afterEvents, ending: 'cut' as const })]);
      const { error, events } = await route.ask({ members: tools });
      assert.ok(error);
      assert.ok(!events.some(({ type }) => type === 'finish'));
      const received = events.map((event) => (event.type === 'toolCallDelta' ? event.arguments : '')).join('');
      assert.ok(received.length < (CALL.parts[0]?.arguments.length ?? 0));
    });

    itInTurn(pair, 'no data after output', async () => {
      const route = await startRoute(pair, [() => ({ ...SAID, afterEvents: half, ending: 'stall' as const })]);
      const [answer] = (await once(route.open(), 'response')) as [IncomingMessage];
      const whole = read(answer);
      await firstData(answer);
      passMinutes(6);
      const { error, isFinished } = readAnswer(caller, await whole);
      assert.ok(error);
      assert.ok(!isFinished);
      assert.equal(await route.asked(0)[0]?.ended, 'left');
    });

    if (isNative) {
      it('is not delayed if the upstream does not declare a stream', async () => {
        const stream = EVENTS[upstream](SAID, 'm0').slice(0, half).join('');
        const headers = { 'content-type': 'text/plain' };
        const route = await startRoute(pair, [() => ({ stream, headers, ending: 'stall' as const })]);
        const [answer] = (await once(route.open(), 'response')) as [IncomingMessage];
        assert.ok(stream.startsWith(await firstData(answer)));
      });
    }

    itInTurn(pair, 'a malformed event', async () => {
      const events = EVENTS[upstream](SAID, 'm0');
      const broken = 'data: {"broken": \n\n';
      const stream = [...events.slice(0, half), broken, ...events.slice(half)].join('');
      const route = await startRoute(pair, [() => ({ stream })]);
      const { raw, text, isFinished, error } = await route.ask({ members: usageAsked(caller) });
      if (isNative) assert.equal(raw, stream);
      else {
        assert.equal(text, SAID.parts[0]?.text);
        assert.ok(error && !isFinished, 'output may be missing');
      }
    });

    itInTurn(pair, 'everything is sent except the last event, and the connection is open or closed', async () => {
      const events = EVENTS[upstream](SAID, 'm0');
      const stream = events.slice(0, events.length - LAST_EVENTS[upstream]).join('');
      const check = async (ending: 'end' | 'stall' | 'cut', sent = stream) => {
        const route = await startRoute(pair, [() => ({ stream: sent, ending })]);
        const record = route.nextRecord();
        const { text, error, isFinished, raw } = await route.ask({ members: usageAsked(caller) });
        assert.deepEqual([text, error, isFinished], [SAID.parts[0]?.text, undefined, true]);
        if (caller === 'messages') assert.match(raw, /message_stop/);
        const { usage, end } = await record;
        assert.deepEqual([usage?.outputTokens, end], [USAGE.completion, 'completed']);
      };
      await Promise.all([check('end'), check('stall'), check('cut'), check('cut', events.join(''))]);
    });

    itInTurn(pair, 'an answer after a failover', async () => {
      const down = () => ({ status: 503, body: { error: { message: 'Down.', type: 'server_error', code: null } } });
      const route = await startRoute(pair, [down, () => SAID]);
      const record = route.nextRecord();
      const { headers } = await route.ask({ members: usageAsked(caller) });
      assert.equal(headers['x-model-access-upstream'], 'server1');
      assert.equal(headers['x-model-access-model'], 'm1');
      assert.equal(headers['x-model-access-route'], 'r; attempts="server0/m0 503, server1/m1 200"');
      const { upstream: answered, upstreamModel, usage, attempts = [] } = await record;
      assert.deepEqual([answered, upstreamModel, usage?.outputTokens], ['server1', 'm1', USAGE.completion]);
      assert.deepEqual(
        attempts.map(({ upstream: id, model, status, failure }) => [id, model, status, failure]),
        [
          ['server0', 'm0', 503, 'server'],
          ['server1', 'm1', 200, undefined],
        ],
      );
    });
  });
}

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const TOOLS = {
  'chat-completions': { type: 'function', function: { name: 'look_up', parameters: SCHEMA } },
  messages: { name: 'look_up', input_schema: SCHEMA },
  responses: { type: 'function', name: 'look_up', parameters: SCHEMA },
};

function usageAsked(caller: string): Readonly<Record<string, unknown>> {
  return caller === 'chat-completions' ? { stream_options: { include_usage: true } } : {};
}
