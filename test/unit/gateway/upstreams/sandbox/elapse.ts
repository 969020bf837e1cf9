import { mock } from 'node:test';

/** Advances mocked time in steps of one millisecond, so that timers set by timers run when they are due. */
export function elapse(ms: number): void {
  for (let i = 0; i < ms; i += 1) mock.timers.tick(1);
}
