/** The measured works, and the ratios to the bare proxy that are their goals. */

export interface Work {
  readonly name: string;
  /** The model's name, which determines how the fake upstream answers. */
  readonly model: string;
  /**
   * Determines the gateway and the path: `translated` is a messages client on a chat-completions upstream, `routed`
   * requests a route with failover, and `sealed` replaces secrets in requests.
   */
  readonly kind: 'passthrough' | 'translated' | 'routed' | 'sealed';
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

const JSON_WORK = { model: 'json', bodyBytes: 500, requests: 2000, unit: 'request', unitsPerRequest: 1 } as const;
const EVENTS = { bodyBytes: 500, unit: 'event', unitsPerRequest: 200 } as const;
const BURST = { ...EVENTS, model: 'events-200', requests: 500 } as const;
const PACKED = { ...EVENTS, model: 'events-200-packed', requests: 500, concurrency: 4, goals: {} } as const;
const PACED = { ...EVENTS, model: 'events-200-1', requests: 96, concurrency: 32 } as const;
const LONG = { ...JSON_WORK, bodyBytes: 1_000_000, requests: 300, concurrency: 4 } as const;

const PASSED: readonly Omit<Work, 'kind'>[] = [
  { ...JSON_WORK, name: 'JSON answer, 1 at once', concurrency: 1, goals: { cpuMicros: 1.3, totalMs: 1.2 } },
  { ...JSON_WORK, name: 'JSON answer, 32 at once', concurrency: 32, goals: { cpuMicros: 1.6, totalMs: 1.6 } },
  { ...BURST, name: '200 events in a burst, 1 at once', concurrency: 1, goals: { cpuMicros: 0.8, firstByteMs: 0.9 } },
  { ...BURST, name: '200 events in a burst, 32 at once', concurrency: 32, goals: { cpuMicros: 0.9, firstByteMs: 1 } },
  { ...PACKED, name: '200 events in 10 chunks' },
  { ...PACED, name: '200 events one at a time', goals: { cpuMicros: 1 } },
  { ...LONG, name: 'request body of 1 MB', goals: { cpuMicros: 1.3 } },
];

const TRANSLATED: readonly Omit<Work, 'kind'>[] = [
  { ...JSON_WORK, name: 'JSON answer, 1 at once, translated', concurrency: 1, goals: { cpuMicros: 2 } },
  { ...JSON_WORK, name: 'JSON answer, 32 at once, translated', concurrency: 32, goals: { cpuMicros: 2.5 } },
  { ...BURST, name: '200 events in a burst, 1 at once, translated', concurrency: 1, goals: { cpuMicros: 1.3 } },
  { ...BURST, name: '200 events in a burst, 32 at once, translated', concurrency: 32, goals: { cpuMicros: 1.5 } },
  { ...PACKED, name: '200 events in 10 chunks, translated' },
  { ...PACED, name: '200 events one at a time, translated', goals: { cpuMicros: 1.1 } },
  { ...LONG, name: 'request body of 1 MB, translated', goals: { cpuMicros: 2.5 } },
];

const ROUTED: readonly Omit<Work, 'kind'>[] = [
  { ...PACED, name: '200 events one at a time, by a route', goals: { firstByteMs: 1.3 } },
  { ...BURST, name: '200 events in a burst, by a route', concurrency: 4, goals: { firstByteMs: 1.3 } },
  { ...JSON_WORK, name: 'JSON answer, by a route', concurrency: 1, goals: {} },
];

const SEALED: readonly Omit<Work, 'kind'>[] = [
  { ...JSON_WORK, name: 'JSON answer, sealed', concurrency: 1, goals: {} },
  { ...BURST, name: '200 events in a burst, sealed', concurrency: 4, goals: {} },
  { ...LONG, name: 'request body of 1 MB, sealed', goals: {} },
];

export const WORKS: readonly Work[] = [
  ...PASSED.map((work) => ({ ...work, kind: 'passthrough' as const })),
  ...TRANSLATED.map((work) => ({ ...work, kind: 'translated' as const })),
  ...ROUTED.map((work) => ({ ...work, kind: 'routed' as const })),
  ...SEALED.map((work) => ({ ...work, kind: 'sealed' as const })),
];
