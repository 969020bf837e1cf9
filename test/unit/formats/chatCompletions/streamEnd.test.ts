import assert from 'node:assert/strict';
import { assemble, COUNTED, chunk, DONE, delta, FINISH, failure, read, USAGE } from './chunks.ts';

describe('The end of a chat-completions stream, decoded', () => {
  const reasons = [
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'contentFilter'],
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['tool_calls', 'stop'],
    ['constructor', 'stop'],
  ] as const;
  for (const [wire, reason] of reasons) {
    it(`takes finish reason ${wire} of an answer without tool calls for ${reason}`, () => {
      assert.deepEqual(read(delta({ content: 'a' }), delta({}, wire), DONE).at(-1), { type: 'finish', reason });
    });
  }

  it('says that the answer was cut when the upstream closes before the finish', () => {
    assert.equal(failure(read(delta({ content: 'a' }))), 'network');
    assert.equal(failure(read()), 'network');
  });

  it('is fine without the mark of the end when a finish reason came', () => {
    assert.deepEqual(read(delta({ content: 'a' }, 'stop')).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('takes the mark of the end for the finish when no reason came', () => {
    assert.deepEqual(read(delta({ content: 'a' }), DONE).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('does not take the mark of the end for an answer', () => {
    assert.equal(failure(read(DONE)), 'malformed');
  });

  it('takes an empty finish reason for none', () => {
    assert.equal(assemble(delta({ content: 'a' }, ''), delta({ content: 'b' }, 'stop')).parts.length, 1);
  });

  it('tells nothing that comes after the mark of the end', () => {
    assert.deepEqual(read(FINISH, DONE, delta({ content: 'a' })).at(-1), { type: 'finish', reason: 'stop' });
  });

  it('takes a finish reason of an error for an error', () => {
    assert.equal(failure(read(delta({ content: 'a' }, 'error'))), 'server');
  });
});

describe('Usage of a chat-completions stream, decoded', () => {
  const tail = (...pieces: string[]) => read(...pieces).slice(1);

  it('tells it after the finish, from a chunk without choices', () => {
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage: USAGE }), DONE), [
      { type: 'finish', reason: 'stop' },
      COUNTED,
    ]);
  });

  it('recognises it beside choices of nothing but an empty delta', () => {
    assert.deepEqual(tail(FINISH, chunk({ choices: [{ delta: {} }], usage: USAGE }), DONE).at(-1), COUNTED);
  });

  it('tells it before the finish when the finishing chunk has it', () => {
    const finishing = chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE });
    assert.deepEqual(tail(finishing, DONE), [COUNTED, { type: 'finish', reason: 'stop' }]);
  });

  it('prefers the final count to those before it, and any count to zero', () => {
    const zero = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const early = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };
    const counting = (usage: object) => chunk({ choices: [{ index: 0, delta: { content: 'a' } }], usage });
    const events = read(counting(zero), counting(early), FINISH, chunk({ choices: [], usage: USAGE }), DONE);
    assert.deepEqual(
      events.filter(({ type }) => type === 'usage'),
      [COUNTED],
    );
  });

  it('tells a count that came early when no other follows', () => {
    const early = chunk({ choices: [{ index: 0, delta: { content: 'a' } }], usage: USAGE });
    assert.deepEqual(read(early, FINISH).at(-1), COUNTED);
  });

  it('takes objects that lack members or have null in them', () => {
    const usage = { prompt_tokens: 9, completion_tokens: null, prompt_tokens_details: null };
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage }), DONE).at(-1), {
      type: 'usage',
      usage: { inputTokens: 9, outputTokens: 0 },
    });
    assert.deepEqual(tail(FINISH, chunk({ choices: [], usage: {} }), DONE), [{ type: 'finish', reason: 'stop' }]);
  });
});
