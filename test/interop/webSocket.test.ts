import assert from 'node:assert/strict';
import OpenAI from 'openai';
import type { ResponsesClientEvent, ResponsesServerEvent } from 'openai/resources/responses/responses';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { SETUPS, type StartedGateway } from './support/gateways.ts';

const MODEL = 'familyc-5.4';
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

type Asked = Omit<ResponsesClientEvent.ResponseCreate, 'type' | 'model'> & { readonly model?: string };

for (const setup of SETUPS) {
  describe(`the OpenAI SDK's WebSocket on ${setup.name}`, () => {
    let gateway: StartedGateway;
    let socket: ResponsesWS;

    before(async () => {
      gateway = await setup.start();
    });
    after(() => gateway.stop());
    beforeEach(() => {
      socket = new ResponsesWS(new OpenAI({ baseURL: gateway.address, apiKey: gateway.key }));
    });
    afterEach(() => socket.close());

    /** Rejects with the SDK's error. */
    async function ask(asked: Asked): Promise<ResponsesServerEvent[]> {
      const events: ResponsesServerEvent[] = [];
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onEvent = (event: ResponsesServerEvent): void => {
        events.push(event);
        if (ENDS.has(event.type ?? '')) resolve();
      };
      socket.on('event', onEvent);
      socket.once('error', reject);
      socket.send({ type: 'response.create', model: MODEL, ...asked });
      await promise.finally(() => {
        socket.off('event', onEvent);
        socket.off('error', reject);
      });
      return events;
    }

    function responseOf(events: readonly ResponsesServerEvent[]) {
      const last = events.at(-1);
      assert.ok(last?.type === 'response.completed', JSON.stringify(last));
      return last.response;
    }

    function textOf(events: readonly ResponsesServerEvent[]): string {
      return events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
    }

    it('receives an answer event by event, with usage', async () => {
      const events = await ask({ input: 'write 40 words' });
      assert.ok(events.filter(({ type }) => type === 'response.output_text.delta').length > 10);
      assert.ok((responseOf(events).usage?.output_tokens ?? 0) >= 40);
    });

    for (const store of [false, true]) {
      it(`runs a tool and continues with its result${store ? '' : ', without storing anything'}`, async () => {
        const tool = {
          type: 'function' as const,
          name: 'get_weather',
          description: 'The weather of a city',
          strict: false,
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        };
        const first = await ask({ store, tools: [tool], input: 'use get_weather city=Oslo' });
        const call = responseOf(first).output.find((item) => item.type === 'function_call');
        assert.deepEqual(JSON.parse(call?.arguments ?? ''), { city: 'Oslo' });
        const second = await ask({
          store,
          tools: [tool],
          previous_response_id: responseOf(first).id,
          input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'cold and sunny' }],
        });
        assert.match(textOf(second), /cold and sunny/);
      });
    }

    it('continues from a warm-up', async () => {
      const warm = await ask({ store: false, generate: false, input: 'echo: one' });
      assert.deepEqual(responseOf(warm).output, []);
      const events = await ask({ store: false, previous_response_id: responseOf(warm).id, input: 'echo: two' });
      assert.equal(textOf(events), 'two');
    });

    it('receives errors, and can go on', async () => {
      await assert.rejects(ask({ model: 'unknown', input: 'Hi' }));
      await assert.rejects(ask({ store: false, previous_response_id: 'resp_unknown', input: 'Hi' }));
      assert.equal(textOf(await ask({ input: 'echo: Hi' })), 'Hi');
    });
  });
}
