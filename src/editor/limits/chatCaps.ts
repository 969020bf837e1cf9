/** How a chat stands to its cap, before a request. `nearlySpent` is said once for each cap. */
export type CapStanding = 'below' | 'nearlySpent' | 'passes';

interface Look {
  readonly id: string;
  /** US dollars: what was spent, what the next request costs, and the cap where nobody has raised it. */
  readonly spent: number;
  readonly cost: number;
  readonly cap: number;
}

const WARNED_PART = 0.8;

/** The caps of chats that a person has raised, and for which a warning was given. */
export class ChatCaps {
  readonly #raised = new Map<string, number>();
  /** The caps that were warned of, by the ids of the chats. */
  readonly #warned = new Map<string, number>();

  /** @returns the cap that applies to the chat, in US dollars. */
  look({ id, spent, cost, cap: first }: Look): { readonly cap: number; readonly standing: CapStanding } {
    const cap = Math.max(first, this.#raised.get(id) ?? 0);
    if (spent >= cap || spent + cost > cap) return { cap, standing: 'passes' };
    if (spent < cap * WARNED_PART || this.#warned.get(id) === cap) return { cap, standing: 'below' };
    this.#warned.set(id, cap);
    return { cap, standing: 'nearlySpent' };
  }

  raise(id: string, cap: number): void {
    this.#raised.set(id, cap);
  }
}
