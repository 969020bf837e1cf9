import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, parseJson } from '../../formats/json.ts';
import { type ServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';

/** How a stream shows a tool call of the model. */
interface CallEvent {
  readonly type: string;
  /** The member that contains the call. */
  readonly member: string;
  readonly isOfService: (type: string) => boolean;
}

/** Calls of tools that the caller runs. */
const CALLERS_CALLS = /^(?:function|custom_tool|local_shell|shell|apply_patch|computer)_call$/;

/** In the chat-completions format, calls of the service's tools are not visible. */
const CALL_EVENTS: Readonly<Partial<Record<FormatName, CallEvent>>> = {
  messages: {
    type: 'content_block_start',
    member: 'content_block',
    isOfService: (type) => type === 'server_tool_use' || type === 'mcp_tool_use',
  },
  responses: {
    type: 'response.output_item.added',
    member: 'item',
    isOfService: (type) => type.endsWith('_call') && !CALLERS_CALLS.test(type),
  },
};

/** Watches a passing stream for calls of the service's tools, after each of which the service asks the model again. */
export class TurnWatch {
  #decoder = new ServerSentEventDecoder();
  readonly #call: CallEvent | undefined;

  constructor(format: FormatName) {
    this.#call = CALL_EVENTS[format];
  }

  /** @returns the number of calls that start in this piece of the stream. */
  push(piece: Buffer): number {
    const call = this.#call;
    if (call === undefined) return 0;
    return this.#decode(piece).filter(({ data }) => data.includes(call.type) && isCall(parseJson(data), call)).length;
  }

  /** Skips an event that is too long to be held, such as one with a picture. Those that show calls are short. */
  #decode(piece: Buffer): ServerSentEvent[] {
    try {
      return this.#decoder.push(piece);
    } catch {
      const complete = this.#decoder.end();
      this.#decoder = new ServerSentEventDecoder();
      return complete;
    }
  }
}

function isCall(event: unknown, { type, member, isOfService }: CallEvent): boolean {
  if (!isRecord(event) || event.type !== type) return false;
  const made = event[member];
  return isRecord(made) && made.execution !== 'client' && typeof made.type === 'string' && isOfService(made.type);
}
