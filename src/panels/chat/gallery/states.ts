/** The states that the gallery shows. */
import type {
  AttachmentView,
  ChatState,
  ComparisonTurn,
  ContextChoiceView,
  FailureView,
  HistoryView,
  PromptView,
  Turn,
} from '../../../editor/chat/protocol.ts';
import type { Popover } from '../store.ts';
import { HISTORY, HISTORY_FOUND } from './historySamples.ts';
import { RICH } from './richSamples.ts';
import { REFUSED, TOOL_CALLS } from './saidSamples.ts';
import {
  answer,
  BASE,
  CATALOG,
  DONE,
  EARLIER,
  ESTIMATE,
  LOG_FILE,
  MARKDOWN,
  NOW,
  QUESTION,
  REASONED,
  RETRY_FILE,
  SCREENSHOT,
  SELECTION,
  STREAMED,
  TEST_FILE,
  UNPRICED,
  user,
} from './samples.ts';

export interface GalleryState {
  readonly name: string;
  readonly title: string;
  readonly state: ChatState;
  readonly draft?: string;
  readonly popover?: Popover;
  /** The question that is being edited. */
  readonly editing?: string;
  readonly notice?: string;
  readonly prompts?: readonly PromptView[];
  /** What can be attached and matches the draft's mention. */
  readonly context?: readonly ContextChoiceView[];
  /** The models that the next question goes to. */
  readonly compared?: readonly string[];
  /** The list of saved chats, in the place of the chat. */
  readonly history?: HistoryView;
  /** True when it plays by itself, so that time must go on. */
  readonly live?: boolean;
}

const DRAFT = 'Then write a test that fails without the fix';
const WRITING = { estimate: ESTIMATE, attachments: [SELECTION, TEST_FILE] } satisfies Partial<ChatState>;
const NOTHING_YET = { turns: [], title: '' } satisfies Partial<ChatState>;

function chat(turns: readonly Turn[], rest: Partial<ChatState> = {}): ChatState {
  return { ...BASE, turns, ...rest };
}

function small(inputTokens: number, expectedCost: number, balanceAfter: number): Partial<ChatState> {
  const estimate = { state: 'known', inputTokens, estimated: true, messageTokens: inputTokens } as const;
  return { estimate: { ...estimate, expectedCost, balanceAfter } };
}

/** A balance, in US dollars, that the request of the samples takes all of. */
function remaining(dollars: number): Partial<ChatState> {
  return { balance: { state: 'low', remaining: dollars }, estimate: { ...ESTIMATE, balanceAfter: 0 } };
}

function failed(failure: FailureView, question: string, text = ''): readonly Turn[] {
  return [user('u1', question), answer('b1', text, { status: 'failed', failure })];
}

const STREAMING = answer('b2', STREAMED, {
  ...REASONED,
  status: 'streaming',
  figures: { outputTokens: 538, reasoningTokens: 412, cost: 0.0204, tokensPerSecond: 58, estimated: true },
});
const BRANCHED = `Guard each step with a check, and record it in the same transaction:

\`\`\`sql 0042_add_owner.sql
ALTER TABLE items ADD COLUMN
  IF NOT EXISTS owner_id bigint;
\`\`\``;

const PROMPTS: readonly PromptView[] = [
  { id: 'p1', name: 'explain', description: 'Explain to someone new to the project', source: 'workspace' },
  { id: 'p2', name: 'review', description: 'Look for faults, not for style', source: 'workspace' },
  { id: 'p3', name: 'translate', description: 'Into plain English', source: 'profile' },
];

const CHOICES: readonly ContextChoiceView[] = [
  { id: 'selection', kind: 'selection', label: 'Selection', detail: 'session.ts:42–67' },
  { id: 'terminal', kind: 'terminal', label: 'Selection in the terminal', detail: 'bash' },
  { id: 'path:src/session.ts', kind: 'file', label: 'session.ts', detail: 'src' },
  { id: 'path:test/session.test.ts', kind: 'file', label: 'session.test.ts', detail: 'test' },
  { id: 'path:src/server/', kind: 'folder', label: 'server/', detail: 'src' },
];

const ATTACHED: readonly AttachmentView[] = [
  SELECTION,
  { id: 'b1', kind: 'folder', label: 'server/', tokens: 8400, note: '12 files' },
  { id: 'b2', kind: 'problems', label: 'Problems', tokens: 310, note: '7 problems' },
  { id: 'b3', kind: 'diff', label: 'Changes', tokens: 1900 },
  { id: 'b4', kind: 'terminal', label: 'Terminal: bash', tokens: 420 },
  SCREENSHOT,
];

const RUNNING_BESIDE = answer('b4', 'Both tabs read the', {
  model: 'familyb-3.1-pro',
  status: 'streaming',
  figures: { outputTokens: 5, cost: 0.0011, estimated: true },
});
const COMPARED: ComparisonTurn = {
  role: 'comparison',
  id: 'x1',
  answers: [
    DONE,
    answer('b3', 'Yes. **Take a lock** before the refresh, and read the store again inside it.', {
      model: 'familya-haiku-4.5',
      figures: {
        inputTokens: 4100,
        outputTokens: 121,
        cost: 0.0047,
        firstTokenMs: 400,
        tokensPerSecond: 120,
        estimated: false,
      },
    }),
  ],
};
const CONVERSATION = [...EARLIER, QUESTION, DONE];

const LONG: readonly Turn[] = Array.from({ length: 30 }, (_, index) => [
  user(`u${index}`, `Question ${index + 1}: what does step ${index + 1} of the build do?`),
  answer(
    `b${index}`,
    `Step ${index + 1} reads the sources, and writes what has changed.\n\n- It takes a second.\n- It can be repeated.`,
  ),
]).flat();

export const STATES: readonly GalleryState[] = [
  { name: 'first-run', title: 'First run', state: { ...BASE, ...NOTHING_YET, connection: 'none' } },
  { name: 'empty', title: 'Empty chat', state: { ...BASE, ...NOTHING_YET } },
  {
    name: 'empty-loading',
    title: 'Empty chat, loading price list',
    state: { ...BASE, ...NOTHING_YET, catalog: { models: [], state: 'loading' } },
  },
  {
    name: 'empty-sandbox',
    title: 'Empty chat on the sandbox',
    state: { ...BASE, ...NOTHING_YET, connection: 'sandbox' },
  },
  {
    name: 'streaming',
    title: 'Streaming',
    draft: DRAFT,
    state: chat([...EARLIER, QUESTION, STREAMING], { ...WRITING, cost: 0.0325 }),
  },
  {
    name: 'elsewhere',
    title: 'Another window is answering',
    draft: DRAFT,
    state: chat([...EARLIER, QUESTION, { ...STREAMING, elsewhere: true }], WRITING),
  },
  {
    name: 'waiting',
    title: 'Waiting for the first token',
    state: chat([QUESTION, answer('b2', '', { status: 'waiting' })]),
  },
  {
    name: 'reasoning',
    title: 'Reasoning',
    state: chat([
      QUESTION,
      answer('b2', '', {
        reasoning: 'The report says two tabs.',
        status: 'streaming',
        figures: { outputTokens: 84, reasoningTokens: 84, cost: 0.0013, tokensPerSecond: 42, estimated: true },
      }),
    ]),
  },
  { name: 'conversation', title: 'Conversation', draft: DRAFT, state: chat(CONVERSATION, WRITING) },
  {
    name: 'sandbox',
    title: 'Conversation on the sandbox',
    state: chat([QUESTION, { ...DONE, sandbox: true }], { connection: 'sandbox', ...small(6200, 0.019, 4.98) }),
  },
  { name: 'markdown', title: 'Markdown', state: chat([user('u1', 'Plan the migration'), answer('b1', MARKDOWN)]) },
  { name: 'rich', title: 'Math, diagrams and footnotes', state: chat([user('u1', 'Explain it'), answer('b1', RICH)]) },
  { name: 'tool-calls', title: 'Calls of tools, and sources', state: chat(TOOL_CALLS) },
  { name: 'refused', title: 'Refusals', state: chat(REFUSED) },
  {
    name: 'stopped',
    title: 'Stopped by you',
    state: chat(
      [
        user('u1', 'Walk me through the build graph'),
        answer(
          'b1',
          'The graph has three roots. **core** builds first because everything imports it; **web** and **server** then run side by side. The slow edge is',
          {
            model: 'familyc-5.4',
            status: 'stopped',
            figures: { inputTokens: 3000, outputTokens: 96, cost: 0.0104, estimated: false },
          },
        ),
      ],
      { model: 'familyc-5.4', format: 'responses', ...small(3200, 0.012, 12.4) },
    ),
  },
  {
    name: 'cut',
    title: 'Cut at the token limit',
    state: chat([
      user('u1', 'List every test in the project'),
      answer('b1', 'There are 214 tests. By folder:\n\n1. `auth`: 31\n2. `build`: 18\n3. `cache`:', {
        status: 'cut',
        figures: {
          inputTokens: 9100,
          outputTokens: 4096,
          cost: 0.0887,
          firstTokenMs: 1100,
          tokensPerSecond: 64,
          estimated: true,
        },
      }),
    ]),
  },
  {
    name: 'branches',
    title: 'Edited message, three branches',
    state: chat(
      [
        user('u1', 'Make the migration safe to run twice', [], { position: 2, count: 3 }),
        answer('b1', BRANCHED, {
          model: 'familya-opus-4.6',
          branch: { position: 1, count: 2 },
          figures: {
            inputTokens: 1200,
            outputTokens: 140,
            cost: 0.0095,
            firstTokenMs: 1100,
            tokensPerSecond: 44,
            estimated: false,
          },
        }),
      ],
      { model: 'familya-opus-4.6', ...small(1500, 0.011, 12.38) },
    ),
  },
  { name: 'editing', title: 'Editing a message', editing: 'u2', state: chat(CONVERSATION) },
  { name: 'undo', title: 'Deleted, to be undone', notice: 'Answer deleted.', state: chat([...EARLIER, QUESTION]) },
  { name: 'history', title: 'History', history: HISTORY, state: chat(CONVERSATION, { conversationId: 'h3' }) },
  { name: 'history-found', title: 'History, searched', history: HISTORY_FOUND, state: chat(CONVERSATION) },
  {
    name: 'history-filter',
    title: 'History, being filtered',
    history: HISTORY,
    popover: 'filter',
    state: chat(CONVERSATION, { conversationId: 'h3' }),
  },
  {
    name: 'history-empty',
    title: 'History without chats',
    history: { ...HISTORY, groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
  {
    name: 'history-loading',
    title: 'History, being read',
    history: { ...HISTORY, state: 'loading', groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
  {
    name: 'history-failed',
    title: 'History that could not be read',
    history: { ...HISTORY, state: 'failed', groups: [], count: 0 },
    state: { ...BASE, ...NOTHING_YET },
  },
  { name: 'comparison', title: 'Two models side by side', state: chat([QUESTION, COMPARED]) },
  {
    name: 'comparison-running',
    title: 'Three models side by side, one still answering',
    state: chat([QUESTION, { ...COMPARED, answers: [...COMPARED.answers, RUNNING_BESIDE] }]),
  },
  {
    name: 'failed-credit',
    title: 'Credit used up (402)',
    state: chat(
      failed(
        {
          kind: 'credit',
          title: 'Your credit is used up',
          detail: 'This request needs about $0.031 and $0.004 is left. Nothing was charged.',
          steps: ['addCredit', 'chooseModel'],
        },
        'Rename these handlers to match the new events',
      ),
      { balance: { state: 'exhausted', remaining: 0.004 }, ...small(6200, 0.031, -0.027) },
    ),
  },
  {
    name: 'failed-network',
    title: 'Connection lost in mid-answer',
    state: chat(
      failed(
        {
          kind: 'network',
          title: 'The connection was lost',
          detail:
            'The answer ended early. Check the network, then continue or ask again. What had arrived was charged.',
          steps: ['continue', 'retry', 'openLog'],
        },
        'Walk me through the build graph',
        'The graph has three roots. **core** builds first because everything',
      ),
    ),
  },
  {
    name: 'failed-key',
    title: 'Key refused (401)',
    state: chat(
      failed(
        {
          kind: 'authentication',
          title: 'The service does not know this key',
          detail: 'It may have been removed or mistyped. Enter it again, or try the sandbox. Nothing was charged.',
          steps: ['setKey', 'trySandbox', 'openSettings'],
        },
        'Explain this stack trace',
      ),
    ),
  },
  {
    name: 'retrying',
    title: 'Rate limited, retrying',
    state: chat(
      [
        user('u1', 'Explain this stack trace'),
        answer('b1', '', {
          status: 'waiting',
          retry: { attempt: 2, attempts: 4, at: NOW + 8000, waitMs: 21_000, reason: 'rateLimit' },
        }),
      ],
      small(5200, 0.018, 12.42),
    ),
  },
  {
    name: 'over-window',
    title: 'Over the window, before sending',
    draft: 'Why does the third retry never fire?',
    state: chat([user('u1', 'Read the log'), answer('b1', 'It has 12 retries, and the third is missing.')], {
      attachments: [LOG_FILE, RETRY_FILE],
      estimate: {
        state: 'known',
        inputTokens: 212_000,
        historyTokens: 58_000,
        attachmentTokens: 150_300,
        messageTokens: 3700,
        inputCost: 0.636,
      },
    }),
  },
  {
    name: 'low',
    title: 'Low balance, answer not yet expected',
    draft: 'What is left to do?',
    state: chat(EARLIER, {
      balance: { state: 'low', remaining: 0.87 },
      estimate: {
        state: 'known',
        inputTokens: 12_830,
        messageTokens: 12_830,
        inputCost: 0.03849,
        balanceAfter: 0.8315,
      },
    }),
  },
  {
    name: 'no-prices',
    title: 'Nothing known but names',
    draft: 'What is left to do?',
    state: chat(EARLIER.slice(0, 1), {
      catalog: UNPRICED,
      balance: { state: 'unknown' },
      estimate: { state: 'known', inputTokens: 12_830, estimated: true, messageTokens: 12_830 },
    }),
  },
  { name: 'models', title: 'Choosing a model', popover: 'models', draft: DRAFT, state: chat(CONVERSATION, WRITING) },
  {
    name: 'models-stale',
    title: 'Last known models',
    popover: 'models',
    state: {
      ...BASE,
      ...NOTHING_YET,
      catalog: { ...CATALOG, state: 'stale', readAt: NOW - 360_000, problem: 'No connection' },
    },
  },
  {
    name: 'models-failed',
    title: 'Models could not be read',
    popover: 'models',
    state: { ...BASE, ...NOTHING_YET, model: '', catalog: { models: [], state: 'failed', problem: 'No connection' } },
  },
  { name: 'formats', title: 'Choosing a format', popover: 'formats', state: chat(CONVERSATION, WRITING) },
  {
    name: 'parameters',
    title: 'Parameters',
    popover: 'parameters',
    state: chat(CONVERSATION, {
      parameters: {
        own: { temperature: 0.2, systemPrompt: 'Answer in one paragraph, with code first.' },
        defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] },
        presets: ['Short answers', 'Review of a pull request'],
      },
    }),
  },
  {
    name: 'parameters-uncarried',
    title: 'Parameters that the format does not carry',
    popover: 'parameters',
    state: chat(CONVERSATION, {
      format: 'responses',
      parameters: {
        own: { stopSequences: ['END'] },
        defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] },
        presets: [],
        uncarried: ['stopSequences'],
      },
    }),
  },
  {
    name: 'prompts',
    title: 'Prompts',
    draft: '/',
    popover: 'prompts',
    prompts: PROMPTS,
    state: chat(CONVERSATION),
  },
  {
    name: 'context',
    title: 'What can be attached',
    draft: 'Why does @se',
    popover: 'context',
    context: CHOICES,
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'context-none',
    title: 'Nothing to attach matches',
    draft: '@nowhere',
    popover: 'context',
    context: [],
    state: chat(CONVERSATION),
  },
  {
    name: 'attached',
    title: 'One of each attachment',
    draft: DRAFT,
    state: chat(CONVERSATION, { ...WRITING, attachments: ATTACHED }),
  },
  {
    name: 'attached-sent',
    title: 'A picture in a question',
    state: chat([
      user('u1', 'What is wrong here?', [SCREENSHOT, SELECTION]),
      answer('b1', 'The heading covers the first line of the list.'),
    ]),
  },
  {
    name: 'no-images',
    title: 'An image for a model that takes none',
    draft: 'What is wrong here?',
    state: chat(CONVERSATION, { ...WRITING, model: 'familyd-code-fast-1', attachments: [SCREENSHOT] }),
  },
  {
    name: 'over-balance',
    title: 'More than the balance, before sending',
    draft: DRAFT,
    state: chat(CONVERSATION, { ...WRITING, ...remaining(0.004) }),
  },
  {
    name: 'near-balance',
    title: 'The answer may cost more than the balance',
    draft: DRAFT,
    state: chat(CONVERSATION, { ...WRITING, ...remaining(0.041) }),
  },
  {
    name: 'prompts-none',
    title: 'No prompts yet',
    draft: '/',
    popover: 'prompts',
    prompts: [],
    state: chat(CONVERSATION),
  },
  {
    name: 'comparing',
    title: 'Choosing models to compare',
    popover: 'models',
    draft: DRAFT,
    compared: ['familya-sonnet-4.6', 'familya-haiku-4.5'],
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'more',
    title: 'What has no room in a narrow panel',
    popover: 'more',
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'breakdown',
    title: 'What the request costs',
    popover: 'breakdown',
    draft: DRAFT,
    state: chat(CONVERSATION, WRITING),
  },
  {
    name: 'long',
    title: 'Long conversation',
    state: chat(LONG, { title: 'A long conversation with a title that does not fit' }),
  },
  {
    name: 'stream',
    title: 'Live: send a message',
    live: true,
    draft: 'Plan the migration',
    state: { ...BASE, ...NOTHING_YET },
  },
];
