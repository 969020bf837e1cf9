import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Model, readModelCatalog } from '../../../src/service/modelCatalog.ts';

function ids(body: unknown): string[] {
  return readModelCatalog(body).models.map(({ id }) => id);
}

function read(entry: object): Partial<Model> {
  const { raw, id, ...model } =
    readModelCatalog([{ id: 'm', ...entry }]).models[0] ?? assert.fail('No model was read.');
  assert.equal(id, 'm');
  assert.ok(raw !== undefined);
  return model;
}

describe('readModelCatalog', () => {
  describe('finds the models in', () => {
    const lists: readonly (readonly [title: string, body: unknown])[] = [
      ['the list of chat-completions services', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }],
      [
        'the list of messages services',
        {
          data: [
            { type: 'model', id: 'a', display_name: 'A' },
            { type: 'model', id: 'b' },
          ],
          has_more: false,
        },
      ],
      ['a bare list', [{ id: 'a' }, { id: 'b' }]],
      ['a list of names', { models: ['a', 'b'] }],
      ['a list under models', { models: [{ name: 'a' }, { model: 'b' }] }],
      ['a record by id', { models: { a: { context_window: 1 }, b: {} } }],
      ['a list two levels down', { data: { models: [{ id: 'a' }, { slug: 'b' }] } }],
      [
        'a list with odd entries',
        [null, 7, { id: 'a' }, {}, { id: '' }, { id: 5 }, [], { id: 'b' }, { id: 'x'.repeat(999) }],
      ],
      ['a list with repeated ids', [{ id: 'a' }, { id: 'b' }, { id: 'a' }]],
    ];
    for (const [title, body] of lists) it(title, () => assert.deepEqual(ids(body), ['a', 'b']));
  });

  for (const body of [undefined, null, {}, [], 'text', 5, { data: null }, { data: 'x' }, { error: { message: 'x' } }]) {
    it(`finds none in ${JSON.stringify(body)}`, () => assert.deepEqual(ids(body), []));
  }

  it('accepts ids that are names of prototype properties', () => {
    assert.deepEqual(ids(JSON.parse('{"models":{"__proto__":{},"constructor":{}}}')), ['__proto__', 'constructor']);
    assert.equal(({} as { context?: unknown }).context, undefined);
  });

  it('keeps the answer and each entry unchanged', () => {
    const body = { data: [{ id: 'a', odd: { x: [1] } }] };
    const catalog = readModelCatalog(body);
    assert.equal(catalog.raw, body);
    assert.equal(catalog.models[0]?.raw, body.data[0]);
  });

  describe('reads names and sizes', () => {
    const entries: readonly (readonly [entry: object, model: Partial<Model>])[] = [
      [{ display_name: 'Model M' }, { displayName: 'Model M' }],
      [
        { name: 'Model M', family: 'Ems' },
        { displayName: 'Model M', family: 'Ems' },
      ],
      [{ name: 'm' }, {}],
      [{ context_window: 200000 }, { contextWindow: 200000 }],
      [{ context_length: '200000' }, { contextWindow: 200000 }],
      [{ contextWindow: '200k' }, { contextWindow: 200000 }],
      [{ context: '1M' }, { contextWindow: 1000000 }],
      [
        { max_input_tokens: 128000, max_tokens: 8192 },
        { contextWindow: 128000, maxOutputTokens: 8192 },
      ],
      [{ limits: { context: 32000, output: 4000 } }, { contextWindow: 32000, maxOutputTokens: 4000 }],
      [{ top_provider: { context_length: 9, max_completion_tokens: 3 } }, { contextWindow: 9, maxOutputTokens: 3 }],
      [{ context_window: -1, max_output_tokens: 0.5 }, {}],
      [{ context_window: null, context_length: 10 }, { contextWindow: 10 }],
    ];
    for (const [entry, model] of entries) it(JSON.stringify(entry), () => assert.deepEqual(read(entry), model));
  });

  describe('reads prices in dollars per million tokens', () => {
    const both = { inputPrice: 3, outputPrice: 15 };
    const entries: readonly (readonly [entry: object, model: Partial<Model>])[] = [
      [{ pricing: { prompt: '0.000003', completion: '0.000015' } }, both],
      [{ pricing: { input: 3, output: 15 } }, both],
      [{ pricing: { input: '3.00', output: '$15' } }, both],
      [{ pricing: { input_per_million: 3, output_per_million: 15 } }, both],
      [{ pricing: { inputPerMillionTokens: 3, outputPer1M: 15 } }, both],
      [{ price: { input_per_1k: 0.003, output_per_1k_tokens: 0.015 } }, both],
      [{ pricing: { unit: 'per_1k_tokens', input: 0.003, output: 0.015 } }, both],
      [{ pricing: { per: '1M tokens', input: 3, output: 15 } }, both],
      [{ pricing: { unit: 1000, input: 0.003, output: 0.015 } }, both],
      [{ pricing: { input: { usd: 3 }, output: { amount: '15' } } }, both],
      [
        { cost: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 } },
        { ...both, cachedInputPrice: 0.3, cacheWritePrice: 3.75 },
      ],
      [
        {
          input_cost_per_audio_token: 4e-5,
          input_cost_per_token: 3e-6,
          input_cost_per_token_batches: 1.5e-6,
          output_cost_per_token: 1.5e-5,
          cache_creation_input_token_cost: 3.75e-6,
          cache_creation_input_token_cost_above_1hr: 6e-6,
        },
        { ...both, audioInputPrice: 40, cacheWritePrice: 3.75, longCacheWritePrice: 6 },
      ],
      [
        {
          ...{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 },
          ...{ input_cost_per_token_above_272k_tokens: 7e-6, input_cost_per_token_above_200k_tokens: 6e-6 },
          ...{ output_cost_per_token_above_200k_tokens: 2.25e-5, cache_read_input_token_cost_above_200k_tokens: 6e-7 },
          cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
          input_cost_per_token_above_200k_tokens_priority: 9e-6,
        },
        {
          ...both,
          longPrompts: [
            { above: 200_000, inputPrice: 6, outputPrice: 22.5, cachedInputPrice: 0.6, longCacheWritePrice: 12 },
            { above: 272_000, inputPrice: 7 },
          ],
        },
      ],
      [
        { cost: { input: 3, output: 15, context_over_200k: { input: 6, output: 22.5 } } },
        { ...both, longPrompts: [{ above: 200_000, inputPrice: 6, outputPrice: 22.5 }] },
      ],
      [
        {
          pricing: {
            ...{ input: '0.000003', output: '0.000015' },
            input_tiers: [
              { cost: '0.000003', min: 0, max: 200_001 },
              { cost: '0.000006', min: 200_001 },
            ],
          },
        },
        { ...both, longPrompts: [{ above: 200_000, inputPrice: 6 }] },
      ],
      [
        {
          cost: {
            ...{ input: 3, output: 15 },
            tiers: [
              { input: 9, output: 30, cache_read: 0.5, tier: { type: 'context', size: 400_000 } },
              { input: 6, output: 22.5, tier: { type: 'context', size: 272_000 } },
              { input: 1, output: 1, tier: { type: 'time', size: 1 } },
            ],
          },
        },
        {
          ...both,
          longPrompts: [
            { above: 272_000, inputPrice: 6, outputPrice: 22.5 },
            { above: 400_000, inputPrice: 9, outputPrice: 30, cachedInputPrice: 0.5 },
          ],
        },
      ],
      [{ pricing: { input: 3, output: 15, input_tiers: 'on request', context_over_200k: null } }, both],
      [
        { pricing: { prompt: '0.000003', completion: '0.000015', web_search: '0.01' } },
        { ...both, webSearchPrice: 0.01 },
      ],
      [
        {
          pricing: {
            ...{ prompt: '0.000003', completion: '0.000015', internal_reasoning: '0.00002', request: '0.005' },
            ...{ image: '0.0036', image_token: '0.000004' },
          },
        },
        { ...both, reasoningPrice: 20, requestPrice: 0.005, imageInputPrice: 4 },
      ],
      [
        {
          pricing: {
            ...{ prompt: '0.000003', completion: '0.000015', internal_reasoning: '0', request: '0' },
            internal_reasoning_above_200k_tokens: '0',
          },
        },
        both,
      ],
      [{ pricing: { input: 3, output: 15, per_request: 5 } }, { ...both, requestPrice: 0.005 }],
      [
        { ...{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 }, output_cost_per_reasoning_token: 2e-5 },
        { ...both, reasoningPrice: 20 },
      ],
      [
        {
          ...{ input_cost_per_character: 1e-6, input_cost_per_image: 0.001, output_cost_per_second: 0.1 },
          ...{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, cost_per_request: 0.005 },
          ...{ request_per_minute: 60, requests_per_minute: 60 },
        },
        { ...both, requestPrice: 0.005 },
      ],
      [{ input_price: 3, output_price: 15 }, both],
      [{ price_input: 3, price_output: 15 }, both],
      [{ prompt_price: 3, completion_price: 15 }, both],
      [{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5 }, both],
      [{ input_cost_per_token: '3e-06', output_cost_per_token: '1.5e-05' }, both],
      [{ input_price_usd_per_million: 3, output_price_usd_per_million: 15 }, both],
      [{ pricing: { prompt: '0', completion: 0 } }, { inputPrice: 0, outputPrice: 0 }],
      [{ pricing: { prompt: '0.000003', input_cache_read: '0.0000003' } }, { inputPrice: 3, cachedInputPrice: 0.3 }],
      [
        { input_price: 0.000003, caching_price: 0.00000375 },
        { inputPrice: 3, cacheWritePrice: 3.75 },
      ],
      [{ pricing: { input: 3, cached_input: 0.3 } }, { inputPrice: 3, cachedInputPrice: 0.3 }],
      [{ pricing: { input: 3 }, input_price: 99 }, { inputPrice: 3 }],
      [{ pricing: { prompt: '-1', completion: '-1' } }, {}],
      [{ pricing: { currency: 'EUR', input: 3, output: 15 } }, {}],
      [{ pricing: { input: '3 EUR' } }, {}],
      [{ pricing: 'on request', input: ['text'], max_input_tokens: 5 }, { contextWindow: 5 }],
    ];
    for (const [entry, model] of entries) it(JSON.stringify(entry), () => assert.deepEqual(read(entry), model));
  });

  describe('reads capabilities', () => {
    const entries: readonly (readonly [entry: object, model: Partial<Model>])[] = [
      [
        { capabilities: { tools: true, vision: false, reasoning: true } },
        { tools: true, images: false, reasoning: true },
      ],
      [{ capabilities: ['tools', 'image_input'] }, { tools: true, images: true, reasoning: false }],
      [
        { capabilities: { image_input: { supported: true }, thinking: { supported: false } } },
        { images: true, reasoning: false },
      ],
      [{ supported_features: ['function_calling', 'vision'] }, { tools: true, images: true, reasoning: false }],
      [{ supported_parameters: ['tools', 'temperature'] }, { tools: true, reasoning: false }],
      [{ modalities: ['text', 'image'] }, { images: true }],
      [{ modalities: { input: ['text'], output: ['text', 'image'] } }, { images: false }],
      [{ architecture: { input_modalities: ['text', 'image'] } }, { images: true }],
      [
        { supports_vision: true, supports_function_calling: true },
        { tools: true, images: true },
      ],
      [
        { tool_call: true, reasoning: false },
        { tools: true, reasoning: false },
      ],
      [{ reasoning: 'high' }, {}],
    ];
    for (const [entry, model] of entries) it(JSON.stringify(entry), () => assert.deepEqual(read(entry), model));
  });

  it('never throws, whatever the input', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, member) => {
        for (const { id } of readModelCatalog(body).models) assert.ok(id.length > 0);
        const entry = { id: 'x', pricing: member, capabilities: member, limits: member, context_window: member };
        assert.equal(readModelCatalog({ data: [body, entry] }).models.at(-1)?.id, 'x');
      }),
    );
  });
});
