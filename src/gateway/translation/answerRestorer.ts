import type { AssistantPart, ChatEvent, ChatResponse, Message, ToolCallPart } from '../../formats/conversation.ts';
import { CallIds, newId } from '../core/callIds.ts';
import { InputReader, inputIn } from './freeForm.ts';
import type { StopSequences } from './stopSequences.ts';
import type { ToolNames } from './toolNames.ts';

const ID_PREFIX = /^[a-z]+[-_]/i;
/** Services with unique IDs use at least 20 characters. Ollama draws one of a thousand numbers. */
const MIN_ID_CHARACTERS = 16;

/** The parts of the request on which answers depend. */
interface Asked {
  /** For answers without a model name. */
  readonly model: string;
  /** The conversation before the answer. */
  readonly messages: readonly Message[];
}

/**
 * Restores the names, namespaces, and free form of the caller's tools in the calls of an answer, makes the calls' IDs
 * unique, and ends the answer at the caller's stop sequences.
 */
export class AnswerRestorer {
  readonly #names: ToolNames;
  readonly #model: string;
  readonly #stops: StopSequences | undefined;
  readonly #ids: CallIds;
  /** Readers of open free-form calls, by the index of their part. */
  readonly #readers = new Map<number, InputReader>();

  /** @param stops sequences that were not sent to the upstream. */
  constructor(names: ToolNames, { model, messages }: Asked, stops?: StopSequences) {
    this.#names = names;
    this.#model = model;
    this.#ids = new CallIds(messages);
    this.#stops = stops;
  }

  response(whole: ChatResponse): ChatResponse {
    const response = this.#stops?.response(whole) ?? whole;
    return { ...this.#head(response), parts: response.parts.map((part) => this.#part(part)) };
  }

  event(event: ChatEvent): ChatEvent[] {
    if (this.#stops === undefined) return this.#restored(event);
    return this.#stops.event(event).flatMap((decoded) => this.#restored(decoded));
  }

  #restored(event: ChatEvent): ChatEvent[] {
    switch (event.type) {
      case 'start':
        return [this.#head(event)];
      case 'toolCallStart': {
        const tool = this.#names.toolOf(event.name);
        if (tool.freeForm && !event.freeForm) this.#readers.set(event.index, new InputReader());
        return [{ ...event, ...tool, id: this.#ids.distinct(event.id) }];
      }
      case 'toolCallDelta': {
        const reader = this.#readers.get(event.index);
        return reader === undefined ? [event] : delta(event.index, reader.push(event.arguments));
      }
      case 'toolCallEnd': {
        const rest = this.#readers.get(event.index)?.end() ?? '';
        return [...delta(event.index, rest), event];
      }
      default:
        return [event];
    }
  }

  #head<Head extends { readonly id: string; readonly model: string }>(head: Head): Head {
    return { ...head, id: distinctAnswerId(head.id), model: head.model || this.#model };
  }

  #part(part: AssistantPart): AssistantPart {
    if (part.type !== 'toolCall') return part;
    const tool = this.#names.toolOf(part.name);
    const call: ToolCallPart = { ...part, ...tool, id: this.#ids.distinct(part.id) };
    return tool.freeForm && !part.freeForm ? { ...call, arguments: inputIn(part.arguments) } : call;
  }
}

function delta(index: number, text: string): ChatEvent[] {
  return text === '' ? [] : [{ type: 'toolCallDelta', index, arguments: text }];
}

/**
 * Returns the answer's own ID, or a new one if it is too short to be unique. Clients store answers by ID, and some take
 * a second answer with the same ID for a new version of the first.
 */
function distinctAnswerId(id: string): string {
  return id.replace(ID_PREFIX, '').length < MIN_ID_CHARACTERS ? newId() : id;
}
