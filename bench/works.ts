/** The measured works, and the ratios to the bare proxy that are their goals. */

export interface Work {
  readonly name: string;
  /** The model's name, which determines how the fake upstream answers. */
  readonly model: string;
  /**
   * Determines the gateway and the path: `translated` is a messages client on a chat-completions upstream, `routed`
   * requests a route with failover.
   */
  readonly kind: 'passthrough' | 'translated' | 'routed';
  readonly bodyBytes: number;
  readonly requests: number;
  readonly concurrency: number;
  /** What the CPU time is divided by: requests, or events of a stream. */
  readonly unit: 'request' | 'event';
  readonly unitsPerRequest: number;
  readonly goals: Goals;
}

/** Maximum ratios to the bare proxy. */
export interface Goals {
  readonly cpuMicros?: number;
  readonly firstByteMs?: number;
  readonly totalMs?: number;
}

const JSON_WORK = { model: 'json', kind: 'passthrough', bodyBytes: 500, unit: 'request', unitsPerRequest: 1 } as const;
const BURST = { model: 'events-200', bodyBytes: 500, requests: 500, concurrency: 4, unit: 'event' } as const;
const PACED = { model: 'events-200-1', bodyBytes: 500, requests: 96, concurrency: 32, unit: 'event' } as const;

export const WORKS: readonly Work[] = [
  {
    ...JSON_WORK,
    name: 'JSON answer, 1 at once',
    requests: 1500,
    concurrency: 1,
    goals: { cpuMicros: 1.3, totalMs: 1.2 },
  },
  {
    ...JSON_WORK,
    name: 'JSON answer, 32 at once',
    requests: 3000,
    concurrency: 32,
    goals: { cpuMicros: 1.3, totalMs: 1.2 },
  },
  {
    ...BURST,
    name: '200 events in a burst',
    kind: 'passthrough',
    unitsPerRequest: 200,
    goals: { cpuMicros: 1, firstByteMs: 1 },
  },
  {
    ...PACED,
    name: '200 events one at a time',
    kind: 'passthrough',
    unitsPerRequest: 200,
    goals: {},
  },
  {
    ...BURST,
    name: '200 events in a burst, translated',
    kind: 'translated',
    unitsPerRequest: 200,
    goals: { cpuMicros: 1.8 },
  },
  {
    ...PACED,
    name: '200 events one at a time, translated',
    kind: 'translated',
    unitsPerRequest: 200,
    goals: { cpuMicros: 1.3 },
  },
  {
    ...JSON_WORK,
    name: 'request body of 1 MB',
    bodyBytes: 1_000_000,
    requests: 300,
    concurrency: 4,
    goals: { cpuMicros: 1.3 },
  },
  {
    ...JSON_WORK,
    kind: 'translated',
    name: 'JSON answer, translated',
    requests: 1500,
    concurrency: 1,
    goals: { cpuMicros: 2 },
  },
  {
    ...JSON_WORK,
    kind: 'translated',
    name: 'request body of 1 MB, translated',
    bodyBytes: 1_000_000,
    requests: 300,
    concurrency: 4,
    goals: { cpuMicros: 2.5 },
  },
  {
    ...PACED,
    kind: 'routed',
    name: '200 events one at a time, by a route',
    unitsPerRequest: 200,
    goals: { firstByteMs: 1.3 },
  },
  {
    ...BURST,
    kind: 'routed',
    name: '200 events in a burst, by a route',
    unitsPerRequest: 200,
    goals: { firstByteMs: 1.3 },
  },
  {
    ...JSON_WORK,
    kind: 'routed',
    name: 'JSON answer, by a route',
    requests: 1500,
    concurrency: 1,
    goals: {},
  },
];
