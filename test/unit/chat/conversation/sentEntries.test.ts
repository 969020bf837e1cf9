import assert from 'node:assert/strict';
import type { ConversationRecord } from '../../../../src/chat/conversation/record.ts';
import { sentEntries } from '../../../../src/chat/conversation/sentEntries.ts';
import { answered, conversation, question } from './records.ts';

/** A finished step; a summary, if it is marked. */
function step(id: string, run: string, rest: { readonly isSummary?: true } = {}): ConversationRecord[] {
  const [answer, ...others] = answered(id);
  assert.ok(answer?.type === 'answer');
  return [{ ...answer, run, ...rest }, ...others];
}

describe('the history that is sent with a request', () => {
  const textsOf = (...records: Parameters<typeof conversation>) =>
    sentEntries(conversation(...records).entries).map(({ text }) => text);

  it('is the whole chat before there is a summary', () => {
    assert.deepEqual(textsOf(question('q'), step('s1', 'q'), step('s2', 'q')), [
      'question q',
      'answer s1',
      'answer s2',
    ]);
  });

  it('is the question with the last summary, and what follows it', () => {
    const [first, ...others] = textsOf(
      question('before'),
      answered('a'),
      question('q'),
      step('s1', 'q'),
      step('sum1', 'q', { isSummary: true }),
      step('s2', 'q'),
      step('sum2', 'q', { isSummary: true }),
      step('s3', 'q'),
    );
    assert.match(first ?? '', /^question q\n[\s\S]*\nanswer sum2$/);
    assert.deepEqual(others, ['answer s3']);
  });

  it('begins with the summary in later questions, too', () => {
    const [first, ...others] = textsOf(
      question('q'),
      step('s1', 'q'),
      step('sum', 'q', { isSummary: true }),
      step('report', 'q'),
      question('next'),
    );
    assert.match(first ?? '', /^question q\n[\s\S]*\nanswer sum$/);
    assert.deepEqual(others, ['answer report', 'question next']);
  });

  it('has the text that the user has given the summary', () => {
    const [first] = textsOf(question('q'), step('sum', 'q', { isSummary: true }), {
      type: 'edited',
      id: 'sum',
      text: 'Use tabs.',
    });
    assert.match(first ?? '', /\nUse tabs\.$/);
  });

  it('ignores a summary that broke off', () => {
    const [answer] = step('sum', 'q', { isSummary: true });
    assert.ok(answer);
    const broken: ConversationRecord[] = [answer, { type: 'answerEnd', id: 'sum', status: 'stopped' }];
    assert.deepEqual(textsOf(question('q'), step('s1', 'q'), broken).slice(0, 2), ['question q', 'answer s1']);
  });
});
