import type { RunningCall } from '../traffic/protocol.ts';

interface TellingWindow {
  readonly calls: readonly RunningCall[];
  readonly cancel: (id: string) => void;
}

/** The editors' own running requests in all windows that share a gateway, by an object that identifies each window. */
export class WindowCalls {
  readonly #windows = new Map<object, TellingWindow>();

  get all(): readonly RunningCall[] {
    return [...this.#windows.values()].flatMap(({ calls }) => calls);
  }

  /** @param calls all running requests of the window. */
  set(window: object, calls: readonly RunningCall[], cancel: (id: string) => void): void {
    if (calls.length === 0) this.forget(window);
    else this.#windows.set(window, { calls, cancel });
  }

  forget(window: object): void {
    this.#windows.delete(window);
  }

  /** @returns whether the request exists. */
  cancel(id: string): boolean {
    const window = [...this.#windows.values()].find(({ calls }) => calls.some((call) => call.id === id));
    window?.cancel(id);
    return window !== undefined;
  }
}
