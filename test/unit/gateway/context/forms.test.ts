import assert from 'node:assert/strict';
import { ContextMeter } from '../../../../src/gateway/context/contextMeter.ts';
import { Tokenizer } from '../../../../src/gateway/counting/tokenizer.ts';
import { billedContext } from '../../../../src/ledger/contextCost.ts';
import type { BilledPart } from '../../../../src/rules/contextPart.ts';
import { pngHead } from '../../tokens/images.ts';

const tokenizer = new Tokenizer();
const PROSE = 'The rules of this project are short, and every change has a test. ';
const BASE64 = `iVBORw0KGgo${'QUJD'.repeat(20_000)}`;
const IMAGE = `data:image/png;base64,${BASE64}`;
/** More tokens than any image or document of these requests has, and fewer than its data would have as text. */
const MAX_MEDIA_TOKENS = 12_000;

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const definition = (name: string, words = 20) => ({ name, description: PROSE.repeat(words), input_schema: {} });

function modelOf(body: object): string {
  if ('model' in body) return String(body.model);
  return 'input' in body ? 'gpt-5.5' : 'claude-sonnet-5';
}

/** Forms of requests that agents send more rarely. Their sums are exact, whatever is billed. */
describe('a context with parts of', () => {
  const measured = (body: object, inputTokens = 100_003): readonly BilledPart[] => {
    const meter = new ContextMeter((text) => tokenizer.count(text));
    const model = modelOf(body);
    const context = meter.measure({ model, lane: 'a', body: Buffer.from(JSON.stringify({ model, ...body })) });
    assert.ok(context);
    const prices = { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 };
    const usage = { inputTokens, outputTokens: 1, cachedInputTokens: 70_000 };
    const { parts } = billedContext(context, usage, prices);
    const sum = (of: (part: BilledPart) => number) => parts.reduce((total, part) => total + of(part), 0);
    assert.equal(
      sum(({ tokens }) => tokens),
      inputTokens,
    );
    const ofOne = billedContext({ ...context, parts: [{ kind: 'other' }], order: [0, 1] }, usage, prices);
    assert.equal(
      sum(({ cost = Number.NaN }) => cost),
      ofOne.parts[0]?.cost,
    );
    return parts;
  };
  /** The parts by their estimated tokens. */
  const estimated = (body: object): Map<string, number> => {
    const meter = new ContextMeter((text) => tokenizer.count(text));
    const model = modelOf(body);
    const context = meter.measure({ model, lane: 'a', body: Buffer.from(JSON.stringify({ model, ...body })) });
    assert.ok(context);
    const tokens = new Map<string, number>();
    for (let at = 0; at < context.order.length; at += 2) {
      const { kind, name = '', server = '' } = context.parts[context.order[at] ?? 0] ?? assert.fail();
      const key = [kind, name, server].join(' ').trim();
      tokens.set(key, (tokens.get(key) ?? 0) + (context.order[at + 1] ?? 0));
    }
    measured(body);
    return tokens;
  };

  it('calls without a text, whose message has no answer', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
    const messages = Array.from({ length: 20 }, (_, nth) => [
      { role: 'assistant', content: nth === 0 ? PROSE : '', tool_calls: [call(`call_${nth}`)] },
      { role: 'tool', tool_call_id: `call_${nth}`, content: '' },
    ]).flat();
    const tokens = estimated({ messages: [user(PROSE), ...messages] });
    assert.equal(tokens.get('answers'), tokens.get('messages'));
    assert.ok((tokens.get('results read') ?? 0) > 0, 'an empty result is framed, too');
  });

  it('a document, which has the same size in whatever form its data is', () => {
    const data = BASE64.slice(-50_000);
    const url = `data:application/pdf;base64,${data}`;
    const sizeIn = (body: object) => {
      const size = estimated(body).get('documents') ?? 0;
      assert.ok(size > 0 && size < MAX_MEDIA_TOKENS, `${size}`);
      return size;
    };
    const source = { type: 'base64', media_type: 'application/pdf', data };
    const sizes = [
      { messages: [user([{ type: 'document', source }])] },
      { messages: [user([{ type: 'file', file: { file_data: url } }])] },
      { messages: [user([{ type: 'document_url', document_url: url }])] },
      { input: [{ type: 'message', role: 'user', content: [{ type: 'input_file', file_data: url }] }] },
    ].map(sizeIn);
    assert.deepEqual(sizes, Array(4).fill(sizes[0]));
  });

  it('tools that the model gets where the conversation refers to them', () => {
    const tools = [
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      { ...definition('get_weather'), defer_loading: true },
      { ...definition('get_time'), defer_loading: true },
    ];
    const parts = estimated({
      messages: [
        user('Hello'),
        assistant(
          { type: 'server_tool_use', id: 's', name: 'tool_search_tool_regex', input: { query: 'w' } },
          {
            type: 'tool_search_tool_result',
            tool_use_id: 's',
            content: { tool_references: [{ type: 'tool_reference', tool_name: 'get_weather' }] },
          },
        ),
        user('Go on'),
      ],
      tools,
    });
    assert.ok((parts.get('tools get_weather') ?? 0) > 200);
    assert.equal(parts.has('tools get_time'), false);
  });

  it('tools that a search of the responses format has found', () => {
    const late = { type: 'function', name: 'late', description: PROSE.repeat(20), parameters: {}, defer_loading: true };
    const input = [user('Hello'), { type: 'tool_search_call', call_id: 't', arguments: { query: 'x' } }];
    assert.equal(estimated({ tools: [late], input }).has('tools late'), false);
    const found = { type: 'tool_search_output', call_id: 't', tools: [late] };
    assert.ok((estimated({ tools: [late], input: [...input, found] }).get('tools late') ?? 0) > 200);
  });

  it('tools of the upstream, whose results have the names of their tools', () => {
    const parts = estimated({
      messages: [
        user('Hello'),
        assistant(
          { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'w' } },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [{ encrypted_content: PROSE.repeat(9) }] },
          { type: 'mcp_tool_use', id: 'm', name: 'echo', server_name: 'gh', input: {} },
          { type: 'mcp_tool_result', tool_use_id: 'm', content: [{ type: 'text', text: PROSE.repeat(9) }] },
        ),
        user('Go on'),
      ],
    });
    assert.ok((parts.get('results web_search') ?? 0) > 100);
    assert.ok((parts.get('results echo gh') ?? 0) > 100);
  });

  it('items that contain both a call and its result', () => {
    const parts = estimated({
      input: [
        user('Hello'),
        { type: 'mcp_call', id: 'm', server_label: 'gh', name: 'ask', arguments: '{}', output: PROSE.repeat(20) },
        { type: 'file_search_call', id: 'f', queries: ['rules'], results: [{ text: PROSE.repeat(20) }] },
        { type: 'code_interpreter_call', id: 'c', code: PROSE.repeat(20), outputs: [{ logs: PROSE.repeat(20) }] },
        { type: 'apply_patch_call', call_id: 'a', operation: { path: 'a.ts', diff: PROSE.repeat(20) } },
        { type: 'image_generation_call', id: 'i', result: BASE64 },
      ],
    });
    for (const name of ['results ask gh', 'results file_search', 'results code_interpreter'])
      assert.ok((parts.get(name) ?? 0) > 200, name);
    for (const name of ['calls code_interpreter', 'calls apply_patch']) assert.ok((parts.get(name) ?? 0) > 200, name);
    assert.ok((parts.get('images') ?? 0) < MAX_MEDIA_TOKENS);
  });

  it('images and documents in unusual places, of which the data is no text', () => {
    const source = { type: 'base64', media_type: 'image/png', data: BASE64 };
    const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: BASE64 } };
    const mixed = {
      type: 'content',
      content: [
        { type: 'text', text: PROSE },
        { type: 'image', source },
      ],
    };
    const bodies = [
      {
        messages: [
          user([
            { type: 'document', source: mixed },
            { type: 'text', text: 'Hello' },
          ]),
        ],
      },
      { messages: [user([{ type: 'tool_result', tool_use_id: 't', content: [pdf, { type: 'image', source }] }])] },
      { messages: [user([{ type: 'video_url', video_url: { url: IMAGE } }])] },
      {
        input: [
          { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: IMAGE } },
          user([
            { type: 'input_file', filename: 'a.pdf', file_data: IMAGE },
            { type: 'input_image', file_id: 'f' },
          ]),
        ],
      },
    ];
    for (const body of bodies) {
      const total = [...estimated(body).values()].reduce((sum, tokens) => sum + tokens, 0);
      assert.ok(total < MAX_MEDIA_TOKENS, `${total} tokens: ${Object.keys(body).join()}`);
      assert.ok(measured(body).every(({ isUnused }) => isUnused === undefined));
    }
  });

  it('images, each with the size that its vendor publishes', () => {
    const source = (width: number, height: number) => {
      const data = pngHead(width, height);
      return { type: 'base64', media_type: 'image/png', data, url: `data:image/png;base64,${data}` };
    };
    const image = (width: number, height: number) => ({ type: 'image', source: source(width, height) });
    const url = (width: number, height: number, detail = 'auto') => ({ url: source(width, height).url, detail });
    for (const [body, tokens] of [
      [{ messages: [user([{ type: 'text', text: PROSE }, image(200, 200), image(1000, 1000)])] }, 54 + 1334],
      [{ messages: [user([{ type: 'text', text: PROSE }, image(9000, 9000)])] }, 1600],
      [
        {
          messages: [
            user(PROSE),
            assistant({ type: 'tool_use', id: 't', name: 'shoot', input: {} }),
            user([
              { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: PROSE }, image(1092, 1092)] },
            ]),
          ],
        },
        1590,
      ],
      [
        {
          model: 'gpt-4o',
          messages: [
            user([
              { type: 'text', text: PROSE },
              { type: 'image_url', image_url: url(1024, 1024) },
              { type: 'image_url', image_url: url(2048, 4096) },
              { type: 'image_url', image_url: url(2048, 4096, 'low') },
            ]),
          ],
        },
        765 + 1105 + 85,
      ],
      [
        {
          input: [
            user([
              { type: 'input_text', text: PROSE },
              { type: 'input_image', image_url: source(1024, 1024).url },
            ]),
          ],
        },
        70 + 4 * 140,
      ],
    ] as const) {
      assert.equal(estimated(body).get('images'), tokens);
      const total = Math.round([...estimated(body).values()].reduce((sum, each) => sum + each, 0));
      const parts = measured(body, total);
      const images = parts.reduce((sum, part) => (part.kind === 'images' ? sum + part.tokens : sum), 0);
      assert.ok(Math.abs(images - tokens) <= parts.length, `${images} of ${tokens} tokens`);
    }
  });

  it('documents as text, of which each token is counted', () => {
    const text = PROSE.repeat(60);
    const source = { type: 'text', media_type: 'text/plain', data: text };
    const content = { type: 'content', content: [{ type: 'text', text }] };
    const asMessage = estimated({ messages: [user([{ type: 'text', text }])] }).get('messages') ?? 0;
    for (const given of [source, content]) {
      const tokens = estimated({ messages: [user([{ type: 'document', source: given }])] });
      assert.equal(tokens.get('documents'), asMessage);
    }
  });

  it('reasoning that only its model can read', () => {
    const hidden = 'R'.repeat(13_000);
    const shapes = [
      { messages: [user('Hello'), assistant({ type: 'redacted_thinking', data: hidden }), user('Go on')] },
      { messages: [user('Hello'), assistant({ type: 'thinking', thinking: '', signature: hidden }), user('Go on')] },
      { input: [user('Hello'), { type: 'reasoning', summary: [], encrypted_content: hidden }] },
      { messages: [user('Hello'), { role: 'assistant', reasoning_details: [{ data: hidden }], content: 'Yes' }] },
    ];
    for (const shape of shapes) {
      const tokens = estimated(shape).get('reasoning') ?? 0;
      assert.ok(tokens >= 1000 && tokens < 1100, String(tokens));
    }
  });

  it('what the upstream keeps', () => {
    for (const kept of [
      { prompt: { id: 'pmpt_1' }, input: [user('Hello')] },
      { input: [{ type: 'item_reference', id: 'msg_1' }, user('Hello')] },
    ]) {
      const tokens = new Map(measured(kept).map((part) => [part.kind, part.tokens]));
      assert.ok((tokens.get('messages') ?? 0) < 20);
      assert.ok((tokens.get('stored') ?? 0) > 99_000);
    }
  });
});
