/** Records of conversations for tests. */
import { conversationOf } from '../../../../src/chat/conversation/conversation.ts';
import type { Attachment, ConversationRecord } from '../../../../src/chat/conversation/record.ts';

type Placement = { readonly parent?: string | null; readonly at?: number };
type QuestionDetails = Placement & { readonly shown?: string; readonly attachments?: readonly Attachment[] };

export function header(id: string, title = 'A title'): ConversationRecord {
  return { type: 'conversation', version: 1, id, at: 1, title };
}

export function question(
  id: string,
  text = `question ${id}`,
  { at = 1, ...rest }: QuestionDetails = {},
): ConversationRecord {
  return { type: 'question', id, at, text, attachments: [], ...rest };
}

export function answer(id: string, rest: Placement & { readonly comparison?: string } = {}): ConversationRecord {
  return { type: 'answer', id, at: 2, model: 'familya-sonnet-4.6', format: 'messages', sandbox: false, ...rest };
}

/** Returns a complete answer. */
export function answered(
  id: string,
  text = `answer ${id}`,
  rest: Placement & { readonly comparison?: string; readonly cost?: number } = {},
): ConversationRecord[] {
  const { cost, ...place } = rest;
  const figures = { outputTokens: 1, estimated: false, ...(cost !== undefined && { cost }) };
  return [answer(id, place), { type: 'delta', id, text }, { type: 'answerEnd', id, status: 'complete', figures }];
}

export function conversation(...records: (ConversationRecord | readonly ConversationRecord[])[]) {
  return conversationOf('c', records.flat());
}
