/** Parts that several groups of states use. */
import type { ChatState, ChatTurn } from '../../../../src/pages/chat/protocol.ts';
import { BASE, DONE, EARLIER, ESTIMATE, QUESTION, SELECTION, TEST_FILE } from '../samples.ts';

export const DRAFT = 'Then write a test that fails without the fix';

export const WRITING = { estimate: ESTIMATE, attachments: [SELECTION, TEST_FILE] } satisfies Partial<ChatState>;

export const NOTHING_YET = { spent: {}, turns: [], title: '' } satisfies Partial<ChatState>;

export function chat(turns: readonly ChatTurn[], rest: Partial<ChatState> = {}): ChatState {
  return { ...BASE, turns, ...rest };
}

export function small(inputTokens: number, expectedCost: number, balanceAfter: number): Partial<ChatState> {
  const parts = { messages: inputTokens };
  const estimate = { state: 'known', inputTokens, estimated: true, parts, messageTokens: inputTokens } as const;
  return { estimate: { ...estimate, expectedCost, balanceAfter } };
}

export const CONVERSATION = [...EARLIER, QUESTION, DONE];
