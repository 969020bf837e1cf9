/** Names of the faults that the sandbox simulates on request. `docs/sandbox.md` describes them. */

/** Faults that are error responses. */
export const REFUSAL_FAULTS = ['rate-limit', 'overloaded', 'server-error', 'unauthorized', 'no-credit'] as const;

/** Faults during an answer. */
export const COURSES = ['slow', 'stall', 'cut', 'truncate', 'malformed', 'error-event', 'empty'] as const;

export type RefusalFault = (typeof REFUSAL_FAULTS)[number];
export type Course = (typeof COURSES)[number];
export type Fault = RefusalFault | Course;

export const FAULTS: readonly Fault[] = [...REFUSAL_FAULTS, ...COURSES];
