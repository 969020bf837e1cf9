/** A run of the agent over a small shop: its steps, its plan, and what it asks. Names and prices are invented. */
import type {
  AnswerFigures,
  AnswerTurn,
  ChatTurn,
  PlanItem,
  RunAction,
  RunView,
  ToolCallView,
} from '../../../src/pages/chat/protocol.ts';
import { answer, NOW, user } from './samples.ts';

export const TASK = user('u1', 'Reject parcels without a weight, and make the tests pass.');

const SECOND = 1000;

export function used(
  [inputTokens, cached, outputTokens]: readonly [number, number, number],
  cost: number,
  seconds: number,
): AnswerFigures {
  const cachedTokens = Math.round(inputTokens * cached);
  return { inputTokens, cachedTokens, outputTokens, cost, firstTokenMs: seconds * SECOND, estimated: false };
}

interface StepSample {
  readonly actions: readonly RunAction[];
  /** The images that the last action has returned. */
  readonly images?: ToolCallView['images'];
  readonly figures?: AnswerFigures;
  readonly text?: string;
}

export function step(number: number, { actions, images, figures, text = '' }: StepSample): AnswerTurn {
  return answer(`s${number}`, text, {
    run: TASK.id,
    toolCalls: actions.map((action, index) => ({
      id: `call-${number}-${index}`,
      name: action.kind,
      arguments: '{}',
      action,
      ...(action.state === 'done' && { result: `Result of ${action.object}` }),
      ...(images !== undefined && index === actions.length - 1 && { images }),
    })),
    ...(figures !== undefined && { figures }),
  });
}

export function done(kind: RunAction['kind'], object: string, rest: Partial<RunAction> = {}): RunAction {
  return { kind, object, state: 'done', ...rest };
}

const EARLIER: readonly AnswerTurn[] = [
  step(1, { actions: [done('plan', '')], figures: used([8200, 0, 310], 0.0244, 2.1) }),
  step(2, { actions: [done('list', 'src', { note: '9 files' })], figures: used([9100, 0.86, 120], 0.0121, 0.9) }),
  step(3, {
    actions: [done('search', 'quote(', { note: '6 results in 3 files' })],
    figures: used([12_400, 0.7, 240], 0.0193, 1.2),
  }),
  step(4, {
    actions: [done('read', 'src/rates.ts', { note: '18 lines' })],
    figures: used([16_800, 0.7, 260], 0.024, 1),
  }),
  step(5, {
    actions: [done('problems', '', { note: 'No problems' })],
    figures: used([19_200, 0.86, 210], 0.0219, 1.1),
  }),
  step(6, {
    actions: [done('read', 'test/quote.test.ts', { note: '61 lines' })],
    figures: used([23_900, 0.78, 380], 0.0313, 1.3),
  }),
];

const READ = step(7, {
  actions: [done('read', 'src/quote.ts', { note: '26 lines' }), done('read', 'src/parcel.ts', { note: '18 lines' })],
  figures: used([26_100, 0.84, 594], 0.0312, 1.4),
});
const SEARCHED = step(8, {
  actions: [done('search', 'weight', { note: '9 results in 4 files' })],
  figures: used([28_400, 0.91, 758], 0.0287, 1.1),
});
export const EDITED = step(9, {
  text: 'The check belongs in `quote`, so both functions use it.',
  actions: [done('edit', 'src/quote.ts', { added: 12, removed: 3 })],
  figures: used([31_000, 0.89, 3200], 0.0694, 9.1),
});
const FAILED = step(10, {
  actions: [
    {
      kind: 'command',
      object: 'npm test',
      state: 'done',
      exitCode: 1,
      ms: 3200,
      output:
        '> node --test test/*.test.ts\n✓ a light parcel costs the minimum price of its zone\n✓ a heavy parcel costs more\n\n✗ a parcel without a weight is rejected\n  RangeError: weight must be more than 0\n    at quote (src/quote.ts:14:11)\n\n  2 passed · 1 failed',
    },
  ],
  figures: used([36_200, 0.8, 1200], 0.0541, 4.2),
});
const EDITED_TEST = step(11, {
  actions: [done('edit', 'test/quote.test.ts', { added: 9, removed: 1 })],
  figures: used([39_400, 0.9, 2500], 0.0626, 7.2),
});
const RUNNING = step(12, {
  actions: [
    {
      kind: 'command',
      object: 'npm test',
      state: 'running',
      at: NOW - 8 * SECOND,
      output:
        '> node --test test/*.test.ts\n✓ a light parcel costs the minimum price of its zone, whatever the zone is',
    },
  ],
  figures: used([42_100, 0.92, 1100], 0.041, 3),
});

export const RUN_TURNS: readonly ChatTurn[] = [TASK, ...EARLIER, READ, SEARCHED, EDITED, FAILED, EDITED_TEST, RUNNING];

const PASSED = step(12, {
  actions: [
    done('command', 'npm test', {
      exitCode: 0,
      ms: 2900,
      output: '✓ a light parcel costs the minimum price of its zone\n✓ a parcel without a weight is rejected',
    }),
  ],
  figures: used([42_100, 0.92, 1100], 0.041, 3),
});

const REPORT = answer(
  's13',
  'A parcel without a weight, or with one of zero or less, is now rejected with a `RangeError`. Both `quote` and `quoteAll` use the same check in `src/quote.ts`.\n\nAll 12 tests pass, one of them new.',
  { run: TASK.id, figures: used([43_800, 0.93, 410], 0.0214, 1.2) },
);

export const DONE_TURNS: readonly ChatTurn[] = [
  TASK,
  ...EARLIER,
  READ,
  SEARCHED,
  EDITED,
  FAILED,
  EDITED_TEST,
  PASSED,
  REPORT,
];

/** The first steps, before a command is asked about. */
export const ASKING_TURNS: readonly ChatTurn[] = [TASK, ...EARLIER, READ, SEARCHED, EDITED];

const ASKED: RunAction = { kind: 'command', state: 'waiting', object: 'npm test -- --test-name-pattern=weight' };
export const WAITING_TURNS: readonly ChatTurn[] = [
  ...ASKING_TURNS,
  step(10, { actions: [ASKED], figures: used([36_200, 0.8, 240], 0.0181, 1.2) }),
];

export const DEPLOYED: RunAction = {
  kind: 'command',
  state: 'waiting',
  object: "curl -H 'Authorization: Bearer tk_7Qw2Rz9Kx4Mn8Vb3' https://deploy.example/parcel-desk",
};

export const SEALED_TURNS: readonly ChatTurn[] = [
  ...ASKING_TURNS,
  step(10, { actions: [DEPLOYED], figures: { ...used([36_200, 0.8, 240], 0.0181, 1.2), sealedSecrets: 2 } }),
];

export const DENIED_TURNS: readonly ChatTurn[] = [
  TASK,
  step(1, {
    actions: [done('edit', 'CHANGELOG.md', { added: 6 })],
    figures: used([38_600, 0.91, 512], 0.0312, 2),
  }),
  step(2, {
    actions: [{ kind: 'command', object: 'npm publish --tag next', state: 'denied', denied: { by: 'user' } }],
    figures: used([40_800, 0.92, 640], 0.0326, 2),
  }),
  step(3, {
    actions: [
      {
        kind: 'command',
        object: 'rm -rf ../shared/cache',
        state: 'denied',
        denied: { by: 'rule', reason: 'It deletes files outside the workspace.' },
      },
    ],
    figures: used([41_900, 0.94, 388], 0.0248, 1.3),
  }),
  answer('s4', 'I left the release and the cache to you. Both commands are in the summary.', {
    run: TASK.id,
    status: 'streaming',
    figures: { outputTokens: 22, cost: 0.0151, tokensPerSecond: 58, estimated: true },
  }),
];

/** Several calls of one step, and steps that did not work. */
export const MIXED_TURNS: readonly ChatTurn[] = [
  TASK,
  step(1, {
    text: 'I read the sources and the address of the carrier first.',
    actions: [
      done('read', 'src/quote.ts', { note: '26 lines' }),
      done('read', 'src/parcel.ts', { note: '18 lines' }),
      done('changes', '', { note: '2 files' }),
      done('fetch', 'https://example.com/carrier/zones', { note: '4.2k tokens' }),
      { kind: 'edit', object: 'src/zones.ts', state: 'failed', note: 'text not found' },
    ],
    figures: used([26_100, 0.84, 594], 0.0312, 1.4),
  }),
  step(2, {
    actions: [done('tool', 'page_screenshot')],
    images: [{ file: 'screenshot.png', mediaType: 'image/png' }],
    figures: used([27_900, 0.9, 120], 0.0121, 2),
  }),
  step(3, {
    actions: [
      done('create', 'src/carriers/northern/zones/remoteIslands.ts', { added: 48 }),
      done('rename', 'src/zone.ts → src/zones.ts'),
      done('delete', 'src/oldZones.ts', { removed: 31 }),
      { kind: 'tool', object: 'tides.lookup', state: 'waiting' },
    ],
    figures: used([29_300, 0.88, 1900], 0.0488, 6),
  }),
];

export const INTERRUPTED_TURNS: readonly ChatTurn[] = [
  ...ASKING_TURNS,
  step(10, {
    actions: [{ kind: 'command', object: 'npm test', state: 'interrupted', output: '> node --test test/*.test.ts' }],
    figures: used([36_200, 0.8, 1200], 0.0541, 4.2),
  }),
];

const SUMMARY = answer(
  's10',
  '**The task**: reject parcels without a weight, and make the tests pass.\n\n**What was done**\n- `src/quote.ts`: `quote` rejects a weight of zero or less.\n- `src/parcel.ts` was read; its type allows `undefined`.\n\n**Left**: run `npm test`, then note the change in README.md.',
  {
    run: TASK.id,
    isSummary: true,
    isEdited: true,
    model: 'familya-haiku-4.5',
    figures: used([162_400, 0, 310], 0.164, 6.2),
  },
);

/** The earlier steps were summed up. */
export const SUMMARIZED_TURNS: readonly ChatTurn[] = [
  ...ASKING_TURNS,
  SUMMARY,
  { ...EDITED_TEST, figures: used([9400, 0, 2500], 0.0626, 7.2) },
];

const PLAN: readonly PlanItem[] = [
  { text: 'Read the quote functions and their tests', state: 'done' },
  { text: 'Find callers that pass no weight', state: 'done' },
  { text: 'Reject a weight of zero or less', state: 'done' },
  { text: 'Make the tests pass', state: 'current' },
  { text: 'Note the change in README.md', state: 'open' },
];

const NEXT_PARTS = { tools: 6_400, system: 2_300, messages: 900, answers: 3_100, calls: 4_200, results: 26_300 };

export const RUN: RunView = {
  id: TASK.id,
  state: 'running',
  step: 12,
  maxSteps: 50,
  startedAt: NOW - 161 * SECOND,
  activeMs: 0,
  spent: 0.42,
  cap: 1,
  stepCap: 0,
  summaryModel: '',
  plan: PLAN,
  changes: { files: 2, added: 21, removed: 4 },
  next: { inputTokens: 43_200, parts: NEXT_PARTS, cachedShare: 0.91, cost: 0.038, balanceAfter: 11.97 },
};

export const WAITING: RunView = {
  ...RUN,
  state: 'waiting',
  step: 10,
  spent: 0.27,
  changes: { files: 1, added: 12, removed: 3 },
  question: {
    type: 'approval',
    number: 1,
    callId: 'call-10-0',
    action: ASKED,
    folder: 'parcel-desk',
    choices: ['chat', 'always'],
    pattern: 'npm test*',
  },
};
