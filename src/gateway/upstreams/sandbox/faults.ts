/**
 * Simulates faults on request, for testing clients. They are requested by a suffix of the model's name, by a header, or in
 * a question.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import { COURSES, type Course, FAULTS, type Fault, type RefusalFault } from '../../../sandbox/faultNames.ts';
import { invalid, RequestError } from '../../../sandbox/requestError.ts';

export const FAULT_HEADER = 'x-sandbox-fault';

/** Suffix of a fault's name that makes only every second request fail, so that a retry succeeds. */
const ONCE = '-once';

const refusals = {
  'rate-limit': { kind: 'rateLimit', status: 429, message: 'Too many requests. Try again in one second.' },
  overloaded: { kind: 'overloaded', message: 'The service is overloaded. Try again later.' },
  'server-error': { kind: 'server', status: 500, message: 'The service failed.' },
  unauthorized: { kind: 'authentication', status: 401, message: 'The key is not valid.' },
  'no-credit': { kind: 'credit', status: 402, message: 'The credit of this key is used up.' },
} as const satisfies Record<RefusalFault, ApiError>;

/** Splits a request's `model` into the model's name and the name of the fault, if there is one. */
export function splitModelName(name: string): { readonly id: string; readonly word: string | undefined } {
  const plus = name.indexOf('+');
  return plus < 0 ? { id: name, word: undefined } : { id: name.slice(0, plus), word: name.slice(plus + 1) };
}

/** Returns the fault's name in the headers, if there is one. */
export function wordInHeaders(headers: IncomingHttpHeaders): string | undefined {
  const value = headers[FAULT_HEADER];
  return (Array.isArray(value) ? value[0] : value)?.trim();
}

/** Remembers which requests have failed once, so that their retry succeeds. */
export class FaultPlan {
  readonly #failed = new Set<string>();

  /**
   * @param who identifies a request and its retry, for names that end with `-once`: the key and the model.
   * @returns the fault during the answer, if there is one.
   * @throws {RequestError} if the fault is an error response or the name is unknown.
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

export function refusal(fault: RefusalFault): RequestError {
  const error = { ...refusals[fault], message: `${refusals[fault].message} (Sandbox fault, as requested.)` };
  return new RequestError(error, fault === 'rate-limit' ? { 'retry-after': '1' } : {});
}

function faultNamed(word: string): Fault {
  const fault = FAULTS.find((name) => name === word);
  if (fault === undefined) {
    throw invalid(`There is no sandbox fault "${word}". Faults: ${FAULTS.join(', ')}; each also with ${ONCE}.`);
  }
  return fault;
}

function isCourse(fault: Fault): fault is Course {
  return COURSES.some((course) => course === fault);
}
