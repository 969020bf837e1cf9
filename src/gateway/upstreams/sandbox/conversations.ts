/** Earlier answers in the responses format, which `previous_response_id` can continue. */
import type { AssistantPart, ChatRequest, Message, TextPart } from '../../../formats/conversation.ts';
import { type InputTools, inputToolsOf, withEarlierTools } from '../../../formats/tools.ts';
import { invalid } from '../../../sandbox/requestError.ts';
import { newPiece, type Piece, SharedPieces } from '../../core/sharedPieces.ts';

const MAX_ANSWERS = 500;
/** Total size of all conversations. */
const MAX_BYTES = 64_000_000;

interface SandboxConversation {
  readonly localKeyId: string;
  readonly system: readonly TextPart[];
  /** The whole conversation. Messages are shared with the answers that it continues. */
  readonly messages: readonly Message[];
  readonly inputTools: InputTools;
  /** Memory use, in bytes of requests and characters of answers. */
  readonly pieces: readonly Piece[];
}

/** Limited in size: the oldest answers are removed first. */
export class Conversations {
  readonly #byResponseId = new Map<string, SandboxConversation>();
  readonly #held = new SharedPieces();

  /**
   * Returns the request including the conversation that it continues. Instructions in the request replace earlier ones.
   * @throws {RequestError} if the previous answer is unknown or belongs to another key.
   */
  extend(request: ChatRequest, localKeyId: string): ChatRequest {
    const id = request.previousResponseId;
    if (id === undefined) return request;
    const earlier = this.#byResponseId.get(id);
    if (earlier === undefined || earlier.localKeyId !== localKeyId) {
      const message = `There is no response "${id}". It was not stored, or it is no longer kept.`;
      throw invalid(message, 'previous_response_id', 'previous_response_not_found');
    }
    const system = request.system.length > 0 ? request.system : earlier.system;
    const whole = { ...request, system, messages: [...earlier.messages, ...request.messages] };
    return withEarlierTools(whole, earlier.inputTools);
  }

  /**
   * @param request the whole conversation that was answered.
   * @param bytes the size of the request's body.
   */
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
