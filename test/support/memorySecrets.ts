/** The editor's secret storage and state in memory, which several windows can share. */
import { EventEmitter } from './editorApi/vscode.ts';
import type { Delay } from './memoryStore.ts';

/** @param delay what every access waits for. */
export function memorySecrets(delay: Delay = async () => undefined) {
  const values = new Map<string, string>();
  const changed = new EventEmitter<{ readonly key: string }>();
  return {
    values,
    onDidChange: changed.event,
    get: async (key: string) => {
      await delay('read the secret');
      return values.get(key);
    },
    store: async (key: string, value: string) => {
      await delay('store the secret');
      values.set(key, value);
      changed.fire({ key });
    },
    delete: async (key: string) => {
      await delay('delete the secret');
      values.delete(key);
      changed.fire({ key });
    },
  };
}

/** As in the editor, a value can be read as soon as its update has begun. */
export function memoryState(delay: Delay = async () => undefined) {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, initial?: T) => (values.get(key) ?? initial) as T,
    update: async (key: string, value: unknown) => {
      values.set(key, value);
      await delay('store the state');
    },
  };
}
