import assert from 'node:assert/strict';
import { wireFormats } from '../../../../src/formats/index.ts';
import { AnswerRestorer } from '../../../../src/gateway/translation/answerRestorer.ts';
import { ToolNames } from '../../../../src/gateway/translation/toolPlan.ts';
import { TranslatedStream } from '../../../../src/gateway/translation/translatedStream.ts';

const context = { request: { model: 'm', system: [], messages: [], stream: true }, now: 1_800_000_000, inputTokens: 5 };
const TEXT = 'a'.repeat(500_000);
/** Beyond what any model writes. */
const MAX_BYTES = 64 * 1024 * 1024;

function translated(): TranslatedStream {
  return new TranslatedStream({
    upstream: wireFormats['chat-completions'],
    caller: wireFormats.messages,
    context,
    restorer: new AnswerRestorer(new ToolNames(), { model: 'm', messages: [] }),
    keepsEvents: false,
  });
}

function event(delta: unknown): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
}

describe('an answer without an end that is translated', () => {
  it('is cut when its text is longer than any model writes', () => {
    const stream = translated();
    const pieces = Math.ceil(MAX_BYTES / TEXT.length);
    assert.throws(() => {
      for (let nth = 0; nth <= pieces; nth++) stream.push(event({ content: TEXT + nth }));
    }, /too long/);
  });

  it('is cut when it begins more tool calls than any model makes', () => {
    const stream = translated();
    // Almost as long as it may be, so that the calls need not be as many as they could be.
    const long = event({ content: TEXT });
    for (let length = TEXT.length; length < MAX_BYTES - 1_000_000; length += TEXT.length) stream.push(long);
    assert.throws(() => {
      for (let from = 0; from < 20_000; from += 1_000) {
        const calls = Array.from({ length: 1_000 }, (_, nth) => ({
          ...{ index: from + nth, id: `c${from + nth}`, function: { name: 'f', arguments: '' } },
        }));
        stream.push(event({ tool_calls: calls }));
      }
    }, /too long/);
  });
});

describe('an answer with thousands of unfinished calls', () => {
  it('has them in their order', () => {
    const stream = translated();
    let text = '';
    for (let index = 0; index < 5_000; index++) {
      text += stream.push(
        event({ tool_calls: [{ index, id: `c${index}`, function: { name: 'f', arguments: '{}' } }] }),
      );
    }
    text += stream.push(event({})) + stream.end();
    const started = [...text.matchAll(/"content_block":\{"type":"tool_use","id":"c(\d+)"/g)].map(([, id]) =>
      Number(id),
    );
    assert.deepEqual(started, [...started.keys()]);
  });
});
