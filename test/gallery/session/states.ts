/** The states of a session's page in the gallery. */
import type {
  SessionCap,
  SessionFigures,
  SessionHostMessage,
  SessionState,
  SessionTurn,
} from '../../../src/pages/session/protocol.ts';
import { sampleContext } from './contextSamples.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly message: SessionHostMessage;
  /** Posted after it. */
  readonly more?: readonly SessionHostMessage[];
}

/** 21 November 2026, 14:02 in the local time zone. */
const START = new Date(2026, 10, 21, 14, 2).getTime();
const MINUTE_MS = 60_000;

const CAP: SessionCap = { cap: 4.5, step: 5, spent: 3.69, isKnown: true, isWaiting: false, isEnded: false };

function turn(number: number): SessionTurn {
  const isMiss = number === 8 || number === 14;
  const context = 33_000 + 2_800 * number;
  const read = isMiss ? 2 * context + 12_000 : 3 * context - 2_200;
  const written = isMiss ? context - 12_600 : 1_800;
  const subagentCost = number % 6 === 3 ? 0.13 : 0;
  return {
    number,
    from: START + number * 2 * MINUTE_MS,
    to: START + number * 2 * MINUTE_MS + MINUTE_MS,
    requests: 3,
    context,
    uncached: 400,
    read,
    written,
    longWritten: 0,
    output: 2_100,
    toolMs: 140 * number,
    cost: Math.round(read * 0.5 + written * 6.25 + 2_100 * 25 + subagentCost * 1e6) / 1e6,
    subagentCost,
    saved: (read * 4.5 - written * 1.25) / 1e6,
    avoidable: isMiss ? 0.21 : 0,
    misses: isMiss ? ['tools_changed'] : [],
  };
}

function stateOf(turns: number, more: Partial<SessionState> = {}): SessionState {
  const all = Array.from({ length: turns }, (_, nth) => turn(nth + 1));
  const sum = (name: keyof SessionFigures) => all.reduce((total, each) => total + each[name], 0);
  return {
    sessionId: '4f1c09ae77d2b603',
    name: 'Terminal agent · 21 Nov 14:02',
    isRunning: false,
    end: 'completed',
    models: ['familya-opus-4.6', 'familya-haiku-4.5'],
    keyName: 'Terminal agent',
    cap: CAP,
    subagents: 1,
    agentTypes: ['Explore'],
    sealed: 0,
    totals: {
      requests: sum('requests'),
      uncached: sum('uncached'),
      read: sum('read'),
      written: sum('written'),
      longWritten: 0,
      output: sum('output'),
      toolMs: sum('toolMs'),
      cost: sum('cost'),
      subagentCost: sum('subagentCost'),
      saved: sum('saved'),
      avoidable: sum('avoidable'),
    },
    turns: all,
    misses: [
      { reason: 'tools_changed', turns: [14], changed: ['mcp__jira'], count: 1, tokens: 41_208, cost: 0.31 },
      { reason: 'system_volatile', turns: [8], changed: [], count: 1, tokens: 19_097, cost: 0.11 },
    ],
    whatIf: [
      { model: 'familya-sonnet-4.6', low: 2.2, high: 3.02, switchCost: 0.31 },
      { model: 'familyb-3.1-pro', low: 1.5, high: 2.1, switchCost: 0.2 },
      { model: 'local-small', low: 0, high: 0, switchCost: 0, tooSmall: 64_000 },
    ],
    contextWindow: 200_000,
    unpriced: 0,
    estimated: 0,
    isSample: false,
    isCut: false,
    ...more,
  };
}

/** One question with fifty-four requests. */
function oneQuestion(): SessionState {
  const state = stateOf(1, { cap: NO_CAP, misses: [], whatIf: [], subagents: 0, agentTypes: [], isRunning: true });
  const totals = { ...state.totals, requests: 54, uncached: 21_000, read: 3_010_000, written: 131_000, cost: 3.69 };
  return { ...state, totals: { ...totals, saved: 13.42 } };
}

const NO_CAP: SessionCap = { step: 0, spent: 0, isKnown: false, isWaiting: false, isEnded: false };

const session = (state: SessionState): SessionHostMessage => ({ type: 'session', state });

const ONE_QUESTION = oneQuestion();

export const STATES: readonly GalleryState[] = [
  { name: 'running', title: 'A session that goes on', message: session(stateOf(18, { isRunning: true })) },
  {
    name: 'short',
    title: 'One turn',
    message: session(stateOf(1, { cap: NO_CAP, misses: [], whatIf: [], subagents: 0, agentTypes: [] })),
  },
  {
    name: 'waiting',
    title: 'A session that waits at its cap',
    message: session(stateOf(18, { cap: { ...CAP, spent: 5.04, isWaiting: true } })),
  },
  {
    name: 'long',
    title: 'Two hundred turns',
    message: session(stateOf(200, { cap: { ...CAP, spent: 5.01, isEnded: true }, isCut: true, end: 'budget' })),
  },
  {
    name: 'sandbox',
    title: 'In the sandbox',
    message: session(stateOf(4, { isSample: true, estimated: 2, unpriced: 1, misses: [] })),
  },
  {
    name: 'context',
    title: 'What fills the context',
    message: session(ONE_QUESTION),
    more: [{ type: 'context', context: sampleContext(54, START) }],
  },
  {
    name: 'context-long',
    title: 'Two thousand steps',
    message: session(stateOf(200, { isCut: true, sealed: 2 })),
    more: [{ type: 'context', context: sampleContext(2_000, START) }],
  },
  {
    name: 'failed',
    title: 'The ledger could not be read',
    message: {
      type: 'problem',
      problem: 'The ledger is damaged: file is not a database. Move the file away to start a new one.',
    },
  },
];
