import type { ChatEvent } from '../../formats/answer.ts';
import type { ToolCallView } from '../../pages/chat/protocol.ts';

export type ToolCallEvent = Extract<ChatEvent, { type: 'toolCallStart' | 'toolCallDelta' | 'toolCallEnd' }>;

/** The tool calls of an answer in progress. They may overlap. */
export class ToolCalls {
  readonly #open = new Map<number, ToolCallView>();

  /** Returns the call when it must be shown or updated: when it begins, and when it is complete. */
  receive(event: ToolCallEvent): ToolCallView | undefined {
    switch (event.type) {
      case 'toolCallStart': {
        const { id, name, namespace } = event;
        const call = { id, name: namespace === undefined ? name : `${namespace}.${name}`, arguments: '' };
        this.#open.set(event.index, call);
        return call;
      }
      case 'toolCallDelta': {
        const call = this.#open.get(event.index);
        if (call !== undefined) {
          this.#open.set(event.index, { ...call, arguments: call.arguments + event.arguments });
        }
        return undefined;
      }
      case 'toolCallEnd': {
        const call = this.#open.get(event.index);
        this.#open.delete(event.index);
        return call;
      }
    }
  }
}
