import type { ChatTurn, ComparisonTurn, EstimateView } from '../../../../src/pages/chat/protocol.ts';
import { REFUSED, RICH, TOOL_CALLS } from '../richSamples.ts';
import { answer, BASE, DONE, EARLIER, MARKDOWN, QUESTION, REASONED, STREAMED, user } from '../samples.ts';
import type { GalleryState } from './galleryState.ts';
import { CONVERSATION, chat, DRAFT, NOTHING_YET, small, WRITING } from './parts.ts';

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

const LONG: readonly ChatTurn[] = Array.from({ length: 30 }, (_, index) => [
  user(`u${index}`, `Question ${index + 1}: what does step ${index + 1} of the build do?`),
  answer(
    `b${index}`,
    `Step ${index + 1} reads the sources, and writes what has changed.\n\n- It takes a second.\n- It can be repeated.`,
  ),
]).flat();

/** States of the conversation, starting with the first run. */
/** The attachments of an edited question. The last file has changed since it was attached. */
const WITH_CHANGED_FILE = QUESTION.attachments.map((attachment, place, { length }) =>
  place === length - 1 ? { ...attachment, version: 'current' as const } : attachment,
);

const EDITED: EstimateView = {
  state: 'known',
  inputTokens: 2400,
  estimated: true,
  parts: { system: 220, messages: 960, answers: 1220 },
  messageTokens: 300,
  historyTokens: 2100,
  expectedCost: 0.012,
  balanceAfter: 12.38,
};

const OTHER = { id: 'other-1', title: 'Port the parser to Rust' };

export const CONVERSATION_STATES: readonly GalleryState[] = [
  { name: 'first-run', title: 'First run', state: { ...BASE, ...NOTHING_YET, connection: 'none' } },
  {
    name: 'running-elsewhere',
    title: 'Empty chat, while others are running',
    state: { ...BASE, ...NOTHING_YET, running: [OTHER, { ...OTHER, id: 'other-2' }] },
  },
  {
    name: 'waiting-elsewhere',
    title: 'Chat, while another one is waiting',
    state: chat(CONVERSATION, { running: [{ ...OTHER, isWaiting: true }] }),
  },
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
    name: 'empty-agent',
    title: 'Empty chat in Agent mode',
    state: { ...BASE, ...NOTHING_YET, mode: 'agent' },
  },
  {
    name: 'streaming',
    title: 'Streaming',
    draft: DRAFT,
    state: chat([...EARLIER, QUESTION, STREAMING], { ...WRITING, spent: { cost: 0.0325 } }),
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
    state: chat([QUESTION, { ...DONE, sandbox: true }], {
      connection: 'sandbox',
      spent: { cost: 0.0349, isSample: true },
      ...small(6200, 0.019, 4.98),
    }),
  },
  {
    name: 'reading',
    title: 'An earlier chat without a key',
    state: chat(CONVERSATION, { connection: 'none' }),
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
    title: 'Cut off at the token limit',
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
  {
    name: 'editing',
    title: 'Editing a message',
    editing: 'u2',
    state: chat(CONVERSATION, {
      editEstimate: EDITED,
      edited: { turnId: 'u2', attachments: WITH_CHANGED_FILE, model: 'familya-opus-4.6' },
    }),
  },
  { name: 'undo', title: 'Deleted, to be undone', notice: 'Answer deleted.', state: chat([...EARLIER, QUESTION]) },
  { name: 'comparison', title: 'Two models side by side', state: chat([QUESTION, COMPARED]) },
  {
    name: 'comparison-running',
    title: 'Three models side by side, one still answering',
    state: chat([QUESTION, { ...COMPARED, answers: [...COMPARED.answers, RUNNING_BESIDE] }]),
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
