import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { AnswerProgress } from '../../../../src/gateway/usage/answerProgress.ts';

function watched(format: FormatName, ...events: readonly unknown[]): AnswerProgress {
  const watch = new AnswerProgress(format);
  for (const event of events) {
    watch.push(Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`));
  }
  return watch;
}

const chunk = (finish_reason: unknown) => ({ choices: [{ index: 0, delta: { content: 'a' }, finish_reason }] });
const start = { type: 'message_start', message: {} };
const delta = (stop_reason: unknown) => ({ type: 'message_delta', delta: { stop_reason } });

describe('The end of a stream that passes unchanged', () => {
  for (const reason of ['stop', 'length', { type: 'length' }]) {
    it(`may be a finish reason alone: ${JSON.stringify(reason)}`, () => {
      const { hasAllOutput, isCut, hasFailed } = watched('chat-completions', chunk(null), chunk(reason));
      assert.deepEqual([hasAllOutput, isCut, hasFailed], [true, false, false]);
    });
  }

  it('is not the text "null" as the finish reason', () => {
    const { hasAllOutput, isCut } = watched('chat-completions', chunk('null'), chunk('null'));
    assert.deepEqual([hasAllOutput, isCut], [false, true]);
  });

  for (const reason of ['abort', 'MALFORMED_FUNCTION_CALL', 'error']) {
    it(`is a failure if the finish reason is no normal one: ${reason}`, () => {
      assert.equal(watched('chat-completions', chunk(null), chunk(reason), '[DONE]').hasFailed, true);
      assert.equal(watched('messages', start, delta(reason), { type: 'message_stop' }).hasFailed, true);
    });
  }

  it('is a failure if a burst ends with an error, even one with a long message', () => {
    const error = { type: 'error', error: { type: 'api_error', message: 'm'.repeat(20_000) } };
    const events = [start, ...Array.from({ length: 500 }, () => delta(null)), error];
    const burst = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    const watch = new AnswerProgress('messages');
    watch.push(Buffer.from(burst));
    assert.deepEqual([watch.hasFailed, watch.isCut], [true, false]);
  });

  it('is none because of words in the answer', () => {
    const text = { choices: [{ index: 0, delta: { content: '"finish_reason":"abort"' }, finish_reason: 'stop' }] };
    assert.equal(watched('chat-completions', text, '[DONE]').hasFailed, false);
    assert.equal(watched('messages', start, delta('end_turn'), { type: 'message_stop' }).hasFailed, false);
  });
});
