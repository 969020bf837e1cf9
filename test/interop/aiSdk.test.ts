import assert from 'node:assert/strict';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool } from 'ai';
import { collect } from './support/collect.ts';
import { SETUPS, type StartedGateway } from './support/gateways.ts';

/** Creates the model with a name, with one of the providers. */
type Provider = (model: string) => LanguageModel;

function providersOf({ address, key }: StartedGateway): Readonly<Record<string, Provider>> {
  const settings = { baseURL: address, apiKey: key };
  const openai = createOpenAI(settings);
  const compatible = createOpenAICompatible({ ...settings, name: 'gateway', includeUsage: true });
  return {
    '@ai-sdk/openai with chat completions': (model) => openai.chat(model),
    '@ai-sdk/openai with responses': (model) => openai.responses(model),
    '@ai-sdk/anthropic': createAnthropic(settings),
    '@ai-sdk/openai-compatible': (model) => compatible(model),
  };
}

const PROVIDERS = [
  '@ai-sdk/openai with chat completions',
  '@ai-sdk/openai with responses',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai-compatible',
];
const MODEL = 'familya-haiku-4.5';
const ASKING = { maxOutputTokens: 1000, maxRetries: 0 };

for (const setup of SETUPS) {
  describe(`the AI SDK on ${setup.name}`, () => {
    let gateway: StartedGateway;

    before(async () => {
      gateway = await setup.start();
    });
    after(() => gateway.stop());

    for (const name of PROVIDERS) {
      describe(`with ${name}`, () => {
        const model = (id = MODEL): LanguageModel => {
          const provider = providersOf(gateway)[name];
          assert.ok(provider);
          return provider(id);
        };

        it('receives a complete answer with usage', async () => {
          const { text, usage, finishReason } = await generateText({
            ...ASKING,
            model: model(),
            prompt: 'echo: Hello, world',
          });
          assert.equal(text, 'Hello, world');
          assert.equal(finishReason, 'stop');
          assert.ok((usage.inputTokens ?? 0) > 0 && (usage.outputTokens ?? 0) > 0);
        });

        it('receives a streamed answer incrementally with usage', async () => {
          const answer = streamText({ ...ASKING, model: model(), prompt: 'write 40 words' });
          const pieces = await collect(answer.textStream);
          assert.ok(pieces.length > 10);
          assert.ok(pieces.join('').split(/\s+/).length >= 40);
          assert.ok(((await answer.usage).outputTokens ?? 0) >= 40);
        });

        it('runs a tool and streams the answer to its result', async () => {
          const cities: string[] = [];
          const answer = streamText({
            ...ASKING,
            model: model(),
            prompt: 'use get_weather city=Oslo',
            stopWhen: stepCountIs(3),
            tools: {
              get_weather: tool({
                description: 'The weather of a city',
                inputSchema: jsonSchema<{ city: string }>({
                  type: 'object',
                  properties: { city: { type: 'string' } },
                  required: ['city'],
                  additionalProperties: false,
                }),
                execute: ({ city }) => {
                  cities.push(city);
                  return 'cold and sunny';
                },
              }),
            },
          });
          assert.match(await answer.text, /cold and sunny/);
          assert.deepEqual(cities, ['Oslo']);
        });

        it('receives errors with their status', async () => {
          const ask = generateText({ ...ASKING, model: model(`${MODEL}+no-credit`), prompt: 'x' });
          await assert.rejects(ask, (error) => {
            assert.ok(APICallError.isInstance(error));
            assert.equal(error.statusCode, 402);
            return true;
          });
        });

        it('detects an interrupted stream', async () => {
          const errors: unknown[] = [];
          const answer = streamText({
            ...ASKING,
            model: model(`${MODEL}+cut`),
            prompt: 'write 200 words',
            onError: ({ error }) => {
              errors.push(error);
            },
          });
          await answer.consumeStream();
          assert.equal(errors.length, 1);
        });
      });
    }
  });
}
