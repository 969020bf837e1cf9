import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutTo, type SandboxAnswer, stopAt, usageOf } from '../../../../../src/sandbox/draft.ts';
import { estimateTokens } from '../../../../../src/tokens/estimate.ts';
import { answerOf, ask, askQuestion, formatNames, quickSandbox, textOf } from './ask.ts';

function said(text: string): SandboxAnswer {
  return { parts: [{ type: 'text', text }], finishReason: 'stop' };
}

describe("The sandbox's answers end", () => {
  for (const format of formatNames) {
    for (const stream of [false, true]) {
      const how = `${format}, ${stream ? 'streamed' : 'whole'}`;

      it(`at the requested token limit: ${how}`, async () => {
        const request = { stream, maxTokens: 20, includeUsage: true };
        const { finishReason, usage } = await answerOf(quickSandbox(), { format, text: 'write 500 words', request });
        assert.equal(finishReason, 'length');
        assert.ok(usage !== undefined && usage.outputTokens <= 20 && usage.outputTokens > 15);
      });
    }
  }

  for (const format of ['chat-completions', 'messages'] as const) {
    it(`before a stop sequence: ${format}`, async () => {
      const request = { stopSequences: ['three', ' two'] };
      const answer = await answerOf(quickSandbox(), { format, text: 'echo one two three', request });
      assert.equal(textOf(answer), 'one');
      assert.equal(answer.finishReason, format === 'messages' ? 'stopSequence' : 'stop');
      if (format === 'messages') assert.equal(answer.stopSequence, ' two');
    });
  }

  it('within any number of tokens, at a character boundary, as a prefix of the whole answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const { parts, finishReason } = cutTo(most, said(text));
        const kept = parts[0]?.type === 'text' ? parts[0].text : '';
        assert.ok(text.startsWith(kept));
        assert.ok(estimateTokens(kept) <= most);
        assert.ok(kept.isWellFormed());
        assert.equal(finishReason, kept === text ? 'stop' : 'length');
      }),
    );
  });

  it('within reasoning or tool arguments if these use up the tokens', () => {
    const draft: SandboxAnswer = {
      parts: [
        { type: 'reasoning', text: 'one two three four', signature: 'seal' },
        { type: 'toolCall', id: 'call_1', name: 'look', arguments: '{"a":"b"}' },
      ],
      finishReason: 'toolCalls',
    };
    assert.deepEqual(cutTo(2, draft), { parts: [{ type: 'reasoning', text: 'one two' }], finishReason: 'length' });
    const cut = cutTo(usageOf(draft, 0).outputTokens - 1, draft);
    assert.equal(cut.finishReason, 'length');
    assert.deepEqual(
      cut.parts.map(({ type }) => type),
      ['reasoning', 'toolCall'],
    );
  });

  it('at the earliest stop sequence, ignoring empty ones', () => {
    assert.deepEqual(stopAt(said('abc'), ['', 'c', 'b']), {
      parts: [{ type: 'text', text: 'a' }],
      finishReason: 'stopSequence',
      stopSequence: 'b',
    });
    assert.deepEqual(stopAt(said('abc'), ['a']).parts, []);
    assert.deepEqual(stopAt(said('abc'), ['']), said('abc'));
  });
});

describe('The sandbox refuses', () => {
  const image = { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } } as const;

  for (const format of formatNames) {
    const errorOf = async (question: Parameters<typeof askQuestion>[1]) => {
      const { status, text } = await askQuestion(quickSandbox(), { format, ...question });
      return { status, error: JSON.parse(text).error };
    };

    it(`an unknown model, and names the list of models: ${format}`, async () => {
      const { status, error } = await errorOf({ model: 'nobody-1' });
      assert.equal(status, 404);
      assert.match(error.message, /nobody-1.*\/models/);
      if (format === 'messages') assert.equal(error.type, 'not_found_error');
      else assert.equal(error.code, 'model_not_found');
    });

    it(`images for a model without image input: ${format}`, async () => {
      const request = { messages: [{ role: 'user', parts: [image] } as const] };
      const { status, error } = await errorOf({ model: 'familyd-code-fast-1', request });
      assert.equal(status, 400);
      assert.match(error.message, /images/);
      assert.equal(error.type, 'invalid_request_error');
    });

    it(`a prompt that exceeds the context window: ${format}`, async () => {
      const { status, error } = await errorOf({ text: 'many words '.repeat(110_000) });
      assert.equal(status, 400);
      assert.match(error.message, /prompt is too long: \d+ tokens > 200000 maximum/);
      if (format !== 'messages') assert.equal(error.code, 'context_length_exceeded');
    });
  }

  const paths = ['/chat/completions', '/messages', '/responses', '/messages/count_tokens'] as const;
  for (const endpoint of paths) {
    it(`a body that is not JSON, is empty, or is not an object: ${endpoint}`, async () => {
      for (const body of ['{"model":', '', '[]', 'null', '"text"']) {
        const { status, text } = await ask(quickSandbox(), { endpoint, body });
        assert.equal(status, 400, body);
        assert.equal(JSON.parse(text).error.type, 'invalid_request_error', body);
      }
    });

    it(`a request with an invalid field, and names it: ${endpoint}`, async () => {
      const model = 7;
      const { status, text } = await ask(quickSandbox(), { endpoint, body: { model, messages: [], input: 'Hello' } });
      assert.equal(status, 400);
      assert.match(JSON.parse(text).error.message, /model/);
    });
  }

  it('a request without messages, and a limit of 0 tokens', async () => {
    const body = { model: 'familya-haiku-4.5', messages: [] };
    assert.equal((await ask(quickSandbox(), { endpoint: '/chat/completions', body })).status, 400);
    const limited = await askQuestion(quickSandbox(), { request: { maxTokens: 0 } });
    assert.equal(limited.status, 400);
  });

  it('with the request id in the body, if the format supports it', async () => {
    const { headers, text } = await askQuestion(quickSandbox(), { format: 'messages', model: 'nobody-1' });
    assert.equal(JSON.parse(text).request_id, headers['request-id']);
  });

  it('without a charge', async () => {
    const sandbox = quickSandbox();
    await askQuestion(sandbox, { model: 'nobody-1' });
    const { text } = await ask(sandbox, { endpoint: '/balance' });
    assert.equal(JSON.parse(text).used, 0);
  });
});
