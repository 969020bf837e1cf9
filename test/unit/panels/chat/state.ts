/** Small states of the panel for its tests. */
import type { AnswerTurn, ChatState, ModelView, UserTurn } from '../../../../src/pages/chat/protocol.ts';

export const SMALL: ModelView = {
  id: 'familya-small-1',
  family: 'Family A',
  contextWindow: 1000,
  inputPrice: 1,
  outputPrice: 5,
};
export const LARGE: ModelView = {
  id: 'familyb-large-2',
  family: 'Family B',
  contextWindow: 200_000,
  inputPrice: 3,
  outputPrice: 15,
};

export function chatState(rest: Partial<ChatState> = {}): ChatState {
  return {
    connection: 'hosted',
    conversationId: 'c',
    title: 'A chat',
    turns: [],
    catalog: { models: [SMALL, LARGE], state: 'current' },
    model: LARGE.id,
    format: 'messages',
    mode: 'ask',
    agents: [],
    canAct: true,
    parameters: { own: {}, defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] }, presets: [] },
    attachments: [],
    estimate: { state: 'none' },
    balance: { state: 'current', remaining: 12.4461 },
    spent: {},
    ...rest,
  };
}

export function question(id: string, text = 'Why?'): UserTurn {
  return { role: 'user', id, text, attachments: [] };
}

export function reply(id: string, rest: Partial<AnswerTurn> = {}): AnswerTurn {
  return {
    role: 'assistant',
    id,
    model: LARGE.id,
    format: 'messages',
    sandbox: false,
    reasoning: '',
    text: '',
    status: 'waiting',
    ...rest,
  };
}
