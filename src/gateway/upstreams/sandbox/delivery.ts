import type { OutgoingHttpHeaders } from 'node:http';
import { errorText } from '../../../display/errors.ts';
import type { ApiError } from '../../../formats/apiError.ts';
import type { AnswerSink, UpstreamCall } from '../../core/upstream.ts';
import { isTurnOver, nextTurn, workInTurn } from '../../http/turns.ts';

export type Step =
  | { readonly type: 'start'; readonly status: number; readonly headers: OutgoingHttpHeaders }
  | { readonly type: 'data'; readonly chunk: string }
  | { readonly type: 'wait'; readonly ms: number }
  /** Nothing more happens until the client disconnects. */
  | { readonly type: 'silence' }
  | { readonly type: 'fail'; readonly error: ApiError };

/** There are no more steps: the answer is complete. */
const END = { type: 'end' } as const;

/**
 * Plays the steps of an answer to its sink. The first step runs asynchronously, after the constructor has returned.
 * `finally` blocks in the generator also run if the client disconnects early.
 */
export class Delivery implements UpstreamCall {
  readonly #steps: Generator<Step, void>;
  readonly #sink: AnswerSink;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  /** Whether the next step waits for another turn of the event loop. */
  #isWaiting = false;
  #paused = false;
  #silent = false;
  #over = false;

  constructor(steps: Generator<Step, void>, sink: AnswerSink) {
    this.#steps = steps;
    this.#sink = sink;
    this.#continueAfter(0);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (this.#timer === undefined && !this.#running) this.#run();
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#steps.return();
  }

  #continueAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, ms);
  }

  #run(): void {
    this.#running = true;
    while (!this.#over && !this.#paused && !this.#silent && this.#timer === undefined && !this.#isWaiting) {
      if (isTurnOver()) void this.#continueInNextTurn();
      else workInTurn(this.#playNext, undefined);
    }
    this.#running = false;
  }

  /** Hundreds of answers without pauses would otherwise keep everyone else waiting. */
  async #continueInNextTurn(): Promise<void> {
    this.#isWaiting = true;
    await nextTurn();
    this.#isWaiting = false;
    this.#run();
  }

  readonly #playNext = (): void => this.#play(this.#next());

  #next(): Step | typeof END {
    try {
      const { done, value } = this.#steps.next();
      return done ? END : value;
    } catch (error) {
      const reason = errorText(error);
      return { type: 'fail', error: { kind: 'server', status: 500, message: `The sandbox failed: ${reason}` } };
    }
  }

  #play(step: Step | typeof END): void {
    switch (step.type) {
      case 'start':
        this.#sink.start(step.status, step.headers);
        return;
      case 'data':
        if (!this.#sink.data(Buffer.from(step.chunk))) this.#paused = true;
        return;
      case 'wait':
        this.#continueAfter(step.ms);
        return;
      case 'silence':
        this.#silent = true;
        return;
      case 'end':
        this.cancel();
        this.#sink.end();
        return;
      case 'fail':
        this.cancel();
        this.#sink.fail(step.error);
        return;
    }
  }
}
