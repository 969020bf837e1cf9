/** What people do, and everything that is awaited, in an order that a random schedule decides. */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { Delay } from './memoryStore.ts';

/**
 * The time without anything to do after which nothing can happen any more, also on a busy machine that starts a process.
 * In milliseconds.
 */
const MAX_IDLE_MS = 30_000;

/** Rounds in which what reads a file has ended. What takes longer, such as a process, is waited for without work. */
const IDLE_ROUNDS = 20;

export interface Step {
  /** What is done, for the report of a schedule that has failed. */
  readonly what: string;
  readonly act: () => unknown;
}

interface RunOptions {
  readonly mayWait?: () => boolean;
  readonly until?: () => boolean;
}

/**
 * Moments at which a person does one thing, or several at the same time. What each moment begins goes on until it ends or
 * waits for the person, so that later moments meet what few schedules would reach otherwise, such as a denied call.
 */
export function moments<Action>(action: fc.Arbitrary<Action>): fc.Arbitrary<readonly (readonly Action[])[]> {
  return fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 7 });
}

/** An action of a person that has begun. */
interface Begun {
  readonly what: string;
  isSettled: boolean;
}

export class AnyOrder {
  readonly #scheduler: fc.Scheduler;
  readonly #begun: Begun[] = [];
  /** The errors that actions have ended with. People are told about them. */
  readonly errors: unknown[] = [];
  /** The number of steps so far: what happens later has a higher one. */
  now = 0;

  constructor(scheduler: fc.Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Takes as long as the schedule wants. */
  readonly delay: Delay = async (what) => {
    await this.#scheduler.schedule(Promise.resolve(), what);
  };

  /** Does the steps one after the other, whether or not what earlier ones have begun has ended. */
  plan(steps: readonly Step[]): void {
    this.#scheduler.scheduleSequence(
      steps.map(({ what, act }) => ({ label: what, builder: async () => this.#begin(what, act) })),
    );
  }

  /**
   * Runs until nothing is left to do.
   * @param look makes claims about every moment in between.
   * @param mayWait whether something waits for a person, who does nothing more.
   * @param until whether what nobody awaits has happened.
   * @throws if an action never ends.
   */
  async run(look: () => void = () => undefined, { mayWait, until }: RunOptions = {}): Promise<void> {
    let since = performance.now();
    for (let idle = 0; performance.now() - since < MAX_IDLE_MS; idle += 1) {
      await (idle > IDLE_ROUNDS ? wait(1) : settled());
      look();
      if (this.#scheduler.count() === 0) {
        const isOver = this.#begun.every(({ isSettled }) => isSettled) && until?.() !== false;
        if (isOver || (idle > IDLE_ROUNDS && mayWait?.() === true)) return;
        continue;
      }
      idle = 0;
      since = performance.now();
      this.now += 1;
      await this.#scheduler.waitOne();
    }
    const hanging = this.#begun.filter(({ isSettled }) => !isSettled).map(({ what }) => what);
    assert.fail(`These never end: ${hanging.join(', ')}`);
  }

  #begin(what: string, act: () => unknown): void {
    const begun: Begun = { what, isSettled: false };
    this.#begun.push(begun);
    const end = () => {
      begun.isSettled = true;
    };
    void (async () => act())().then(end, (error: unknown) => {
      this.errors.push(error);
      end();
    });
  }
}

/** Resolves when everything has been done that waits for nothing. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
