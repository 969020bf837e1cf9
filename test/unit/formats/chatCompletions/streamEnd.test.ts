import assert from 'node:assert/strict';
import { assemble, COUNTED, chunk, DONE, delta, FINISH, failure, read, USAGE } from './chunks.ts';

describe('The chat-completions stream decoder at the end of a stream', () => {
  const reasons = [
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'contentFilter'],
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['tool_calls', 'stop'],
    ['RECITATION', 'contentFilter'],
  ] as const;
  for (const [wire, reason] of reasons) {
    it(`reads finish reason ${wire} of an answer without tool calls as ${reason}`, () => {
      assert.deepEqual(read(delta({ content: 'a' }), delta({}, wire), DONE).at(-1), { type: 'finish', reason });
    });
  }

  for (const word of ['abort', 'MALFORMED_FUNCTION_CALL', 'constructor']) {
    it(`reports an answer that ends with ${word} as failed, with the word`, () => {
      const last = read(delta({ content: 'Half of' }), delta({}, word), DONE).at(-1);
      assert.equal(last?.type === 'error' && last.error.message.includes(word), true);
    });
  }

  it('reads text, ids, and finish reasons of another type', () => {
    const answer = assemble(
      chunk({ choices: [{ index: 0, delta: { content: 'Price $' } }] }),
      chunk({ choices: [{ index: 0, delta: { content: 6 } }] }),
      chunk({
        choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 7, function: { name: 'f', arguments: '{}' } }] } }],
      }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: { type: 'length' } }] }),
    );
    assert.deepEqual(answer.parts, [
      { type: 'text', text: 'Price $6' },
      { type: 'toolCall', id: '7', name: 'f', arguments: '{}' },
    ]);
    assert.equal(answer.finishReason, 'length');
  });

  it('ignores the finish reason null as text', () => {
    assert.equal(assemble(delta({ content: 'a' }, 'null'), delta({ content: 'b' }, 'stop')).parts.length, 1);
  });

  it('reports a truncated answer if the upstream closes before the finish', () => {
    assert.equal(failure(read(delta({ content: 'a' }))), 'network');
    assert.equal(failure(read()), 'network');
  });

  it('accepts a missing end marker after a finish reason', () => {
    assert.deepEqual(read(delta({ content: 'a' }, 'stop')).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('treats the end marker as the finish if there was no finish reason', () => {
    assert.deepEqual(read(delta({ content: 'a' }), DONE).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('does not treat the end marker alone as an answer', () => {
    assert.equal(failure(read(DONE)), 'malformed');
  });

  it('reads what follows the finish reason, until the end marker', () => {
    const thinking = delta({ reasoning_content: 'Hm.' }, 'stop');
    const { parts, finishReason } = assemble(thinking, delta({ content: 'Hello' }), delta({ content: ' you' }), DONE);
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello you' },
    ]);
    assert.equal(finishReason, 'stop');
    assert.equal(assemble(delta({ content: 'a' }, 'stop'), delta({ content: 'b' }, 'length')).finishReason, 'length');
    assert.equal(assemble(delta({ content: 'a' }, 'null'), delta({ content: 'b' }, 'stop')).parts.length, 1);
  });

  it('reports the usage of an answer that was ended early', () => {
    const events = read(delta({ content: 'Half of' }, 'abort'), chunk({ choices: [], usage: USAGE }), DONE);
    assert.deepEqual(events.slice(-2, -1), [COUNTED]);
    assert.equal(failure(events), 'server');
  });

  it('ignores an empty finish reason', () => {
    assert.equal(assemble(delta({ content: 'a' }, ''), delta({ content: 'b' }, 'stop')).parts.length, 1);
  });

  it('emits nothing after the end marker', () => {
    assert.deepEqual(read(FINISH, DONE, delta({ content: 'a' })).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('treats the finish reason “error” as an error', () => {
    assert.equal(failure(read(delta({ content: 'a' }, 'error'))), 'server');
  });
});

describe('The chat-completions stream decoder for usage', () => {
  const tail = (...pieces: string[]) => read(...pieces).slice(1);

  it('emits it before the finish, from a later chunk without choices', () => {
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage: USAGE }), DONE), [
      COUNTED,
      { type: 'finish', reason: 'stop' },
    ]);
  });

  it('recognizes it in a chunk whose choices have only an empty delta', () => {
    assert.deepEqual(tail(FINISH, chunk({ choices: [{ delta: {} }], usage: USAGE }), DONE).at(0), COUNTED);
  });

  it('emits it before the finish if the final chunk contains it', () => {
    const finishing = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE });
    assert.deepEqual(tail(finishing, DONE), [COUNTED, { type: 'finish', reason: 'stop' }]);
  });

  it('prefers the final count to earlier ones, and any count to zero', () => {
    const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const early = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
    const counting = (usage: object) => chunk({ choices: [{ index: 0, delta: { content: 'a' } }], usage });
    const events = read(counting(zero), counting(early), FINISH, chunk({ choices: [], usage: USAGE }), DONE);
    assert.deepEqual(
      events.filter(({ type }) => type === 'usage'),
      [COUNTED],
    );
  });

  it('emits an early count if no other follows', () => {
    const early = chunk({ choices: [{ index: 0, delta: { content: 'a' } }], usage: USAGE });
    assert.deepEqual(read(early, FINISH).at(-2), COUNTED);
  });

  it('accepts usage objects with missing or null properties', () => {
    const usage = { prompt_tokens: 9, completion_tokens: null, prompt_tokens_details: null };
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage }), DONE).at(0), {
      type: 'usage',
      usage: { inputTokens: 9, outputTokens: 0 },
    });
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage: {} }), DONE), [{ type: 'finish', reason: 'stop' }]);
  });
});
