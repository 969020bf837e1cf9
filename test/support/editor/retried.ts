import { errors } from 'playwright-core';

const TRIES = 5;

/**
 * Retries actions that the editor can disturb: while the window loads, the editor moves the focus, which closes its
 * quick input. Only timeouts are retried.
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
