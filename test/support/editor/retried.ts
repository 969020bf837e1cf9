import { errors } from 'playwright-core';

const TRIES = 5;

/**
 * Tries again what can be disturbed through no fault of the extension: while the window loads, the editor moves the
 * focus, which closes its quick input. Only a wait that has run out is tried again.
 */
export async function retried(action: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await action();
      return;
    } catch (error) {
      if (attempt === TRIES || !(error instanceof errors.TimeoutError)) throw error;
    }
  }
}
