import type { ChatEvent, ChatResponse } from '../../formats/answer.ts';
import type { AssistantPart, FormatName, Message, ReasoningPart, ToolCallPart } from '../../formats/conversation.ts';
import { sealFor } from '../../formats/reasoningSeal.ts';
import { CallIds, newId } from '../core/callIds.ts';
import { InputReader, inputIn } from './freeForm.ts';
import { PropertyReader } from './propertyNames.ts';
import type { StopSequences } from './stopSequences.ts';
import type { ToolNames } from './toolPlan.ts';

const ID_PREFIX = /^[a-z]+[-_]/i;
/** Services with unique IDs use at least 20 characters. Ollama draws one of a thousand numbers. */
const MIN_ID_CHARACTERS = 16;

/** Who wrote the answer, and for whom its reasoning is sealed. */
export interface Author {
  /** The upstream's ID and its name of the model. */
  readonly id: string;
  readonly callerFormat: FormatName;
  /** Keeps what the upstream demands back with the answer's calls. */
  readonly keep: (parts: readonly AssistantPart[]) => void;
}

const NOBODY: Author = { id: '', callerFormat: 'responses', keep: () => undefined };

/** The parts of the request on which answers depend. */
interface RestoredRequest {
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
  /** Readers of open calls whose arguments are not passed on as they come, by the index of their part. */
  readonly #readers = new Map<number, InputReader | PropertyReader>();
  readonly #author: Author;
  /** The IDs of calls, by the index of their part. */
  readonly #calls = new Map<number, string>();
  /** The reasoning since the last call. */
  #reasoning: ReasoningPart[] = [];
  /** The part of reasoning that has no seal yet, and its text. */
  #unsealed: { readonly index: number; text: string } | undefined;

  /** @param stops sequences that were not sent to the upstream. */
  constructor(names: ToolNames, { model, messages }: RestoredRequest, stops?: StopSequences, author = NOBODY) {
    this.#names = names;
    this.#author = author;
    this.#model = model;
    this.#ids = new CallIds(messages);
    this.#stops = stops;
  }

  response(whole: ChatResponse): ChatResponse {
    const response = this.#stops?.response(whole) ?? whole;
    const parts = response.parts.map((part) => this.#part(part));
    const hasReasons = parts.some((part) => part.type === 'reasoning' || (part.type === 'toolCall' && part.extra));
    if (!hasReasons) return { ...this.#head(response), parts };
    this.#author.keep(parts);
    return { ...this.#head(response), parts: parts.map((part) => this.#sealed(part)) };
  }

  event(event: ChatEvent): ChatEvent[] {
    if (this.#stops === undefined)
      return this.#unsealed === undefined ? this.#translated(event) : this.#restored(event);
    return this.#stops.event(event).flatMap((decoded) => this.#restored(decoded));
  }

  #restored(event: ChatEvent): ChatEvent[] {
    if (this.#unsealed === undefined || event.type === 'usage') return this.#translated(event);
    const isSame = 'index' in event && event.index === this.#unsealed.index;
    return isSame ? this.#translated(event) : [...this.#seal(), ...this.#translated(event)];
  }

  #translated(event: ChatEvent): ChatEvent[] {
    switch (event.type) {
      case 'reasoningDelta':
        this.#unsealed ??= { index: event.index, text: '' };
        this.#unsealed.text += event.text;
        return [event];
      case 'reasoningSeal': {
        const { type: _, index, ...seal } = event;
        this.#unsealed ??= { index, text: '' };
        return this.#seal(seal);
      }
      case 'start':
        return [this.#head(event)];
      case 'toolCallStart': {
        const tool = this.#names.toolOf(event.name);
        const renamed = this.#names.propertiesOf(event.name);
        if (renamed !== undefined) this.#readers.set(event.index, new PropertyReader(renamed));
        else if (tool.freeForm && !event.freeForm) this.#readers.set(event.index, new InputReader());
        const call = { ...event, ...tool, id: this.#ids.distinct(event.id) };
        this.#calls.set(event.index, call.id);
        if (this.#reasoning.length > 0 || call.extra !== undefined) this.#keep(call.id, call.extra);
        return [call];
      }
      case 'toolCallDelta': {
        const reader = this.#readers.get(event.index);
        return reader === undefined ? [event] : delta(event.index, reader.push(event.arguments));
      }
      case 'toolCallEnd': {
        const rest = this.#readers.get(event.index)?.end() ?? '';
        if (event.extra !== undefined) this.#keep(this.#calls.get(event.index) ?? '', event.extra);
        return [...delta(event.index, rest), event];
      }
      default:
        return [event];
    }
  }

  /** Ends the open reasoning with a seal. Without one, nobody would know who wrote it. */
  #seal(seal: Omit<ReasoningPart, 'type' | 'text'> = {}): ChatEvent[] {
    const { index, text } = this.#unsealed ?? { index: 0, text: '' };
    this.#unsealed = undefined;
    this.#reasoning.push({ type: 'reasoning', text, ...seal });
    return [{ type: 'reasoningSeal', index, ...sealFor(this.#author.callerFormat, this.#author.id, seal) }];
  }

  #sealed(part: AssistantPart): AssistantPart {
    if (part.type !== 'reasoning') return part;
    const { type, text, ...seal } = part;
    return { type, text, ...sealFor(this.#author.callerFormat, this.#author.id, seal) };
  }

  #keep(id: string, extra: ToolCallPart['extra']): void {
    const call: ToolCallPart = { type: 'toolCall', id, name: '', arguments: '', ...(extra !== undefined && { extra }) };
    this.#author.keep([...this.#reasoning, call]);
    this.#reasoning = [];
  }

  #head<Head extends { readonly id: string; readonly model: string }>(head: Head): Head {
    return { ...head, id: distinctAnswerId(head.id), model: head.model || this.#model };
  }

  #part(part: AssistantPart): AssistantPart {
    if (part.type !== 'toolCall') return part;
    const tool = this.#names.toolOf(part.name);
    const call: ToolCallPart = { ...part, ...tool, id: this.#ids.distinct(part.id) };
    const renamed = this.#names.propertiesOf(part.name);
    if (renamed !== undefined) return { ...call, arguments: renamed.original(part.arguments) };
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
