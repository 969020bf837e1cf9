import assert from 'node:assert/strict';
import { RequestFacts } from '../../../../../src/gateway/routing/routes/requestFacts.ts';

const factsOf = (body: unknown) =>
  new RequestFacts({ body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) });
const schema = { type: 'object', properties: { image: { type: 'string', enum: ['image', 'image_url'] } } };
const DATA = 'A'.repeat(40_000);

describe('what rules ask about a request', () => {
  for (const [where, tools] of [
    ['chat completions', [{ type: 'function', function: { name: 'wanted', parameters: schema } }]],
    ['messages', [{ name: 'other' }, { name: 'wanted', input_schema: schema }]],
    ['responses', [{ type: 'function', name: 'wanted' }]],
    ['hosted tools', [{ type: 'wanted' }]],
    ['hosted tools with a date', [{ name: 'x', type: 'wanted_20250305' }]],
  ] as const) {
    it(`finds a tool among those of ${where}`, () => {
      const facts = factsOf({ messages: [{ content: 'Hi' }], tools, stream: true });
      assert.equal(facts.offersTool('wanted'), true);
      assert.equal(facts.hasTools, true);
    });
  }

  for (const [what, body] of [
    [
      'that was called before',
      { messages: [{ content: [{ type: 'tool_use', name: 'wanted' }] }], tools: [{ name: 'x' }] },
    ],
    ['that a text names', { messages: [{ content: 'Use "wanted"!' }], tools: [{ name: 'x' }] }],
    ['whose name is longer', { tools: [{ name: 'wanted_more' }, { type: 'wanted_2025' }, { name: 'unwanted' }] }],
    ['in the schema of another', { tools: [{ name: 'x', input_schema: { properties: { name: 'wanted' } } }] }],
    ['in a body that is no object', ['wanted']],
    ['in a body that is cut', '{"tools":[{"name":"wanted'],
  ] as const) {
    it(`does not find a tool ${what}`, () => {
      assert.equal(factsOf(body).offersTool('wanted'), false);
    });
  }

  for (const [where, body] of [
    ['chat completions', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: DATA } }] }] }],
    ['messages', { messages: [{ content: [{ source: { data: DATA }, type: 'image' }] }] }],
    [
      'a result of a tool',
      { messages: [{ content: [{ type: 'tool_result', content: [{ type: 'image', source: { data: DATA } }] }] }] },
    ],
    ['responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: DATA }] }] }],
    [
      'the output of a call',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: DATA }] }] },
    ],
  ] as const) {
    it(`finds an image in ${where}, and counts it instead of its bytes`, () => {
      const facts = factsOf(`\uFEFF${JSON.stringify(body, undefined, 1)}`);
      assert.equal(facts.hasImage, true);
      assert.ok(facts.tokens >= 1_600 && facts.tokens < 1_700, String(facts.tokens));
    });
  }

  for (const [what, body] of [
    ['of a tool', { messages: [{ content: 'Hi' }], tools: [{ name: 'draw', input_schema: schema, type: 'image' }] }],
    ['of the arguments of a call', { messages: [{ content: [{ type: 'tool_use', input: { type: 'image' } }] }] }],
    ['of a text', { input: 'Say "image" or {"type":"image"}' }],
  ] as const) {
    it(`takes nothing ${what} for an image`, () => {
      assert.equal(factsOf(body).hasImage, false);
    });
  }

  it('counts four bytes as a token', () => {
    assert.equal(factsOf({ input: 'x'.repeat(8_000) }).tokens, Math.ceil((8_000 + '{"input":""}'.length) / 4));
  });

  it('reads bodies that are nested deeper than any conversation', () => {
    const depth = 100_000;
    const nested = `{"messages":${'[{"content":'.repeat(depth)}{"type":"image"}${'}]'.repeat(depth)}}`;
    assert.equal(factsOf(nested).hasImage, false);
  });
});
