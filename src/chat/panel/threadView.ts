import type { ChatHostMessage, ChatTurn } from '../../pages/chat/protocol.ts';

/**
 * Keeps the panel's turns up to date. Posts added turns, or all turns from the first one that differs. The contents of
 * turns have messages of their own.
 */
export class ThreadView {
  readonly #post: (message: ChatHostMessage) => void;
  #shown: readonly string[] = [];

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  /** Reports changes in the order of the turns to the panel. */
  update(turns: readonly ChatTurn[]): void {
    const before = this.#shown;
    this.reset(turns);
    const from = this.#shown.findIndex((key, index) => key !== before[index]);
    if (from === -1 && this.#shown.length === before.length) return;
    const first = from === -1 ? this.#shown.length : from;
    const rest = turns.slice(first);
    if (first < before.length) this.#post({ type: 'turns', from: first, turns: rest });
    else for (const turn of rest) this.#post({ type: 'turnAdded', turn });
  }

  /** Called with the turns that the panel received as part of the whole state. */
  reset(turns: readonly ChatTurn[]): void {
    this.#shown = turns.map(keyOf);
  }
}

function keyOf(turn: ChatTurn): string {
  if (turn.role === 'comparison') return [turn.id, ...turn.answers.map(({ id }) => id)].join(' ');
  return `${turn.id} ${turn.branch?.position ?? 1}/${turn.branch?.count ?? 1}`;
}
