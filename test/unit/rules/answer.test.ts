import assert from 'node:assert/strict';
import { type AnswerContent, applyDelta, isRefusal, isRunning } from '../../../src/rules/answer.ts';

const EMPTY: AnswerContent = { status: 'waiting', text: '', reasoning: '' };

describe('an answer after a delta', () => {
  it('has text, reasoning and refusal appended, and is then streaming', () => {
    const begun = applyDelta(EMPTY, { text: 'a', reasoning: 'x', refusal: 'n' });
    assert.deepEqual(applyDelta(begun, { text: 'b', reasoning: 'y', refusal: 'o' }), {
      status: 'streaming',
      text: 'ab',
      reasoning: 'xy',
      refusal: 'no',
    });
  });

  it('replaces a tool call with the complete one of the same id', () => {
    const [started, other, whole] = [
      { id: 'c1', name: 'read', arguments: '' },
      { id: 'c2', name: 'list', arguments: '{}' },
      { id: 'c1', name: 'read', arguments: '{"path":"a"}' },
    ];
    const answer = [started, other, whole].reduce((before, toolCall) => applyDelta(before, { toolCall }), EMPTY);
    assert.deepEqual(answer.toolCalls, [whole, other]);
  });

  it('has at most a thousand citations, because each is compared with all others', () => {
    const urls = Array.from({ length: 1_001 }, (_, nth) => `https://example.com/${nth}`);
    const answer = urls.reduce((before, url) => applyDelta(before, { citation: { url } }), EMPTY);
    assert.deepEqual(
      answer.citations?.map(({ url }) => url),
      urls.slice(0, 1_000),
    );
  });

  it('has at most a thousand tool calls and parts of reasoning, because each addition copies those before it', () => {
    const deltas = Array.from({ length: 1_001 }, (_, nth) => ({
      toolCall: { id: `c${nth}`, name: 'read', arguments: '' },
      sealed: { text: '', signature: `s${nth}` },
    }));
    const answer = deltas.reduce<AnswerContent>(applyDelta, EMPTY);
    assert.deepEqual(
      [answer.toolCalls?.length, answer.sealed?.length, answer.toolCalls?.at(-1)?.id],
      [1_000, 1_000, 'c999'],
    );
    const complete = { id: 'c0', name: 'read', arguments: '{}' };
    assert.deepEqual(applyDelta(answer, { toolCall: complete }).toolCalls?.[0], complete);
  });

  it('keeps each citation once, but several passages of one source', () => {
    const citation = { url: 'https://example.com/', title: 'Example', span: { start: 0, end: 4 } };
    const elsewhere = { ...citation, span: { start: 5, end: 9 } };
    const citations = [citation, elsewhere, { ...citation }];
    const answer = citations.reduce((before, each) => applyDelta(before, { citation: each }), EMPTY);
    assert.deepEqual(answer.citations, [citation, elsewhere]);
  });

  it('keeps other properties of the answer', () => {
    assert.equal(applyDelta({ ...EMPTY, id: 'b' }, { text: 'a' }).id, 'b');
  });
});

describe('the state of an answer', () => {
  it('is running until it has an end status', () => {
    const running = (['waiting', 'streaming', 'complete', 'cut', 'stopped', 'failed'] as const).filter((status) =>
      isRunning({ status }),
    );
    assert.deepEqual(running, ['waiting', 'streaming']);
  });

  it('is a refusal by its text or by who refused', () => {
    assert.deepEqual([{}, { refusal: '' }, { refusedBy: 'filter' as const }].map(isRefusal), [false, true, true]);
  });
});
