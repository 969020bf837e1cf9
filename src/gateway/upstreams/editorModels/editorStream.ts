import type { ChatEvent } from '../../../formats/answer.ts';
import type { StreamDecoder, StreamItem } from '../../../formats/wireFormat.ts';
import type { EditorAnswerPart } from './protocol.ts';

export type EditorEvent =
  | { readonly type: 'start'; readonly model: string }
  | { readonly type: 'part'; readonly part: EditorAnswerPart }
  | { readonly type: 'end' };

/** Converts the output of an editor's model to events. There is no usage, because the API does not count tokens. */
export class EditorStreamDecoder implements StreamDecoder<EditorEvent> {
  readonly #id: string;
  /** Index of the part that the last piece belongs to. */
  #index = -1;
  #type: EditorAnswerPart['type'] | undefined;
  #calls = 0;
  #isOver = false;

  constructor(id = '') {
    this.#id = id;
  }

  push(item: StreamItem<EditorEvent>): ChatEvent[] {
    if (item.type !== 'event') return [];
    const { event } = item;
    switch (event.type) {
      case 'start':
        return [{ type: 'start', id: this.#id, model: event.model }];
      case 'part':
        return this.#part(event.part);
      case 'end':
        this.#isOver = true;
        return [{ type: 'finish', reason: this.#calls > 0 ? 'toolCalls' : 'stop' }];
    }
  }

  end(): ChatEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    return [
      {
        type: 'error',
        error: { kind: 'network', message: 'The editor’s model stopped before its answer was complete.' },
      },
    ];
  }

  #part(part: EditorAnswerPart): ChatEvent[] {
    if (part.type === 'toolCall' || part.type !== this.#type) this.#index += 1;
    this.#type = part.type;
    const index = this.#index;
    switch (part.type) {
      case 'text':
        return [{ type: 'textDelta', index, text: part.text }];
      case 'reasoning':
        return [{ type: 'reasoningDelta', index, text: part.text }];
      case 'toolCall':
        this.#calls += 1;
        return [
          { type: 'toolCallStart', index, id: part.id, name: part.name },
          { type: 'toolCallDelta', index, arguments: JSON.stringify(part.input) },
          { type: 'toolCallEnd', index },
        ];
    }
  }
}
