/** A run with helpers and with commands in the background. Names and prices are invented. */
import type { AnswerTurn, ChatTurn, CommandView, HelperView, RunAction } from '../../../src/pages/chat/protocol.ts';
import { done, EDITED, step, TASK, used } from './agentSamples.ts';
import { NOW } from './samples.ts';

const SECOND = 1000;
const MODEL = 'familya-haiku-4.5';

type HelperSample = Pick<HelperView, 'name' | 'state' | 'steps'> & Partial<HelperView>;

function helper({ steps, ...sample }: HelperSample): HelperView {
  const sum = (figure: 'inputTokens' | 'outputTokens' | 'cost') =>
    steps.reduce((total, { figures }) => total + (figures?.[figure] ?? 0), 0);
  return {
    id: sample.name,
    role: 'reader',
    model: MODEL,
    budget: 0.09,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ...(steps.length > 0 && { spent: sum('cost') }),
    steps: steps.map((one) => ({ ...one, id: `${sample.name} ${one.id}`, model: MODEL })),
    ...sample,
  };
}

const READ_PRICES: readonly AnswerTurn[] = [
  step(1, {
    actions: [done('search', 'price', { note: '14 results in 3 files' })],
    figures: used([3100, 0, 140], 0.0038, 0.8),
  }),
  step(2, {
    actions: [done('read', 'src/rates.ts', { note: '18 lines' }), done('read', 'src/quote.ts', { note: '26 lines' })],
    figures: used([4600, 0.66, 210], 0.0029, 0.9),
  }),
  { ...step(3, { actions: [], figures: used([6200, 0.73, 380], 0.004, 1.4) }), text: 'Prices are rounded in `quote`.' },
];

const READ_TESTS: readonly AnswerTurn[] = [
  step(1, {
    actions: [done('list', 'test', { note: '4 entries' })],
    figures: used([2900, 0, 90], 0.0034, 0.7),
  }),
  step(2, { actions: [{ kind: 'read', object: 'test/quote.test.ts', state: 'running', at: NOW - SECOND }] }),
];

const HELPERS: readonly HelperView[] = [
  helper({ name: 'Where prices are computed', state: 'done', steps: READ_PRICES }),
  helper({ name: 'What the tests cover', state: 'running', steps: READ_TESTS }),
  helper({
    name: 'Change notes',
    role: 'editor',
    state: 'failed',
    note: 'Budget used up',
    steps: READ_TESTS.slice(0, 1),
  }),
  helper({ name: 'Other callers', state: 'waiting', steps: [] }),
];

function withHelpers(helpers: readonly HelperView[], action: RunAction): AnswerTurn {
  const asked = step(3, { actions: [action], figures: used([11_400, 0.7, 410], 0.0231, 1.9) });
  return { ...asked, toolCalls: (asked.toolCalls ?? []).map((call) => ({ ...call, helpers })) };
}

const STARTED: RunAction = {
  kind: 'helpers',
  object: HELPERS.map(({ name }) => name).join(', '),
  state: 'running',
  at: NOW - 9 * SECOND,
};

const LISTED = step(2, {
  actions: [done('list', 'src', { note: '9 files' })],
  figures: used([9100, 0.86, 120], 0.0121, 0.9),
});

export const HELPER_TURNS: readonly ChatTurn[] = [TASK, LISTED, withHelpers(HELPERS, STARTED)];

export const SERVING_TURNS: readonly ChatTurn[] = [
  TASK,
  LISTED,
  EDITED,
  step(4, {
    actions: [done('command', 'npm run dev', { note: 'In the background', output: 'ready on http://localhost:5173/' })],
    figures: used([12_100, 0.8, 160], 0.0119, 1.1),
  }),
  step(5, {
    actions: [done('output', 'npm run dev')],
    figures: used([12_600, 0.95, 90], 0.0052, 0.8),
  }),
];

export const COMMANDS: readonly CommandView[] = [
  {
    id: 'c1',
    command: 'npm run dev',
    isRunning: true,
    isKept: true,
    output: 'ready on http://localhost:5173/\nGET /quote 200 in 4 ms',
    startedAt: NOW - 84 * SECOND,
  },
  {
    id: 'c2',
    command: 'npm create parcel-page',
    isRunning: true,
    isKept: false,
    output: 'Need to install the following packages:\n  create-parcel-page@2.1.0\nOk to proceed? (y)',
    question: 'Ok to proceed? (y)',
    startedAt: NOW - 12 * SECOND,
  },
  {
    id: 'c3',
    command: 'npm test -- --watch',
    isRunning: false,
    isKept: false,
    exitCode: 1,
    output: '2 passed, 1 failed',
    startedAt: NOW - 200 * SECOND,
  },
];
