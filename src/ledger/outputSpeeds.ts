import { BoundedMap } from '../rules/boundedMap.ts';

/** The model that reads or writes, because models count tokens differently. */
export interface CountedModel {
  /** The ID of the upstream. */
  readonly upstream: string;
  /** The upstream's name for the model. */
  readonly model: string;
}

/** The speed of a model that has not reported any answer yet, in tokens per second. Few services are faster. */
const UNKNOWN_SPEED = 1_000;
/**
 * What arrives faster was not written by a model but replayed, for example by the cache of a proxy. The fastest hosted
 * models are known to write less than 3,000 tokens per second.
 */
const MAX_SPEED = 5_000;
/** A shorter answer says little about the speed, because most of its time is not spent writing. In tokens. */
const MIN_TOKENS = 50;
/** How many of the latest answers count, for each model. */
export const MAX_RECALLED = 50;
/** Limits the memory, because callers choose the names of models. */
const MAX_MODELS = 1_000;

/**
 * Factor by which a model may be faster than in the answers seen. The speed of an answer includes the time to its first
 * token, which differs by some tenths of the whole. The maximum of a few answers is less telling than that of many.
 */
const MARGIN = 1.2;
const MARGIN_OF_ONE = 0.8;

/** Returns the speeds of the latest answers of a model from an earlier run, in tokens per second. */
export type RecalledSpeeds = (model: CountedModel) => readonly number[];

/**
 * How fast models write at most, in tokens per second from the request to the last byte, hidden reasoning included.
 * Learned from the answers whose usage was reported.
 */
export class OutputSpeeds {
  readonly #recall: RecalledSpeeds;
  readonly #answers = new BoundedMap<string, number[]>(MAX_MODELS);

  constructor(recall: RecalledSpeeds = () => []) {
    this.#recall = recall;
  }

  /**
   * Called with each answer whose usage was reported.
   * @param ms from the request to the last byte.
   */
  learn(model: CountedModel, outputTokens: number, ms: number): void {
    const speed = speedOf(outputTokens, ms);
    if (speed === undefined) return;
    const answers = this.#answersOf(model);
    answers.push(speed);
    if (answers.length > MAX_RECALLED) answers.shift();
  }

  /** Returns the highest speed to expect. */
  of(model: CountedModel): number {
    const answers = this.#answersOf(model);
    if (answers.length === 0) return UNKNOWN_SPEED;
    return Math.max(...answers) * (MARGIN + MARGIN_OF_ONE / answers.length);
  }

  #answersOf(model: CountedModel): number[] {
    const key = `${model.upstream} ${model.model}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answers = this.#recall(model).slice(-MAX_RECALLED);
    this.#answers.set(key, [...answers]);
    return this.#answersOf(model);
  }
}

/**
 * @param ms from the request to the last byte.
 * @returns tokens per second, or `undefined` if the answer says nothing about the speed of its model.
 */
export function speedOf(outputTokens: number, ms: number): number | undefined {
  if (outputTokens < MIN_TOKENS || ms <= 0) return undefined;
  const speed = (outputTokens * 1000) / ms;
  return speed > MAX_SPEED ? undefined : speed;
}
