import assert from 'node:assert/strict';
import type { AnswerTurn, ChatHostMessage, ChatState } from '../../../../src/pages/chat/protocol.ts';
import { announcementFor, retryAnnouncement, secondsUntil } from '../../../../src/panels/chat/announcements.ts';
import { reduce } from '../../../../src/panels/chat/reduce.ts';
import { chatState, question, reply, SMALL } from './state.ts';

function said(before: ChatState | undefined, message: ChatHostMessage, now = 0): string | undefined {
  return announcementFor(before, reduce(before, message), message, now);
}

function saidOfAnswer(before: Partial<AnswerTurn>, after: Partial<AnswerTurn>): string | undefined {
  return said(chatState({ turns: [reply('b', before)] }), { type: 'turnChanged', turn: reply('b', after) });
}

describe('the live region', () => {
  it('announces that an answer begins, but not the question', () => {
    assert.equal(said(chatState(), { type: 'turnAdded', turn: reply('b') }), 'Answering.');
    assert.equal(said(chatState(), { type: 'turnAdded', turn: question('u') }), undefined);
  });

  it('announces once that another window is answering', () => {
    const elsewhere = reply('b', { status: 'waiting', elsewhere: true });
    assert.equal(said(chatState(), { type: 'turnAdded', turn: elsewhere }), 'Another window is answering.');
    const again = reply('c', { status: 'waiting', elsewhere: true });
    assert.equal(said(chatState({ turns: [elsewhere] }), { type: 'turnAdded', turn: again }), undefined);
  });

  it('does not read tokens aloud as they arrive', () => {
    const state = chatState({ turns: [reply('b')] });
    const figures = { outputTokens: 1, estimated: true };
    assert.equal(said(state, { type: 'delta', turnId: 'b', text: 'word', figures }), undefined);
  });

  it('announces how an answer ended', () => {
    const figures = { outputTokens: 1, estimated: false };
    assert.equal(saidOfAnswer({ status: 'streaming' }, { status: 'complete', figures }), 'Answer complete. 1 token.');
    assert.equal(saidOfAnswer({ status: 'streaming' }, { status: 'stopped' }), 'Stopped.');
    assert.equal(saidOfAnswer({ status: 'streaming' }, { status: 'cut' }), 'The answer reached the token limit.');
  });

  it('announces no later changes to a finished answer, and is empty after a failure, which has an alert', () => {
    assert.equal(saidOfAnswer({ status: 'complete' }, { status: 'complete', text: 'x' }), undefined);
    assert.equal(saidOfAnswer({ status: 'streaming' }, { status: 'failed' }), '');
  });

  it('announces each wait before a retry once', () => {
    const retry = { attempt: 1, attempts: 4, at: 8000, waitMs: 8000, reason: 'rateLimit' } as const;
    assert.equal(saidOfAnswer({}, { retry }), 'Retrying in 8 seconds.');
    assert.equal(saidOfAnswer({ retry }, { retry }), undefined);
    assert.equal(saidOfAnswer({ retry }, { retry: { ...retry, attempt: 2, at: 900 } }), 'Retrying in 1 second.');
  });

  it('announces once that the request exceeds the context window', () => {
    const fits = chatState({ model: SMALL.id, estimate: { state: 'known', inputTokens: 900 } });
    const over = { type: 'change', change: { estimate: { state: 'known', inputTokens: 13_000 } } } as const;
    assert.equal(said(fits, over), 'Over the context window by 12,000 tokens.');
    assert.equal(said(reduce(fits, over), over), undefined);
  });

  it('does not announce a snapshot', () => {
    const state = chatState({ turns: [reply('b', { status: 'complete' })] });
    assert.equal(said(chatState(), { type: 'state', state }), undefined);
  });
});

describe('a retry countdown', () => {
  const retry = { attempt: 1, attempts: 4, at: 8000, waitMs: 8000, reason: 'rateLimit' } as const;

  it('rounds up to full seconds and never goes below zero', () => {
    assert.equal(secondsUntil(retry, 0), 8);
    assert.equal(secondsUntil(retry, 7001), 1);
    assert.equal(secondsUntil(retry, 9000), 0);
  });

  it('uses the singular for one second', () => {
    assert.equal(retryAnnouncement(3), 'Retrying in 3 seconds.');
    assert.equal(retryAnnouncement(1), 'Retrying in 1 second.');
  });
});
