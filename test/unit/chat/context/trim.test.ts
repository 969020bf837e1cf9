import assert from 'node:assert/strict';
import fc from 'fast-check';
import { textAttachment } from '../../../../src/chat/context/textAttachment.ts';
import { tokensThatFit, trimmed } from '../../../../src/chat/context/trim.ts';
import type { EstimateView } from '../../../../src/pages/chat/protocol.ts';

const LINES = Array.from({ length: 400 }, (_, index) => `line ${index + 1} says something`).join('\n');
const attachment = (label: string, text: string) =>
  textAttachment({ kind: 'file', label, path: label, languageId: '', text });

describe('a trimmed attachment', () => {
  it('keeps the beginning of a file, and states how many lines are omitted', () => {
    const { text, note } = trimmed(attachment('a.ts', LINES), 500);
    assert.match(text, /^line 1 says something\nline 2 /);
    assert.match(text, /\n\[… \d+ lines omitted here …\]$/);
    assert.match(note ?? '', /^Trimmed from /);
  });

  it('keeps the end of a log, with its latest lines', () => {
    const { text } = trimmed(attachment('server.log', LINES), 500);
    assert.match(text, /^\[… \d+ lines omitted here …\]\n/);
    assert.match(text, /line 400 says something$/);
  });

  it('has at most the requested tokens plus the marker, for any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 200 })), fc.integer({ min: 20, max: 400 }), (lines, most) => {
        const long = attachment('a.txt', [...lines, LINES].join('\n'));
        const { tokens = 0 } = trimmed(long, most);
        assert.ok(tokens <= most * 1.3 + 30, `${tokens} of ${most}`);
      }),
    );
  });

  it('cuts a single long line too', () => {
    const { tokens = 0 } = trimmed(attachment('data.json', 'word '.repeat(20_000)), 1000);
    assert.ok(tokens > 500 && tokens < 1200, String(tokens));
  });
});

describe('the tokens available for an attachment', () => {
  const model = { id: 'm', family: 'M', contextWindow: 10_000 };
  const fit = (estimate: Partial<EstimateView>, tokens: number) =>
    tokensThatFit(
      { model: 'm', catalog: { models: [model], state: 'current' }, estimate: { state: 'known', ...estimate } },
      { ...attachment('a', ''), tokens },
    );

  it('are the context window minus the rest of the request and a share for the answer', () => {
    const left = fit({ inputTokens: 15_000, maxOutputTokens: 4096 }, 12_000);
    assert.ok(left < 10_000 - 3000 - 2500 && left > 3500, String(left));
  });

  it('reserve only a short answer if the maximum output is small', () => {
    assert.ok(fit({ inputTokens: 15_000, maxOutputTokens: 100 }, 12_000) > 6000);
  });

  it('are at least one', () => {
    assert.equal(fit({ inputTokens: 50_000, maxOutputTokens: 100 }, 200), 1);
  });
});
