import { mock } from 'node:test';

/** Lets mocked time pass one millisecond at a time, so that timers set by timers come when they are due. */
export function elapse(ms: number): void {
  for (let i = 0; i < ms; i += 1) mock.timers.tick(1);
}
