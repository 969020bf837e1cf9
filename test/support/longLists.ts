/** Chats whose answers have very many parts, each of them tiny. */
import type { AnswerTurn, ChatState, ChatTurn, RunAction, ToolCallView } from '../../src/pages/chat/protocol.ts';
import { RUN } from '../gallery/chat/agentSamples.ts';
import { answer, BASE, user } from '../gallery/chat/samples.ts';

/** A chat, and what has to be clicked to see all of it. */
export interface LongChat {
  readonly state: ChatState;
  readonly opens?: string;
}

const QUESTION = user('q', 'Go on');

/** Returns chats whose lists have about this number of characters, by their description. */
export function longLists(length: number): Readonly<Record<string, LongChat>> {
  const calls = (count: number, action?: RunAction) =>
    Array.from(
      { length: count },
      (_, nth): ToolCallView => ({
        id: `c${nth}`,
        name: 'read',
        arguments: '{"path":"a"}',
        ...(action !== undefined && { action, result: 'b' }),
      }),
    );
  const chat = (...turns: readonly ChatTurn[]): ChatState => ({ ...BASE, turns: [QUESTION, ...turns] });
  const answered = (rest: Partial<AnswerTurn>) => chat(answer('a', 'Yes.', rest));
  const ofRun = (...turns: readonly ChatTurn[]): ChatState => ({ ...chat(...turns), run: { ...RUN, id: QUESTION.id } });
  const step = (nth: number, toolCalls: readonly ToolCallView[]) =>
    answer(`s${nth}`, '', { run: QUESTION.id, toolCalls });
  const read: RunAction = { kind: 'read', state: 'done', object: 'a.ts', note: '18 lines' };
  const searched: RunAction = { kind: 'search', state: 'done', object: 'a', note: '3 results' };
  return {
    'tool calls': { state: answered({ toolCalls: calls(length / 50) }) },
    sources: {
      state: answered({
        citations: Array.from({ length: length / 50 }, (_, nth) => ({ url: `https://example.com/${nth}`, quote: 'a' })),
      }),
    },
    'calls of a step': { state: ofRun(step(1, calls(length / 50, searched))) },
    'files that a step reads': { state: ofRun(step(1, calls(length / 50, read))) },
    'steps of a run': {
      state: ofRun(...Array.from({ length: length / 100 }, (_, nth) => step(nth, calls(1, searched)))),
      opens: '.earlier-steps',
    },
    'arguments of many values': {
      state: answered({ toolCalls: [{ id: 'c', name: 'read', arguments: `[${'1,'.repeat(length / 2)}1]` }] }),
      opens: '.tool-call-head',
    },
    'a long name of a tool': { state: answered({ toolCalls: [{ id: 'c', name: 'a'.repeat(length), arguments: '' }] }) },
    'a long object of an action': {
      state: ofRun(step(1, calls(1, { ...searched, object: 'a '.repeat(length / 2) }))),
    },
    'a long refusal': { state: answered({ refusal: 'No. '.repeat(length / 4) }) },
    'a long title of a source': { state: answered({ citations: [{ title: 'a '.repeat(length / 2) }] }) },
    'turns of a chat': {
      state: chat(
        ...Array.from({ length: length / 100 }, (_, nth) => [
          user(`q${nth}`, 'Go on'),
          answer(`a${nth}`, 'Yes.'),
        ]).flat(),
      ),
    },
    'attachments of a question': {
      state: {
        ...BASE,
        turns: [
          user(
            'q1',
            'Go on',
            Array.from({ length: length / 50 }, (_, nth) => ({
              id: `f${nth}`,
              kind: 'file',
              label: 'a.ts',
              tokens: 1,
            })),
          ),
        ],
      },
    },
  };
}
