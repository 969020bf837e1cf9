/** The states of the usage view in the gallery. */
import type { UsageState, UsageTab } from '../../../src/pages/usage/protocol.ts';
import { CONTEXTS_OF_MONTH } from './contextSamples.ts';
import { CENTS, EMPTY_REPORT, HOURS, MONTH, state, teamOf, UNCACHED_REPORT, UNPRICED } from './samples.ts';
import { LOSSES_OF_MONTH, SESSIONS_OF_MONTH, UNCACHED_SESSIONS } from './sessionSamples.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: UsageState;
  /** The first tab unless another one is given. */
  readonly tab?: UsageTab;
}

export const STATES: readonly GalleryState[] = [
  { name: 'month', title: 'Thirty days', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }) },
  { name: 'models', title: 'Models', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }), tab: 'models' },
  { name: 'keys', title: 'Tools and keys', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }), tab: 'keys' },
  { name: 'sessions', title: 'Sessions', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }), tab: 'sessions' },
  { name: 'cache', title: 'Cache', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }), tab: 'cache' },
  {
    name: 'contexts',
    title: 'What fills contexts',
    state: state(MONTH, { sessions: SESSIONS_OF_MONTH, contexts: CONTEXTS_OF_MONTH }),
    tab: 'contexts',
  },
  { name: 'branches', title: 'Branches', state: state(MONTH, { sessions: SESSIONS_OF_MONTH }), tab: 'branches' },
  {
    name: 'losses',
    title: 'A cache that costs extra',
    state: state(MONTH, { sessions: LOSSES_OF_MONTH }),
    tab: 'cache',
  },
  {
    name: 'uncached',
    title: 'No cache',
    state: state(UNCACHED_REPORT, { sessions: UNCACHED_SESSIONS }),
    tab: 'cache',
  },
  {
    name: 'sessions-failed',
    title: 'The sessions could not be read',
    state: state(MONTH, { sessionsProblem: 'The ledger is in use by another program.' }),
    tab: 'cache',
  },
  { name: 'hours', title: 'Today', state: state(HOURS, { choice: { kind: 'today' } }) },
  { name: 'sandbox', title: 'In the sandbox', state: state(MONTH, { connection: 'sandbox', hasDashboard: false }) },
  {
    name: 'team',
    title: 'Key of a team',
    state: state(EMPTY_REPORT, { team: teamOf(40, 435.2), hasDashboard: false }),
  },
  {
    name: 'team-failed',
    title: 'The gateway of a team does not answer',
    state: state(MONTH, {
      team: { ...teamOf(40, 120.5), problem: 'The gateway cannot reach its database. Retry in a few seconds.' },
    }),
  },
  { name: 'cents', title: 'Less than a cent', state: state(CENTS) },
  { name: 'unpriced', title: 'Models without a price', state: state(UNPRICED) },
  { name: 'empty', title: 'Nothing spent', state: state(EMPTY_REPORT) },
  { name: 'loading', title: 'Being read', state: state(undefined, { isReading: true }) },
  {
    name: 'failed',
    title: 'The ledger could not be read',
    state: state(undefined, {
      problem: 'The ledger is damaged: file is not a database. Move the file away to start a new one.',
    }),
  },
  {
    name: 'dates',
    title: 'Dates chosen',
    state: state(MONTH, { choice: { kind: 'dates', period: { first: '2026-10-22', last: '2026-11-20' } } }),
  },
];
