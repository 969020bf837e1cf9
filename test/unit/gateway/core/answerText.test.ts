import assert from 'node:assert/strict';
import { answerText } from '../../../../src/gateway/core/answerText.ts';

const choice = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null });
const streamOf = (...chunks: readonly object[]) =>
  Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify({ id: 'c', ...chunk })}\n\n`).join(''));

describe('the text of an answer', () => {
  it('includes all choices of a chat completion', () => {
    const choices = ['One.', 'Two.', 'Three.'].map((content, index) => ({ index, message: { content } }));
    const bytes = Buffer.from(JSON.stringify({ id: 'c', choices }));
    assert.equal(answerText({ format: 'chat-completions', isStream: false, bytes }), 'One.Two.Three.');
  });

  it('includes all choices of a stream, in any order', () => {
    const bytes = streamOf(
      { choices: [choice(1, 'Tw'), choice(0, 'One.')] },
      { choices: [choice(1, 'o.')] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } },
    );
    assert.equal(answerText({ format: 'chat-completions', isStream: true, bytes }), 'Two.One.');
  });

  it('of a stream with one choice is the text of that choice', () => {
    const bytes = streamOf({ choices: [choice(0, 'One')] }, { choices: [choice(0, '.')] });
    assert.equal(answerText({ format: 'chat-completions', isStream: true, bytes }), 'One.');
  });
});
