/** Replays of the session in the gallery. */
import type { AnswerView, Replay, ReplayedRequest } from '../../../src/pages/session/replay/protocol.ts';

/** 21 November 2026, 14:04 in the local time zone. */
const START = new Date(2026, 10, 21, 14, 4).getTime();
const MINUTE_MS = 60_000;

const FIGURES = { inputTokens: 35_800, readTokens: 33_100, outputTokens: 412, cost: 0.0342, durationMs: 6_200 };
const OTHER_FIGURES = { inputTokens: 37_100, readTokens: 34_000, outputTokens: 655, cost: 0.0201, durationMs: 4_100 };

const waiting: ReplayedRequest = {
  number: 1,
  turn: 1,
  at: START,
  question: 'Why does the retry of the upload fail after the second attempt?',
  results: 0,
  recordedModel: 'familya-opus-4.6',
  recorded: { segments: [{ text: 'I will look at the upload first.' }], calls: [], ...FIGURES },
  isAnswerKnown: true,
  state: 'waiting',
};

const READ_FILE = '{"path":"src/upload/retry.ts","limit":200}';

const STEPS: readonly ReplayedRequest[] = [
  {
    ...waiting,
    recorded: answer('I will look at the upload first.', 'read_file', READ_FILE, FIGURES),
    replayed: answer('Let me read the code of the upload.', 'read_file', READ_FILE, OTHER_FIGURES),
    comparison: 'sameCalls',
    state: 'answered',
  },
  {
    ...waiting,
    number: 2,
    question: '',
    results: 1,
    recorded: {
      segments: [
        { text: 'The ' },
        { text: 'delay', differs: true },
        { text: ' is computed from the attempt, ' },
        { text: 'which is never increased. I will search for its callers.', differs: true },
      ],
      calls: [{ name: 'search', arguments: '{"query":"retryDelay("}', differs: true }],
      ...FIGURES,
    },
    replayed: {
      segments: [
        { text: 'The ' },
        { text: 'waiting time', differs: true },
        { text: ' is computed from the attempt, ' },
        { text: 'but the counter stays at 1. Where is it called?', differs: true },
      ],
      calls: [{ name: 'search', arguments: '{"query":"retryDelay","path":"src"}', differs: true }],
      ...OTHER_FIGURES,
    },
    comparison: 'otherArguments',
    state: 'answered',
  },
  {
    ...waiting,
    number: 3,
    turn: 2,
    at: START + MINUTE_MS,
    question: 'Fix it, and add a test.',
    recorded: answer('', 'edit_file', '{"path":"src/upload/retry.ts"}', FIGURES),
    replayed: answer('', 'run_tests', '{}', OTHER_FIGURES),
    comparison: 'otherCalls',
    state: 'answered',
    isWithoutReasoning: true,
  },
];

/** @returns an answer whose text differs as a whole, and whose call does not. */
function answer(text: string, name: string, args: string, figures: Partial<AnswerView>): AnswerView {
  const segments = text === '' ? [] : [{ text, differs: true as const }];
  return { segments, calls: [{ name, arguments: args }], ...figures };
}

const base = {
  model: 'familya-sonnet-4.6',
  at: START + 60 * MINUTE_MS,
  agreed: { low: 0.14, high: 0.21 },
};

export const RUNNING: Replay = {
  ...base,
  id: 'running',
  isRunning: true,
  requests: 5,
  answered: 3,
  cost: 0.0603,
  steps: [
    ...STEPS,
    { ...waiting, number: 4, turn: 2, at: START + MINUTE_MS, question: '', results: 2, state: 'running' },
    { ...waiting, number: 5, turn: 3, at: START + 2 * MINUTE_MS, question: 'Thanks. Write the change log.' },
  ],
};

export const ENDED: Replay = {
  ...base,
  id: 'ended',
  model: 'familyb-3.1-pro',
  isRunning: false,
  requests: 5,
  answered: 1,
  cost: 0.0217,
  problem: 'You stopped the replay.',
  steps: [
    { ...waiting, ...STEPS[0], number: 1 },
    {
      ...waiting,
      number: 2,
      question: '',
      results: 1,
      state: 'failed',
      problem: 'messages.3.content.0: this model does not accept images of more than 5 MB.',
    },
    { ...waiting, number: 3, turn: 2, state: 'skipped', problem: 'does not fit, 83.4k of 64k', question: 'Fix it.' },
    {
      ...waiting,
      number: 4,
      turn: 2,
      question: '',
      results: 2,
      isAnswerKnown: false,
      recorded: { segments: [], calls: [], ...FIGURES },
      replayed: { segments: [], calls: [], cost: 0.0016, inputTokens: 37_100, outputTokens: 20 },
      state: 'stopped',
    },
    { ...waiting, number: 5, turn: 3, question: 'Thanks. Write the change log.' },
  ],
};
