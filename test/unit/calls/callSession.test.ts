import assert from 'node:assert/strict';
import { callSession } from '../../../src/calls/chatCall.ts';
import type { ChatRequest, Message } from '../../../src/formats/conversation.ts';

const says = (role: 'user' | 'assistant', text: string): Message => ({ role, parts: [{ type: 'text', text }] });
const request = (...messages: readonly Message[]): ChatRequest => ({ model: 'm', system: [], messages });

describe('the session of an editor call', () => {
  it('is the chat in the panel, with the question as its turn', () => {
    const call = { source: 'chatPanel', conversationId: 'c', turnId: 'q', request: request() } as const;
    assert.deepEqual(callSession(call), { session: 'c', turn: 'q' });
  });

  it('is the same for all requests of a native chat, with one turn per question', () => {
    const ask = (...messages: readonly Message[]) =>
      callSession({ source: 'nativeChat', request: request(...messages) });
    const first = ask(says('user', 'Hello'));
    const step = ask(says('user', 'Hello'), says('assistant', 'Hi'));
    const second = ask(says('user', 'Hello'), says('assistant', 'Hi'), says('user', 'Hello'));
    assert.deepEqual(step, first);
    assert.equal(second?.session, first?.session);
    assert.notEqual(second?.turn, first?.turn);
    assert.notEqual(ask(says('user', 'Good day'))?.session, first?.session);
    assert.ok(!JSON.stringify(first).includes('Hello'));
  });

  it('is the chat for its title, in the turn of the question that the title is about', () => {
    const call = { source: 'chatTitle', conversationId: 'c', turnId: 'q', request: request() } as const;
    assert.deepEqual(callSession(call), { session: 'c', turn: 'q' });
  });

  it('is unknown for a command', () => {
    assert.equal(callSession({ source: 'command', request: request(says('user', 'Hello')) }), undefined);
  });
});
