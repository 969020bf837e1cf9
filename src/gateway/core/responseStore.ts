/**
 * Stores answers of the Responses format, so that later requests can name them instead of sending the whole
 * conversation.
 */

import type { ChatResponse } from '../../formats/answer.ts';
import type { Message, TextPart } from '../../formats/conversation.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';
import type { InputTools } from '../../formats/tools.ts';

export interface ContinuableConversation {
  /** Instructions in the input, which continue to apply. The `instructions` member applies to only one answer. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  readonly inputTools: InputTools;
}

export interface ResponseReferences {
  readonly previousResponseId?: string;
  /** Input items that may refer to items of earlier answers. */
  readonly itemIds: readonly string[];
}

/** As long as a body can be. A request cannot name more of earlier answers than it could contain. */
export const MAX_RECALLED = 32 * 1024 * 1024;

/** What the store still has for the references. */
export interface FoundResponses {
  readonly conversation?: ContinuableConversation;
  readonly items: ReadonlyMap<string, ResponsesItem>;
  /** Set if it was not read, because it is longer than {@link MAX_RECALLED}. */
  readonly isTooLong?: boolean;
}

export interface KeptResponse {
  /** The stored conversation that the request continues, if there is one. */
  readonly previous?: ContinuableConversation;
  /** Everything that `answer` replies to, including `previous`. */
  readonly conversation: ContinuableConversation;
  readonly answer: ChatResponse;
  /** Approximate size of the request in bytes. */
  readonly bytes: number;
}

/** Each local key has its own answers. */
export interface ResponseStore {
  /** Rejects only if the store is not reachable. Unknown answers are omitted. */
  find(localKeyId: string, references: ResponseReferences): Promise<FoundResponses>;
  /**
   * Stores an answer by its ID and its items by theirs. Returns immediately; a request that follows the answer finds
   * it.
   */
  keep(localKeyId: string, response: KeptResponse): void;
}
