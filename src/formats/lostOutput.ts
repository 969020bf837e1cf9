import type { ChatEvent } from './answer.ts';
import type { StreamItem } from './wireFormat.ts';

/** Remembers that a part of a streamed answer could not be read, because such an answer must not end cleanly. */
export class LostOutput {
  #where: string | undefined;

  /** Called for each item of the stream that was lost, or contains what was. */
  note(item: Exclude<StreamItem<unknown>, { type: 'done' }> | Extract<ChatEvent, { type: 'malformed' }>): void {
    if (item.type === 'event') this.#where ??= item.lost;
    else if (item.isLost === true) this.#where ??= item.problem;
  }

  /** Returns the last event of the answer: its end, or an error if anything was lost. */
  ending(finish: Extract<ChatEvent, { type: 'finish' }>): ChatEvent {
    if (this.#where === undefined) return finish;
    const message = `A part of the answer could not be read, so it is incomplete (${this.#where}). Send the request again.`;
    return { type: 'error', error: { kind: 'malformed', message } };
  }
}

/** An event that was lost inside a decoder. */
export function lostPart(problem: string, data: string): Extract<ChatEvent, { type: 'malformed' }> {
  return { type: 'malformed', problem, data, isLost: true };
}
