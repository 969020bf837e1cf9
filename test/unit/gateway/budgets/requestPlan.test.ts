import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { readAskedRequest } from '../../../../src/gateway/budgets/askedRequest.ts';
import { maxOf } from '../../../../src/gateway/budgets/budgets.ts';
import { planRequest } from '../../../../src/gateway/budgets/requestPlan.ts';
import type { Listing } from '../../../../src/gateway/prices/priceBook.ts';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'one two three four five six seven eight nine ten' }] };

function plan(
  body: object,
  listings: readonly (Listing | undefined)[] = [],
  format: FormatName = 'chat-completions',
  { marksCache = false, reservesAll = true } = {},
) {
  const bytes = Buffer.from(JSON.stringify(body));
  const asked = readAskedRequest(bytes);
  assert.ok(!('error' in asked));
  return planRequest(asked, bytes.length, wireFormats[format], { listings, marksCache, reservesAll });
}

describe('the maximum that a request can use', () => {
  it('is its prompt plus its output limit', () => {
    const { inputTokens, maxOutputTokens } = plan({ ...CHAT, max_tokens: 50 });
    assert.equal(inputTokens, Buffer.byteLength(JSON.stringify({ ...CHAT, max_tokens: 50 })));
    assert.equal(maxOutputTokens, 50);
  });

  it('assumes a long answer, or the maximum of the model, if no output limit is set', () => {
    assert.equal(plan(CHAT).maxOutputTokens, 32_000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }]).maxOutputTokens, 8000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 128_000 }]).maxOutputTokens, 128_000);
    assert.equal(plan({ ...CHAT, max_tokens: 100_000 }, [{ maxOutputTokens: 8000 }]).maxOutputTokens, 8000);
  });

  it('assumes the longest possible answer if several models may answer', () => {
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }, { maxOutputTokens: 9000 }]).maxOutputTokens, 9000);
    assert.equal(plan(CHAT, [{ maxOutputTokens: 8000 }, undefined]).maxOutputTokens, 32_000);
  });

  it('multiplies the output by the number of requested answers', () => {
    assert.equal(plan({ ...CHAT, max_tokens: 50, n: 4 }).maxOutputTokens, 200);
  });

  it('has a cost that can be counted, whatever limits the request sets', () => {
    const listing = { inputPrice: 3, outputPrice: 15, webSearchPrice: 0.01 };
    const search = { type: 'web_search_preview', max_uses: 1e300 };
    for (const [format, limits] of [
      ['chat-completions', { max_tokens: 1e15 }],
      ['chat-completions', { max_tokens: 1e300, n: 1e300 }],
      ['responses', { tools: [search], max_tool_calls: 1e300 }],
      [
        'messages',
        { max_tokens: 1e200, tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1e300 }] },
      ],
    ] as const) {
      const planned = plan({ ...CHAT, ...limits }, [listing], format);
      const { tokens, cost } = maxOf(planned);
      assert.ok(Number.isSafeInteger(tokens), `${tokens} tokens`);
      assert.ok(cost !== undefined && Number.isSafeInteger(cost) && cost > 1e9, `${cost} billionths`);
      assert.ok(Number.isSafeInteger(planned.parts?.webSearches ?? 0));
    }
    const dear = { inputPrice: 1e300, outputPrice: 1e300 };
    assert.equal(maxOf(plan(CHAT, [dear])).cost, Number.MAX_SAFE_INTEGER);
    assert.equal(maxOf(plan(CHAT, [])).cost, undefined);
  });

  it('includes a summary of the conversation that the service makes first', () => {
    const alone = plan({ ...CHAT, max_tokens: 50 }, [], 'messages');
    const edits = { edits: [{ type: 'compact_20260112' }] };
    const both = plan({ ...CHAT, max_tokens: 50, context_management: edits }, [], 'messages');
    assert.ok(both.inputTokens >= 2 * alone.inputTokens);
    assert.equal(both.maxOutputTokens, 100);
  });

  it('is calculated for as many parts as a body may have', () => {
    const messages = Array.from({ length: 240_000 }, () => 0);
    assert.ok(plan({ model: 'm', max_tokens: 50, messages }).inputTokens > 240_000);
  });

  it('uses the prices of the most expensive upstream that may answer', () => {
    const cheap = { inputPrice: 1, outputPrice: 1 };
    const dear = { inputPrice: 2, outputPrice: 2 };
    for (const listings of [
      [cheap, dear],
      [dear, cheap],
      [{ inputPrice: 9 }, dear, undefined],
    ]) {
      assert.deepEqual(plan({ ...CHAT, max_tokens: 50 }, listings).prices, dear);
    }
    assert.equal(plan(CHAT, [undefined]).prices, undefined);
  });

  it('uses the highest prices that a prompt of up to its length may have', () => {
    const window = { contextWindow: 300_000, inputPrice: 1, outputPrice: 1 };
    const unknown = { ...CHAT, max_tokens: 50, previous_response_id: 'r' };
    const dearer = { ...window, longPrompts: [{ above: 200_000, inputPrice: 2, outputPrice: 3 }] };
    const cheaper = { ...window, longPrompts: [{ above: 200_000, inputPrice: 0.5, outputPrice: 0.5 }] };
    const costOf = (body: object, listing: Listing) => maxOf(plan(body, [listing], 'responses')).cost;
    assert.equal(costOf(unknown, dearer), 300_000 * 2_000 + outputOf(3_000));
    assert.equal(costOf(unknown, cheaper), 300_000 * 1_000 + outputOf(1_000));
    assert.equal(costOf(CHAT, dearer), costOf(CHAT, window));

    function outputOf(rate: number): number {
      return plan(unknown, [dearer], 'responses').maxOutputTokens * rate;
    }
  });

  it('includes the stored conversation of the service', () => {
    const body = { model: 'm', input: 'hi', previous_response_id: 'resp_1' };
    assert.equal(plan(body, [{ contextWindow: 50_000 }], 'responses').inputTokens, 50_000);
    assert.ok(plan(body, [], 'responses').inputTokens > 200_000);
    assert.ok(plan({ model: 'm', input: 'hi' }, [], 'responses').inputTokens < 100);
  });

  it('is the context window of the model if the content is not in the request', () => {
    const window = [{ contextWindow: 128_000 }];
    const parts = [
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'stranger' },
      { type: 'text', text: 'x', Type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ];
    for (const part of parts) {
      const { inputTokens } = plan({ model: 'm', messages: [{ role: 'user', content: [part] }] }, window);
      assert.equal(inputTokens, 128_000, JSON.stringify(part));
    }
  });

  it('is at least the number of bytes, and at most the context window', () => {
    for (const text of ['\u{1F9FF}'.repeat(50), '\u1E9E\u0F40'.repeat(50), 'a1-'.repeat(100), '\n\t'.repeat(80)]) {
      const { inputTokens } = plan({ model: 'm', messages: [{ role: 'user', content: text }] });
      assert.ok(inputTokens >= Buffer.byteLength(text), text.slice(0, 5));
    }
    const long = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(5000) }] };
    assert.equal(plan(long, [{ contextWindow: 4000 }]).inputTokens, 4000);
  });

  it('includes writing the prompt to a cache, at the price of its lifetime', () => {
    const marked = (ttl?: string) => ({
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral', ttl } }] }],
    });
    assert.deepEqual(Object.keys(plan(marked(), [], 'messages').parts ?? {}), ['cacheWriteTokens']);
    assert.deepEqual(Object.keys(plan(marked('5m'), [], 'messages').parts ?? {}), ['cacheWriteTokens']);
    assert.equal(Object.keys(plan(marked('1h'), [], 'messages').parts ?? {}).length, 2);
    assert.deepEqual(plan({ ...CHAT, max_tokens: 9 }).parts, {});
  });

  it('includes writing a prompt that an upstream marks for its cache', () => {
    assert.ok((plan(CHAT, [], 'chat-completions', { marksCache: true }).parts?.cacheWriteTokens ?? 0) > 0);
  });

  const PRICES = { inputPrice: 2, outputPrice: 10 };

  it('assumes audio or images if they are possible and cost more', () => {
    const spoken = { ...CHAT, max_tokens: 50, modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } };
    const audio = { ...PRICES, audioInputPrice: 40, audioOutputPrice: 80 };
    const { inputTokens, parts } = plan(spoken, [audio]);
    assert.deepEqual(parts, { audioInputTokens: inputTokens, audioOutputTokens: 50 });
    assert.deepEqual(plan({ ...CHAT, max_tokens: 50 }, [audio]).parts, {}, 'text alone');
    assert.deepEqual(plan(spoken, [PRICES]).parts, {}, 'no price of its own');
    const drawing = { ...PRICES, imageOutputPrice: 30 };
    assert.deepEqual(plan({ ...CHAT, max_tokens: 50 }, [drawing]).parts, { imageOutputTokens: 50 });
  });

  it('includes the prompt for each turn that service tools may add, up to their limit', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' };
    /** How many turns are reserved at the start, and whether further ones are when the answer shows them. */
    const turnsOf = (more: object, format: FormatName = 'messages', reservesAll = true) => {
      const body = { ...CHAT, max_tokens: 50, ...more };
      const listings = [{ ...PRICES, contextWindow: 1_000 }];
      const { inputTokens, turns } = plan(body, listings, format, { reservesAll });
      return [inputTokens / 1_000, turns !== undefined];
    };
    assert.deepEqual(turnsOf({ tools: [search] }), [10, false]);
    assert.deepEqual(turnsOf({ tools: [{ ...search, max_uses: 3 }] }), [4, false]);
    assert.deepEqual(turnsOf({ tools: [{ ...search, max_uses: 30 }] }), [10, false]);
    assert.deepEqual(
      turnsOf({
        tools: [
          { ...search, max_uses: 1 },
          { ...search, max_uses: 2 },
        ],
      }),
      [4, false],
    );
    assert.deepEqual(turnsOf({ tools: [{ ...search, max_uses: 1 }, { type: 'mcp_toolset' }] }), [10, false]);
    assert.deepEqual(turnsOf({ mcp_servers: [{ url: 'https://example.com' }] }), [10, false]);
    assert.deepEqual(turnsOf({ tools: [search], stream: true }), [10, false]);
    assert.deepEqual(turnsOf({ tools: [search], stream: true }, 'messages', false), [2, true], 'without a budget');
    assert.deepEqual(turnsOf({ tools: [{ ...search, max_uses: 1 }], stream: true }), [2, false]);
    const found = { tools: [{ type: 'web_search' }] };
    assert.deepEqual(turnsOf({ ...found, max_tool_calls: 2, input: 'Hi' }, 'responses'), [3, false]);
    assert.deepEqual(turnsOf({ ...found, max_tool_calls: 40, input: 'Hi' }, 'responses'), [41, false]);
    assert.deepEqual(turnsOf({ ...found, input: 'Hi' }, 'responses'), [31, false]);
    assert.deepEqual(turnsOf({ ...found, input: 'Hi', stream: true }, 'responses'), [2, true]);
    assert.deepEqual(turnsOf({ ...found, max_tool_calls: 4, input: 'Hi', stream: true }, 'responses'), [5, false]);
    assert.deepEqual(turnsOf({ ...found, max_tool_calls: 2, stream: true }, 'chat-completions'), [31, false]);
    assert.deepEqual(turnsOf({ web_search_options: {} }, 'chat-completions'), [1, false], 'before the answer');
    assert.deepEqual(turnsOf({ tools: [{ type: 'bash_20250124', name: 'bash' }] }), [1, false]);
  });

  it('includes the fees of as many searches as the request allows', () => {
    const listing = { ...PRICES, webSearchPrice: 0.01 };
    const tool = { type: 'web_search_20250305', name: 'web_search' };
    const searching = (more: object) => ({ ...CHAT, max_tokens: 50, tools: [{ ...tool, ...more }] });
    assert.equal(plan(searching({ max_uses: 3 }), [listing], 'messages').parts?.webSearches, 3);
    assert.equal(plan(searching({}), [listing], 'messages').parts?.webSearches, 10);
    const second = { type: 'web_search_20250305', name: 'more' };
    const others = { ...CHAT, tools: [{ ...tool, max_uses: 3 }, second, { name: 'own', max_uses: 0 }] };
    assert.equal(plan(others, [listing], 'messages').parts?.webSearches, 13);
    assert.equal(plan({ ...CHAT, max_tokens: 50 }, [listing], 'messages').parts?.webSearches, undefined);
  });
});
