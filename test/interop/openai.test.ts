import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { collect } from './support/collect.ts';
import { SETUPS, type StartedGateway } from './support/gateways.ts';

const MODEL = 'familyc-5.4';
const WEATHER = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

for (const setup of SETUPS) {
  describe(`the OpenAI SDK on ${setup.name}`, () => {
    let gateway: StartedGateway;
    let client: OpenAI;

    before(async () => {
      gateway = await setup.start();
      client = new OpenAI({ baseURL: gateway.address, apiKey: gateway.key, maxRetries: 0 });
    });
    after(() => gateway.stop());

    describe('with chat completions', () => {
      it('receives a complete answer with usage', async () => {
        const answer = await client.chat.completions.create({
          model: MODEL,
          messages: [{ role: 'user', content: 'echo: Hello, world' }],
        });
        assert.equal(answer.choices[0]?.message.content, 'Hello, world');
        assert.equal(answer.choices[0]?.finish_reason, 'stop');
        assert.ok(answer.usage && answer.usage.prompt_tokens > 0 && answer.usage.completion_tokens > 0);
      });

      it('receives a streamed answer incrementally, with usage on request', async () => {
        const stream = await client.chat.completions.create({
          model: MODEL,
          stream: true,
          stream_options: { include_usage: true },
          messages: [{ role: 'user', content: 'write 40 words' }],
        });
        const chunks = await collect(stream);
        const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
        assert.ok(text.split(/\s+/).length >= 40, text);
        assert.ok(chunks.length > 10);
        assert.ok((chunks.at(-1)?.usage?.completion_tokens ?? 0) >= 40);
      });

      it('assembles a stream with its stream helper', async () => {
        const stream = client.chat.completions.stream({
          model: MODEL,
          messages: [{ role: 'user', content: 'echo: streamed text' }],
        });
        assert.equal(await stream.finalContent(), 'streamed text');
      });

      it('runs a tool and receives the answer to its result', async () => {
        const cities: string[] = [];
        const runner = client.chat.completions.runTools({
          model: MODEL,
          stream: true,
          messages: [{ role: 'user', content: 'use get_weather city=Oslo' }],
          tools: [
            {
              type: 'function',
              function: {
                name: 'get_weather',
                description: 'The weather of a city',
                parameters: WEATHER,
                parse: JSON.parse,
                function: ({ city }: { city: string }) => {
                  cities.push(city);
                  return 'cold and sunny';
                },
              },
            },
          ],
        });
        assert.match((await runner.finalContent()) ?? '', /cold and sunny/);
        assert.deepEqual(cities, ['Oslo']);
      });

      it('receives two tool calls in one answer', async () => {
        const tool = (name: string) => ({ type: 'function' as const, function: { name, parameters: WEATHER } });
        const answer = await client.chat.completions.create({
          model: MODEL,
          messages: [{ role: 'user', content: 'use get_weather and get_time city=Rome' }],
          tools: [tool('get_weather'), tool('get_time')],
        });
        const calls = answer.choices[0]?.message.tool_calls ?? [];
        assert.deepEqual(
          calls.map((call) => call.type === 'function' && call.function.name),
          ['get_weather', 'get_time'],
        );
        assert.equal(answer.choices[0]?.finish_reason, 'tool_calls');
      });
    });

    describe('with responses', () => {
      it('receives a complete answer with usage', async () => {
        const answer = await client.responses.create({ model: MODEL, input: 'echo: Hello, world' });
        assert.equal(answer.output_text, 'Hello, world');
        assert.equal(answer.status, 'completed');
        assert.ok(answer.usage && answer.usage.total_tokens > 0);
      });

      it('receives a streamed answer with its events in order', async () => {
        const stream = await client.responses.create({ model: MODEL, input: 'write 40 words', stream: true });
        const events = await collect(stream);
        assert.deepEqual(
          events.map(({ sequence_number }) => sequence_number),
          events.map((_, index) => index),
        );
        assert.equal(events[0]?.type, 'response.created');
        assert.equal(events.at(-1)?.type, 'response.completed');
      });

      it('assembles a stream with its stream helper', async () => {
        const stream = client.responses.stream({ model: MODEL, input: 'echo: streamed text' });
        assert.equal((await stream.finalResponse()).output_text, 'streamed text');
      });

      it('calls a tool and receives the answer to its result', async () => {
        const tools = [{ type: 'function' as const, name: 'get_weather', parameters: WEATHER, strict: true }];
        const first = await client.responses.create({ model: MODEL, tools, input: 'use get_weather city=Oslo' });
        const call = first.output.find((item) => item.type === 'function_call');
        assert.deepEqual(JSON.parse(call?.arguments ?? ''), { city: 'Oslo' });
        const second = await client.responses.create({
          model: MODEL,
          tools,
          previous_response_id: first.id,
          input: [{ type: 'function_call_output', call_id: call?.call_id ?? '', output: 'cold and sunny' }],
        });
        assert.match(second.output_text, /cold and sunny/);
      });
    });

    it('lists the models and retrieves one', async () => {
      const models = await collect(client.models.list());
      assert.equal(models.length, 11);
      assert.equal((await client.models.retrieve(MODEL)).id, MODEL);
    });

    it('receives errors of the right class with their request ID', async () => {
      const ask = (model: string) =>
        client.chat.completions.create({ model, messages: [{ role: 'user', content: 'x' }] });
      await assert.rejects(ask('unknown'), OpenAI.NotFoundError);
      await assert.rejects(ask(`${MODEL}+rate-limit`), (error) => {
        assert.ok(error instanceof OpenAI.RateLimitError);
        assert.equal(error.headers.get('retry-after'), '1');
        assert.match(error.requestID ?? '', /^req_/);
        return true;
      });
      await assert.rejects(
        client.responses.create({ model: `${MODEL}+server-error`, input: 'x' }),
        OpenAI.InternalServerError,
      );
      const stranger = new OpenAI({ baseURL: gateway.address, apiKey: 'key_wrong', maxRetries: 0 });
      await assert.rejects(collect(stranger.models.list()), OpenAI.AuthenticationError);
    });

    for (const fault of ['cut', 'error-event']) {
      it(`detects an interrupted stream (${fault}) in either format`, async () => {
        const chat = await client.chat.completions.create({
          model: `${MODEL}+${fault}`,
          stream: true,
          messages: [{ role: 'user', content: 'write 200 words' }],
        });
        await assert.rejects(collect(chat), OpenAI.APIError);
        const responses = await client.responses.create({ model: `${MODEL}+${fault}`, stream: true, input: 'x' });
        const end = await collect(responses).then(
          (events) => events.at(-1)?.type,
          (error) => error,
        );
        assert.ok(end === 'response.failed' || end instanceof OpenAI.APIError, String(end));
      });
    }

    it('retries a failed request automatically', async () => {
      const patient = client.withOptions({ maxRetries: 2 });
      const answer = await patient.responses.create({ model: `${MODEL}+overloaded-once`, input: 'echo: again' });
      assert.equal(answer.output_text, 'again');
    });
  });
}
