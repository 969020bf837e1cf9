/** Answers of the responses format that are kept, so that later requests can name them instead of sending all again. */
import type { ChatResponse, Message, TextPart } from '../../formats/conversation.ts';
import type { InputTools } from '../../formats/inputTools.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';

/** What a later request may continue. */
export interface StoredConversation {
  /** Instructions that were in the input, which continue to apply; those beside it apply to one answer. */
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  /** Tools that were in the input. */
  readonly inputTools: InputTools;
}

/** What a request names of earlier answers. */
export interface ResponseReferences {
  readonly previousResponseId?: string;
  /** Items of the input that may stand for items of earlier answers. */
  readonly itemIds: readonly string[];
}

/** What is still known of it. */
export interface FoundResponses {
  readonly conversation?: StoredConversation;
  readonly items: ReadonlyMap<string, ResponsesItem>;
}

export interface KeptResponse {
  /** As it was found for the request, where the request continues one. */
  readonly previous?: StoredConversation;
  /** All that `answer` replies to, `previous` included. */
  readonly conversation: StoredConversation;
  readonly answer: ChatResponse;
  /** Approximate size of the request in bytes. */
  readonly bytes: number;
}

/** Each local key has its own answers. */
export interface ResponseStore {
  /** Rejects only when the store cannot be reached; what is unknown is absent. */
  find(localKeyId: string, references: ResponseReferences): Promise<FoundResponses>;
  /** Keeps an answer by its id and its items by theirs. Returns at once; a request that follows the answer finds it. */
  keep(localKeyId: string, response: KeptResponse): void;
}
