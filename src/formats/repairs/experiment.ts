import type { JsonRecord } from '../json.ts';
/**
 * What to change in a request that a server has refused, in whatever words: first what the words name, then the forms
 * of the request, then what its answer does not depend on, then everything.
 */
import { speaksOfOtherReason } from '../refusalReason.ts';
import { isOfCallersValue, refusedMembers } from './refusal.ts';
import { repairAll } from './repair.ts';
import type { KnownModel, Weight } from './simplification.ts';
import { SIMPLIFICATIONS } from './simplifications.ts';

/** How often a request is sent again at most. */
export const MAX_EXPERIMENTS = 3;

/** Servers that answer a refused form with a status for their own faults name the cause in these words. */
const OF_TEMPLATES =
  /jinja|chat.?template|raise_exception|system message must|roles? must alternate|unsupported param|invalid_request|bad ?request|failed to parse|(?:unable to|failed to|error) .{0,30}(?:grammar|schema|template)|not supported/i;

/** More is not a reason. In characters. */
const MAX_WORDS = 16_000;

export interface RefusedRequest {
  readonly status: number;
  /** The body of the answer. */
  readonly answer: string;
  readonly known?: KnownModel;
}

export interface Attempts {
  /** What words have asked for, in order. */
  readonly named: readonly string[];
  /** What was changed without being asked for. */
  readonly guessed: readonly string[];
  /** How often the request has been sent again. */
  readonly rounds: number;
}

export const NO_ATTEMPTS: Attempts = { named: [], guessed: [], rounds: 0 };

/** Whether another form of the request may be accepted. */
function isAboutForm({ status, answer, known }: RefusedRequest, body: JsonRecord): boolean {
  const words = answer.slice(0, MAX_WORDS);
  if (status === 500) return OF_TEMPLATES.test(words);
  if (status !== 400 && status !== 422) return false;
  // A limit of the output can speak of the window, too.
  if (refusedMembers(answer, body, known).length > 0) return true;
  return !speaksOfOtherReason(words) && !isOfCallersValue(answer, body);
}

/** The changes that are tried without being asked for, in the order of the rounds. */
const GUESSES: readonly (readonly Weight[])[] = [['form'], ['extra'], ['form', 'extra', 'rest']];

/**
 * Returns what to try next.
 * @param sent the request as it was refused.
 * @param original the request without any attempt.
 * @param mayGuess whether changes may be tried that no word asks for.
 * @returns undefined if nothing is left to try.
 */
function nextAttempt(
  refusal: RefusedRequest,
  { sent, original }: { readonly sent: JsonRecord; readonly original: JsonRecord },
  before: Attempts,
  mayGuess: boolean,
): Attempts | undefined {
  const { named, guessed, rounds } = before;
  if (rounds >= MAX_EXPERIMENTS || !isAboutForm(refusal, sent)) return undefined;
  const asked = refusedMembers(refusal.answer, sent, refusal.known).filter((change) => !named.includes(change));
  if (asked.length > 0) return { named: [...named, ...asked], guessed, rounds: rounds + 1 };
  // A status for the server's own faults is a refusal only if it names what is refused.
  if (!mayGuess || refusal.status === 500) return undefined;
  const { body: base } = repairAll(original, named);
  for (let round = rounds; round < MAX_EXPERIMENTS; round += 1) {
    const changes = guessesIn(base, GUESSES[round] ?? [], refusal.known);
    if (changes.length > 0 && changes.join() !== guessed.join()) return { named, guessed: changes, rounds: rounds + 1 };
  }
  return undefined;
}

/** Returns the changes of these weights that the body has something for, one for each part of it. */
function guessesIn(body: JsonRecord, weights: readonly Weight[], known: KnownModel = {}): readonly string[] {
  const changes: string[] = [];
  let current = body;
  for (const { name, weight, isOnlyAsked, guess, argumentIn, apply } of SIMPLIFICATIONS) {
    if (!weights.includes(weight) || isOnlyAsked) continue;
    const argument = guess?.(current, known);
    if (argument === undefined && argumentIn !== undefined) continue;
    const changed = apply(current, argument ?? '');
    if (changed === undefined) continue;
    current = changed;
    changes.push(argument === undefined ? name : `${name}=${argument}`);
  }
  return changes;
}

/** Names all that could be changed in a request: requests with the same shape are refused for the same reasons. */
function shapeOf(body: JsonRecord): string {
  return guessesIn(body, ['form', 'extra', 'rest']).join();
}

/** Returns what to remember of attempts of which the last was accepted: sets of changes that belong together. */
export function learnedFrom({ named, guessed }: Attempts): readonly (readonly string[])[] {
  return guessed.length === 0 ? named.map((change) => [change]) : [[...named, ...guessed]];
}

/** The attempts for one request, without those that have not helped requests of its shape lately. */
export class ExperimentRun {
  attempts: Attempts = NO_ATTEMPTS;
  /** The shapes of what was tried, to be remembered if nothing helps. */
  readonly tried = new Set<string>();
  readonly #original: JsonRecord;
  readonly #shape: string;
  readonly #isUnhelped: (shape: string) => boolean;

  /**
   * @param original the request as it was refused first.
   * @param owner whose requests are told apart.
   * @param isUnhelped whether nothing has helped requests of a shape lately.
   */
  constructor(original: JsonRecord, owner: string, isUnhelped: (shape: string) => boolean) {
    this.#original = original;
    this.#shape = `${owner} ${shapeOf(original)}`;
    this.#isUnhelped = isUnhelped;
  }

  /** Whether what the upstream lists of the model would decide what to try next. */
  needsModel({ answer }: RefusedRequest, sent: JsonRecord): boolean {
    return refusedMembers(answer, sent, { maxOutputTokens: 1 }).join() !== refusedMembers(answer, sent).join();
  }

  /**
   * Returns what to try next, which is then the current attempt.
   * @param sent the request as it was refused.
   * @returns undefined if nothing is left to try.
   */
  next(refusal: RefusedRequest, sent: JsonRecord): Attempts | undefined {
    const bodies = { sent, original: this.#original };
    const next = nextAttempt(refusal, bodies, this.attempts, !this.#isUnhelped(this.#shape));
    if (next === undefined) return undefined;
    const isAsked = next.named.length > this.attempts.named.length;
    const tried = isAsked ? `${this.#shape} ${next.named.join()}` : this.#shape;
    if (isAsked && this.#isUnhelped(tried)) return undefined;
    this.tried.add(tried);
    this.attempts = next;
    return next;
  }
}
