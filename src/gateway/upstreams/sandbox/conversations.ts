/** Earlier answers of the responses format, so that `previous_response_id` can continue them. */
import type { AssistantPart, ChatRequest, Message, TextPart } from '../../../formats/conversation.ts';
import { type InputTools, inputToolsOf, withEarlierTools } from '../../../formats/inputTools.ts';
import { invalid } from './requestError.ts';

const MAX_ANSWERS = 500;
/** Bytes of request bodies and characters of answers together; both are about what a conversation takes in memory. */
const MAX_BYTES = 64_000_000;

interface Conversation {
  readonly localKeyId: string;
  readonly system: readonly TextPart[];
  /** The whole conversation; messages are shared with the answers that it continued. */
  readonly messages: readonly Message[];
  readonly inputTools: InputTools;
  readonly bytes: number;
}

/** Bounded: the oldest answers are forgotten first. */
export class Conversations {
  readonly #byResponseId = new Map<string, Conversation>();
  #bytes = 0;

  /**
   * The request with the conversation before it. Instructions of the request take the place of earlier ones.
   * @throws {RequestError} when the answer that it refers to is not known, or belongs to another key.
   */
  extend(request: ChatRequest, localKeyId: string): ChatRequest {
    const id = request.previousResponseId;
    if (id === undefined) return request;
    const earlier = this.#byResponseId.get(id);
    if (earlier === undefined || earlier.localKeyId !== localKeyId) {
      const message = `There is no response "${id}". It was not stored, or the sandbox has forgotten it.`;
      throw invalid(message, 'previous_response_id', 'previous_response_not_found');
    }
    const system = request.system.length > 0 ? request.system : earlier.system;
    const whole = { ...request, system, messages: [...earlier.messages, ...request.messages] };
    return withEarlierTools(whole, earlier.inputTools);
  }

  /** @param request the whole conversation that was answered; @param bytes the size of the request's body. */
  remember(id: string, localKeyId: string, request: ChatRequest, parts: readonly AssistantPart[], bytes: number): void {
    const answer: Message = { role: 'assistant', parts };
    const size = bytes + JSON.stringify(parts).length;
    this.#byResponseId.set(id, {
      localKeyId,
      system: request.system,
      messages: [...request.messages, answer],
      inputTools: inputToolsOf(request),
      bytes: size,
    });
    this.#bytes += size;
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [id, { bytes }] of this.#byResponseId) {
      if (this.#byResponseId.size <= MAX_ANSWERS && this.#bytes <= MAX_BYTES) return;
      this.#byResponseId.delete(id);
      this.#bytes -= bytes;
    }
  }
}
