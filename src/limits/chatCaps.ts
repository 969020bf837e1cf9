/** A chat's position relative to its cap before a request. `nearlySpent` is returned once for each cap. */
export type CapStatus = 'below' | 'nearlySpent' | 'passes';

interface CapCheck {
  readonly id: string;
  /** In US dollars: the amount spent, the cost of the next request, and the cap unless the user has raised it. */
  readonly spent: number;
  readonly cost: number;
  readonly cap: number;
}

const WARNING_SHARE = 0.8;

/** The caps that the user has raised, and those that a warning was shown for. */
export class ChatCaps {
  readonly #raised = new Map<string, number>();
  /** The cap that a warning was shown for, by chat ID. */
  readonly #warned = new Map<string, number>();

  check({ id, spent, cost, cap: first }: CapCheck): { readonly cap: number; readonly status: CapStatus } {
    const cap = Math.max(first, this.#raised.get(id) ?? 0);
    if (spent >= cap || spent + cost > cap) return { cap, status: 'passes' };
    if (spent < cap * WARNING_SHARE || this.#warned.get(id) === cap) return { cap, status: 'below' };
    this.#warned.set(id, cap);
    return { cap, status: 'nearlySpent' };
  }

  raise(id: string, cap: number): void {
    this.#raised.set(id, cap);
  }
}
