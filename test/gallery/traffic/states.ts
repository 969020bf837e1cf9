/** The states of the traffic view in the gallery. */
import type { TrafficChoice, TrafficRow, ViewContext } from '../../../src/pages/traffic/protocol.ts';
import type { BilledContext } from '../../../src/rules/contextPart.ts';
import { MANY, ROWS, RUNNING } from './samples.ts';
import { MANY_TREE_ROWS, TREE_ROWS } from './treeSamples.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly TrafficRow[];
  readonly live?: readonly TrafficRow[];
  readonly choice?: TrafficChoice;
  readonly viewContext?: Partial<ViewContext>;
  readonly problem?: string;
  /** IDs of tree nodes that are expanded, one after the other. */
  readonly opensNodes?: readonly string[];
  /** ID of the exchange that is opened, and the tab. */
  readonly opens?: string;
  readonly tab?: 'request' | 'response' | 'events';
  /** True if the reason of a missed cache is explained. */
  readonly isExplained?: boolean;
  /** True if only the row is left, without details. */
  readonly isForgotten?: boolean;
  /** What the open request consists of. */
  readonly context?: BilledContext;
}

/** Costs are in billionths of a US dollar. */
const CONTEXT: BilledContext = {
  scale: 1.04,
  parts: [
    { kind: 'tools', name: 'Read', tokens: 2_300, cost: 690_000 },
    { kind: 'tools', name: 'mcp__github__create_issue', server: 'github', tokens: 9_100, cost: 2_730_000 },
    { kind: 'system', tokens: 3_100, cost: 930_000 },
    { kind: 'instructions', name: 'CLAUDE.md', tokens: 1_400, cost: 420_000 },
    { kind: 'messages', tokens: 400, cost: 1_500_000 },
    { kind: 'results', name: 'Bash', tokens: 1_200, cost: 4_500_000 },
  ],
};

const OPENED = 'req_sample2';
const BIG = 'session:4f1c09ae77d2b603';

export const STATES: readonly GalleryState[] = [
  { name: 'list', title: 'Several tools', rows: ROWS, live: [RUNNING] },
  { name: 'detail', title: 'One exchange', rows: ROWS, live: [RUNNING], opens: OPENED },
  { name: 'context', title: 'What a request consists of', rows: ROWS, opens: OPENED, context: CONTEXT },
  { name: 'bill', title: 'Cache writes and prices that are assumed', rows: ROWS, opens: 'req_sample5' },
  { name: 'bill-estimated', title: 'An answer that nobody has counted', rows: ROWS, opens: 'req_sample11' },
  { name: 'attempts', title: 'Upstreams that failed before one answered', rows: ROWS, opens: 'req_sample6' },
  { name: 'bill-unpriced', title: 'A model without a price', rows: ROWS, opens: 'req_sample12' },
  { name: 'miss', title: 'A cache that missed', rows: ROWS, opens: 'req_sample8' },
  { name: 'why', title: 'Why a cache missed', rows: ROWS, opens: 'req_sample8', isExplained: true },
  { name: 'secrets', title: 'Secrets in a request', rows: ROWS, opens: 'req_sample10' },
  {
    name: 'sealed',
    title: 'Secrets that were sealed',
    rows: ROWS.map((row) => (row.secrets === undefined ? row : { ...row, sealed: 2 })),
    opens: 'req_sample10',
  },
  { name: 'request', title: 'Both sides of a request', rows: ROWS, opens: OPENED, tab: 'request' },
  { name: 'response', title: 'Both sides of an answer', rows: ROWS, opens: OPENED, tab: 'response' },
  { name: 'events', title: 'Events with gaps', rows: ROWS, opens: OPENED, tab: 'events' },
  { name: 'running', title: 'One that runs', rows: ROWS, live: [RUNNING], opens: RUNNING.id },
  {
    name: 'forgotten',
    title: 'An old exchange',
    rows: ROWS,
    opens: 'req_sample4',
    tab: 'request',
    isForgotten: true,
    viewContext: { capturesBodies: false },
  },
  {
    name: 'sandbox',
    title: 'Some requests in the sandbox',
    rows: ROWS.map((row, nth) => (nth < 5 ? { ...row, upstream: 'sandbox' } : row)),
    opens: OPENED,
  },
  { name: 'empty', title: 'Nothing yet', rows: [], viewContext: { gateway: 'off', capturesBodies: false } },
  { name: 'filtered', title: 'Nothing matches', rows: [], choice: { text: 'tool:chat', model: 'familya-opus-4.6' } },
  {
    name: 'chosen',
    title: 'Chosen in the usage view',
    rows: ROWS,
    choice: { localKeyId: 'agent', from: ROWS[9]?.at ?? 0 },
  },
  {
    name: 'problem',
    title: 'The ledger could not be read',
    rows: [],
    problem: 'The ledger is damaged: file is not a database. Move the file away to start a new one.',
  },
  {
    name: 'tree',
    title: 'By session',
    rows: TREE_ROWS,
    live: [{ ...RUNNING, sessionId: '4f1c09ae77d2b603', turnId: '0' }],
    choice: { view: 'sessions' },
    opensNodes: [BIG, `agent:${BIG}:`, `turn:agent:${BIG}::4`],
  },
  { name: 'tree-closed', title: 'Sessions', rows: TREE_ROWS, choice: { view: 'sessions' } },
  {
    name: 'tree-detail',
    title: 'A request of a session',
    rows: TREE_ROWS,
    choice: { view: 'sessions' },
    opensNodes: ['session:11aa22bb33cc44dd'],
    opens: 'req_main_11aa_0',
  },
  {
    name: 'tree-alone',
    title: 'No sessions',
    rows: ROWS.filter(({ sessionId }) => sessionId === undefined),
    choice: { view: 'sessions' },
  },
  {
    name: 'tree-many',
    title: 'A session of a thousand requests',
    rows: MANY_TREE_ROWS,
    choice: { view: 'sessions' },
    opensNodes: ['session:aaaa0000bbbb1111'],
  },
  { name: 'many', title: 'Five thousand', rows: MANY, live: [RUNNING] },
];
