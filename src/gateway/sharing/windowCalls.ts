import type { RunningCall } from '../traffic/protocol.ts';

interface TellingWindow {
  readonly calls: readonly RunningCall[];
  readonly cancel: (id: string) => void;
}

/** The editor's own calls that go on in the windows that share a gateway, by what stands for each window. */
export class WindowCalls {
  readonly #windows = new Map<object, TellingWindow>();

  get all(): readonly RunningCall[] {
    return [...this.#windows.values()].flatMap(({ calls }) => calls);
  }

  /** @param calls All of the window's. */
  set(window: object, calls: readonly RunningCall[], cancel: (id: string) => void): void {
    if (calls.length === 0) this.forget(window);
    else this.#windows.set(window, { calls, cancel });
  }

  forget(window: object): void {
    this.#windows.delete(window);
  }

  /** @returns whether there is such a call. */
  cancel(id: string): boolean {
    const window = [...this.#windows.values()].find(({ calls }) => calls.some((call) => call.id === id));
    window?.cancel(id);
    return window !== undefined;
  }
}
