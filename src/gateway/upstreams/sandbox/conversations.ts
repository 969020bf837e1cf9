/** Earlier answers of the responses format, so that `previous_response_id` can continue them. */
import type { AssistantPart, ChatRequest, Message, TextPart } from '../../../formats/conversation.ts';
import { type InputTools, inputToolsOf, withEarlierTools } from '../../../formats/inputTools.ts';
import { newPiece, type Piece, SharedPieces } from '../../core/sharedPieces.ts';
import { invalid } from './requestError.ts';

const MAX_ANSWERS = 500;
/** Of all together. */
const MAX_BYTES = 64_000_000;

interface Conversation {
  readonly localKeyId: string;
  readonly system: readonly TextPart[];
  /** The whole conversation; messages are shared with the answers that it continued. */
  readonly messages: readonly Message[];
  readonly inputTools: InputTools;
  /** What it takes in memory, in bytes of requests and characters of answers. */
  readonly pieces: readonly Piece[];
}

/** Bounded: the oldest answers are forgotten first. */
export class Conversations {
  readonly #byResponseId = new Map<string, Conversation>();
  readonly #held = new SharedPieces();

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
    const earlier = this.#byResponseId.get(request.previousResponseId ?? '')?.pieces ?? [];
    const pieces = [...earlier, newPiece(bytes + JSON.stringify(parts).length)];
    this.#byResponseId.set(id, {
      localKeyId,
      system: request.system,
      messages: [...request.messages, answer],
      inputTools: inputToolsOf(request),
      pieces,
    });
    this.#held.hold(pieces);
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [id, { pieces }] of this.#byResponseId) {
      if (this.#byResponseId.size <= MAX_ANSWERS && this.#held.bytes <= MAX_BYTES) return;
      this.#byResponseId.delete(id);
      this.#held.release(pieces);
    }
  }
}
