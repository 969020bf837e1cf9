/** Faults on request, for whoever tests a client: by a word behind the model's name or by a header. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { invalid, RequestError } from './requestError.ts';

export const FAULT_HEADER = 'x-sandbox-fault';

/** Ends a fault's word when every second request is to pass: the first fails, its repetition does not. */
const ONCE = '-once';

/** Faults that are an error answer from the start. */
const refusals = {
  'rate-limit': { kind: 'rateLimit', status: 429, message: 'Too many requests. Try again in one second.' },
  overloaded: { kind: 'overloaded', message: 'The service is overloaded. Try again later.' },
  'server-error': { kind: 'server', status: 500, message: 'The service failed.' },
  unauthorized: { kind: 'authentication', status: 401, message: 'The key is not valid.' },
  'no-credit': { kind: 'credit', status: 402, message: 'The credit of this key is used up.' },
} as const satisfies Record<string, ApiError>;

/** Faults in the course of an answer. */
const courses = ['slow', 'stall', 'cut', 'truncate', 'malformed', 'error-event', 'empty'] as const;

export type Course = (typeof courses)[number];
type Refusal = keyof typeof refusals;
export type Fault = Refusal | Course;

export const faults: readonly Fault[] = [...(Object.keys(refusals) as Refusal[]), ...courses];

/** The name in a request's `model` field, and the word of the fault that may stand behind it. */
export function splitModelName(name: string): { readonly id: string; readonly word: string | undefined } {
  const plus = name.indexOf('+');
  return plus < 0 ? { id: name, word: undefined } : { id: name.slice(0, plus), word: name.slice(plus + 1) };
}

/** The fault's word in the headers, if there is one. */
export function wordInHeaders(headers: IncomingHttpHeaders): string | undefined {
  const value = headers[FAULT_HEADER];
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** Remembers which requests have failed once, so that their repetition passes. */
export class FaultPlan {
  readonly #failed = new Set<string>();

  /**
   * @param who tells requests apart for the words that end in `-once`: the same key on the same model.
   * @returns the fault to show in the course of the answer, if any.
   * @throws {RequestError} when the fault is an error answer, or when the word is none.
   */
  apply(word: string | undefined, who: string): Course | undefined {
    if (word === undefined || word === '') return undefined;
    const once = word.endsWith(ONCE);
    const fault = faultNamed(once ? word.slice(0, -ONCE.length) : word);
    if (once && this.#failed.delete(`${fault} ${who}`)) return undefined;
    if (once) this.#failed.add(`${fault} ${who}`);
    if (isCourse(fault)) return fault;
    throw refusal(fault);
  }
}

/** The error answer of a fault. */
export function refusal(fault: Refusal): RequestError {
  const error = { ...refusals[fault], message: `${refusals[fault].message} (Sandbox fault, as requested.)` };
  return new RequestError(error, fault === 'rate-limit' ? { 'retry-after': '1' } : {});
}

function faultNamed(word: string): Fault {
  const fault = faults.find((name) => name === word);
  if (fault === undefined) {
    throw invalid(`There is no sandbox fault "${word}". Faults: ${faults.join(', ')}; each also with ${ONCE}.`);
  }
  return fault;
}

function isCourse(fault: Fault): fault is Course {
  return courses.some((course) => course === fault);
}
