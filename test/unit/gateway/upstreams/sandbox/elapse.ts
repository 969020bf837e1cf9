import { mock } from 'node:test';
import { nextTurn } from '../../../../../src/gateway/http/turns.ts';

/**
 * Advances mocked time in steps of one millisecond, so that timers set by timers run when they are due. Each step is a
 * turn of the event loop, because on a busy machine, an answer may continue in the next one.
 */
export async function elapse(ms: number): Promise<void> {
  for (let i = 0; i < ms; i += 1) {
    mock.timers.tick(1);
    await nextTurn();
  }
}
