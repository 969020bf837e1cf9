import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { assembleResponse } from '../../../../src/formats/answer.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import { readEvents, splits } from '../streams.ts';
import { assemble, chunk, DONE, delta, FINISH, failure, read, START } from './chunks.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'utf8');
}

describe('Chat-completions stream decoder', () => {
  it('emits text as it arrives, starting with the first delta', () => {
    assert.deepEqual(read(delta({ role: 'assistant', content: 'Hel' }), delta({ content: 'lo' }), FINISH, DONE), [
      START,
      { type: 'textDelta', index: 0, text: 'Hel' },
      { type: 'textDelta', index: 0, text: 'lo' },
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('creates no part for empty content, empty reasoning or empty lists of calls', () => {
    const empty = delta({ role: 'assistant', content: '', reasoning_content: '', refusal: null, tool_calls: [] });
    assert.deepEqual(read(empty, FINISH, DONE), [START, { type: 'finish', reason: 'stop' }]);
  });

  it('emits refusals', () => {
    assert.deepEqual(assemble(delta({ refusal: 'No' }), delta({ refusal: '.' }), FINISH).parts, [
      { type: 'refusal', text: 'No.' },
    ]);
  });

  it('reads a recorded stream of reasoning, text and interleaved calls', () => {
    assert.deepEqual(assembleResponse(readEvents(chatCompletions, fixture('reasoningThenTools'))), {
      id: 'chatcmpl-7f',
      model: 'familyd-code-fast-1',
      createdAt: 1_790_000_000,
      parts: [
        { type: 'reasoning', text: 'Two cities.' },
        { type: 'text', text: 'Looking — 両方' },
        { type: 'toolCall', id: 'call_a', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'toolCall', id: 'call_b', name: 'weather', arguments: '{"city":"Kyoto"}' },
      ],
      finishReason: 'toolCalls',
      usage: { inputTokens: 120, outputTokens: 42, cachedInputTokens: 100, reasoningTokens: 12 },
    });
  });

  it('reads a recorded stream of signed and encrypted reasoning', () => {
    assert.deepEqual(assembleResponse(readEvents(chatCompletions, fixture('sealedReasoning'))).parts, [
      { type: 'reasoning', text: 'Let me see', signature: 'c2lnbmF0dXJl' },
      { type: 'reasoning', text: '', encrypted: 'ZW5jcnlwdGVk' },
      { type: 'text', text: 'Done.' },
    ]);
  });

  for (const name of ['reasoningThenTools', 'sealedReasoning']) {
    it(`reads ${name} identically however its bytes are split and its lines end`, () => {
      const whole = readEvents(chatCompletions, fixture(name));
      fc.assert(
        fc.property(splits, fc.boolean(), fc.boolean(), (cuts, windows, tight) => {
          const lines = tight ? fixture(name).replaceAll('data: ', 'data:') : fixture(name);
          const wire = windows ? lines.replaceAll('\n', '\r\n') : lines;
          assert.deepEqual(readEvents(chatCompletions, wire, cuts), whole);
        }),
      );
    });
  }

  it('accepts reasoning under either name, and only once if both are present', () => {
    for (const names of [['reasoning'], ['reasoning_content'], ['reasoning', 'reasoning_content']]) {
      const value = Object.fromEntries(names.map((name) => [name, 'Hm']));
      assert.deepEqual(assemble(delta(value), FINISH).parts, [{ type: 'reasoning', text: 'Hm' }], String(names));
    }
  });

  it('accepts content in parts, including thinking', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'Yes' },
      { type: 'reference', ids: [1] },
    ];
    assert.deepEqual(assemble(delta({ content }), FINISH).parts, [
      { type: 'reasoning', text: 'Hm' },
      { type: 'text', text: 'Yes' },
    ]);
  });

  describe('with nonstandard chunks', () => {
    it('continues after a chunk without choices in the middle of a stream', () => {
      assert.deepEqual(
        assemble(delta({ content: 'a' }), chunk({ choices: [] }), delta({ content: 'b' }, 'stop')).parts,
        [{ type: 'text', text: 'ab' }],
      );
    });

    it('skips a warning before and during the answer', () => {
      const warning = 'data: {"warning":"slow"}\n\n';
      assert.deepEqual(
        read(warning, delta({ content: 'a' }), warning, FINISH, DONE),
        read(delta({ content: 'a' }), FINISH, DONE),
      );
    });

    it('reports invalid JSON and output that cannot be read, continues, and does not end cleanly', () => {
      const events = read(
        delta({ content: 'a' }),
        'data: {oops\n\n',
        delta({ content: { a: 5 } }),
        delta({ content: 'b' }, 'stop'),
        DONE,
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ['start', 'textDelta', 'malformed', 'textDelta', 'error'],
      );
      for (const bad of ['data: {oops\n\n', delta({ content: { a: 5 } })]) {
        assert.equal(read(delta({ content: 'a' }), bad, FINISH, DONE).at(-1)?.type, 'error', bad);
      }
    });

    it('ends cleanly if what cannot be read is no output', () => {
      for (const harmless of ['data: keep-alive\n\n', chunk({ choices: [], created: 'now', system_fingerprint: 1 })]) {
        assert.equal(read(delta({ content: 'a' }), harmless, FINISH, DONE).at(-1)?.type, 'finish', harmless);
      }
    });

    it('uses the first of several choices', () => {
      const both = chunk({
        choices: [
          { index: 1, delta: { content: 'B' } },
          { index: 0, delta: { content: 'A' } },
        ],
      });
      const other = chunk({ choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] });
      assert.deepEqual(assemble(both, other, FINISH).parts, [{ type: 'text', text: 'A' }]);
    });

    it('starts an answer without id, model and time', () => {
      const bare = 'data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n';
      assert.deepEqual(assemble(bare), {
        id: 'chatcmpl-unknown',
        model: '',
        parts: [{ type: 'text', text: 'a' }],
        finishReason: 'stop',
      });
    });
  });

  describe('with errors in the stream', () => {
    it('ends with the error and emits nothing after it', () => {
      const error = { message: 'Slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' };
      const events = read(
        delta({ content: 'a' }),
        `data: ${JSON.stringify({ error })}\n\n`,
        delta({ content: 'b' }),
        FINISH,
        DONE,
      );
      assert.deepEqual(events.at(-1), {
        type: 'error',
        error: { kind: 'rateLimit', message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      });
      assert.equal(events.length, 3);
    });

    it('ignores a null error', () => {
      assert.deepEqual(
        assemble(chunk({ error: null, choices: [{ delta: { content: 'a' } }] }), FINISH).parts.length,
        1,
      );
    });

    const spellings = [
      ['a number for a code', 'data: {"error":{"message":"Busy","code":529}}\n\n', 'overloaded'],
      ['text alone', 'data: {"error":"Busy"}\n\n', 'server'],
      ['no message', 'data: {"error":{"status":"UNAVAILABLE"}}\n\n', 'server'],
      ['the name of the event', 'event: error\ndata: {"message":"Busy","type":"overloaded_error"}\n\n', 'overloaded'],
      ['the name of the event and bare text', 'event: error\ndata: Busy\n\n', 'server'],
    ] as const;
    for (const [how, wire, kind] of spellings) {
      it(`recognizes an error by ${how}`, () => {
        assert.equal(failure(read(delta({ content: 'a' }), wire)), kind);
      });
    }
  });
});
