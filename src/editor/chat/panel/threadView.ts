import type { ChatHostMessage, Turn } from '../protocol.ts';

/**
 * What the panel has of the thread. It hears of turns that were added, and of the rest of the thread from the first
 * turn on that is another one; what is said in a turn has messages of its own.
 */
export class ThreadView {
  readonly #post: (message: ChatHostMessage) => void;
  #shown: readonly string[] = [];

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  /** Tells the panel what has changed in the order of the turns. */
  update(turns: readonly Turn[]): void {
    const before = this.#shown;
    this.reset(turns);
    const from = this.#shown.findIndex((key, index) => key !== before[index]);
    if (from === -1 && this.#shown.length === before.length) return;
    const first = from === -1 ? this.#shown.length : from;
    const rest = turns.slice(first);
    if (first < before.length) this.#post({ type: 'turns', from: first, turns: rest });
    else for (const turn of rest) this.#post({ type: 'turnAdded', turn });
  }

  /** The panel has these, as it got the whole state. */
  reset(turns: readonly Turn[]): void {
    this.#shown = turns.map(keyOf);
  }
}

function keyOf(turn: Turn): string {
  if (turn.role === 'comparison') return [turn.id, ...turn.answers.map(({ id }) => id)].join(' ');
  return `${turn.id} ${turn.branch?.position ?? 1}/${turn.branch?.count ?? 1}`;
}
