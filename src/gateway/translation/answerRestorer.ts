import type { AssistantPart, ChatEvent, ChatResponse, Message, ToolCallPart } from '../../formats/conversation.ts';
import { CallIds } from '../core/callIds.ts';
import { distinctAnswerId } from './answerId.ts';
import { InputReader, inputIn } from './freeForm.ts';
import type { StopSequences } from './stopSequences.ts';
import type { ToolNames } from './toolNames.ts';

/** What was asked, as far as answers depend on it. */
interface Asked {
  /** For answers that do not name theirs. */
  readonly model: string;
  /** All that was said before. */
  readonly messages: readonly Message[];
}

/**
 * Gives the calls in an answer the names, namespaces and free form that the caller's tools have, and ids of their own;
 * ends it where the caller wanted it to stop.
 */
export class AnswerRestorer {
  readonly #names: ToolNames;
  readonly #model: string;
  readonly #stops: StopSequences | undefined;
  readonly #ids: CallIds;
  /** Of open free-form calls, by the index of their part. */
  readonly #readers = new Map<number, InputReader>();

  /** @param stops sequences that the upstream does not know of. */
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
    return this.#stops.event(event).flatMap((told) => this.#restored(told));
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
