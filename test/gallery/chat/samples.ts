/** Sample data for the gallery's states. Names and prices are invented. */
import type {
  AnswerTurn,
  AttachmentView,
  BranchView,
  CatalogView,
  ChatState,
  EstimateView,
  ModelView,
  StarterView,
  UserTurn,
} from '../../../src/pages/chat/protocol.ts';

/** The current time in the gallery, in milliseconds since the epoch. */
export const NOW = Date.UTC(2026, 0, 15, 10, 42);

function model(
  id: string,
  contextWindow: number,
  inputPrice: number,
  outputPrice: number,
  reasoning = true,
): ModelView {
  const letter = id.charAt('family'.length).toUpperCase();
  return {
    id,
    family: `Family ${letter}`,
    contextWindow,
    inputPrice,
    outputPrice,
    cachePrices: [
      { kind: 'cachedInput', price: inputPrice / 10, isAssumed: false },
      { kind: 'cacheWrite', price: inputPrice * 1.25, isAssumed: false },
      { kind: 'longCacheWrite', price: inputPrice * 2, isAssumed: true },
    ],
    tools: true,
    images: letter !== 'D',
    reasoning,
  };
}

const MODELS: readonly ModelView[] = [
  model('familya-haiku-4.5', 200_000, 1, 5, false),
  model('familya-opus-4.5', 200_000, 5, 25),
  model('familya-opus-4.6', 1_000_000, 5, 25),
  model('familya-sonnet-4.5', 200_000, 3, 15),
  model('familya-sonnet-4.6', 200_000, 3, 15),
  model('familyb-3-flash-preview', 1_000_000, 0.5, 3),
  model('familyb-3-pro-preview', 1_000_000, 2, 12),
  model('familyb-3.1-pro', 1_000_000, 2, 12),
  model('familyc-5.3-codex', 400_000, 1.75, 14),
  model('familyc-5.4', 1_000_000, 2.5, 15),
  model('familyd-code-fast-1', 256_000, 0.2, 1.5),
];

export const CATALOG: CatalogView = { models: MODELS, state: 'current', readAt: NOW };

/** Models without prices and context windows. */
export const UNPRICED: CatalogView = {
  models: MODELS.map(({ id, family }) => ({ id, family })),
  state: 'current',
  readAt: NOW,
};

export const SELECTION: AttachmentView = { id: 'a1', kind: 'selection', label: 'session.ts:42–67', tokens: 318 };
export const TEST_FILE: AttachmentView = { id: 'a2', kind: 'file', label: 'auth.test.ts', tokens: 1512 };
const STORE_FILE: AttachmentView = { id: 'a3', kind: 'file', label: 'tokenStore.ts', tokens: 1104 };
export const LOG_FILE: AttachmentView = { id: 'a4', kind: 'file', label: 'server.log', tokens: 148_200 };
export const SCREENSHOT: AttachmentView = {
  id: 'a6',
  kind: 'image',
  label: 'screenshot.png',
  tokens: 1534,
  picture: 'screenshot.png',
};
export const RETRY_FILE: AttachmentView = { id: 'a5', kind: 'file', label: 'retry.ts', tokens: 2100 };

/** The sum of the breakdown's parts, and an answer of 900. */
export const ESTIMATE: EstimateView = {
  state: 'known',
  inputTokens: 12_830,
  estimated: true,
  parts: { system: 1650, messages: 4580, answers: 6600 },
  historyTokens: 8400,
  attachmentTokens: 1830,
  messageTokens: 2600,
  expectedOutputTokens: 900,
  maxOutputTokens: 4096,
  inputCost: 0.03849,
  expectedCost: 0.05199,
  maxCost: 0.09993,
  balanceAfter: 12.394,
};

export function user(
  id: string,
  text: string,
  attachments: readonly AttachmentView[] = [],
  branch?: BranchView,
): UserTurn {
  return { role: 'user', id, text, attachments, ...(branch !== undefined && { branch }) };
}

export function answer(id: string, text: string, rest: Partial<AnswerTurn> = {}): AnswerTurn {
  return {
    role: 'assistant',
    id,
    model: 'familya-sonnet-4.6',
    format: 'messages',
    sandbox: false,
    reasoning: '',
    text,
    status: 'complete',
    ...rest,
  };
}

export const QUESTION = user(
  'u2',
  'Two tabs refresh the session at once and one gets signed out. Is this a race in `refresh`?',
  [SELECTION, STORE_FILE],
);

const FIRST_HALF = `Yes. Both callers see an expired token before either stores a new one, so **each sends its own refresh**. The server accepts a refresh token once; the second caller is refused.

Share the request in flight:

\`\`\`ts session.ts
let pending: Promise<Token> | undefined;

export function refresh() {
  pending ??= renew().finally(() => {
    pending = undefined;
  });
  return pending;
}
\`\`\`

`;

export const STREAMED = `${FIRST_HALF}This covers one window. Tabs share no memory, so across tabs take a lock with \`navigator.locks\``;

const WHOLE = `${FIRST_HALF}This covers one window. Tabs share no memory, so across tabs take a lock and read the store again inside it:

\`\`\`ts tokenStore.ts
const renewLocked = () =>
  navigator.locks.request('refresh', async () => {
    const held = await store.read();
    return held.isFresh ? held : renew();
  });
\`\`\``;

const REASONING = `The report says two tabs. Each tab has its own module state, so a variable in \`session.ts\` cannot be shared.

First check whether \`refresh\` guards against a second call in one tab. It does not: nothing is kept between the check of the expiry and the write.`;

export const REASONED: Partial<AnswerTurn> = { reasoning: REASONING, reasoningMs: 3100 };

export const EARLIER = [
  user('u1', 'Why does `loadSession` run twice at start?'),
  answer(
    'b1',
    'The provider mounts under `StrictMode`, which runs effects twice in development. In production it runs once per tab, and a reload of the tab starts with the old pair.',
    {
      figures: {
        inputTokens: 2400,
        outputTokens: 318,
        cost: 0.0121,
        firstTokenMs: 800,
        tokensPerSecond: 61,
        estimated: false,
      },
    },
  ),
];

export const DONE = answer('b2', WHOLE, {
  ...REASONED,
  figures: {
    inputTokens: 4100,
    outputTokens: 702,
    reasoningTokens: 412,
    cost: 0.0228,
    firstTokenMs: 900,
    tokensPerSecond: 57,
    estimated: false,
  },
});

export const MARKDOWN = `# Plan for the migration

Three steps, **each safe to run twice**. See [the guide](https://example.com/guide) and \`docs/migrate.md\`; raw generics such as Promise<Token> stay as they are, and press <kbd>Ctrl</kbd>+<kbd>S</kbd>.

## Steps

1. Add the column without a default.
   - It locks the table for a moment only.
   - *Old* code ignores it.
2. Fill it in batches:

   \`\`\`sql 0042_add_owner.sql
   ALTER TABLE items ADD COLUMN
     IF NOT EXISTS owner_id bigint;
   \`\`\`

3. ~~Drop the old one~~ Keep the old one for a week.

| Step | Rows | Time | Lock held | Can be undone |
|:-----|-----:|-----:|:---------:|---------------|
| Add | 0 | 0.1 s | yes | yes |
| Fill | 1,204,551 | 14 min | no | yes |
| Check | 1,204,551 | 2 min | no | nothing to undo |

> The fill is the only slow one. It may be stopped and started again.

> [!NOTE]
> The application keeps running meanwhile.

> [!WARNING]
> Take a backup first. \`DROP COLUMN\` cannot be undone.

\`\`\`sh
npm run migrate
\`\`\`

- [x] Backup taken
- [ ] Batch size agreed

---

![Graph of the fill](https://example.com/fill.png)

\`\`\`
plain text without a language, in a line that is longer than the panel is wide
\`\`\``;

export const STARTERS: readonly StarterView[] = [
  { id: 'explain', title: 'Explain quote.ts', detail: 'Attaches the file and counts its tokens' },
  { id: 'table', title: 'Summarize quote.ts in a table', detail: 'Answers with headings, a table, and a formula' },
  { id: 'improve', title: 'Improve quote.ts', detail: 'Proposes an edit that you review' },
];
export const TASK_STARTERS: readonly StarterView[] = [
  { id: 'fix', title: 'Fix a bug in quote.ts', detail: 'Edits the code and runs the tests' },
  { id: 'tests', title: 'Write tests for quote.ts', detail: 'Adds tests and runs them' },
  { id: 'readme', title: 'Update the README', detail: 'Reads the code and edits one file' },
];

/** The estimate while the pointer is on a starter. */
export const PREVIEWED: EstimateView = {
  state: 'known',
  inputTokens: 301,
  estimated: true,
  parts: { messages: 301 },
  attachmentTokens: 280,
  messageTokens: 21,
  expectedCost: 0.0058,
  balanceAfter: 12.44,
};

export const BASE: ChatState = {
  connection: 'hosted',
  conversationId: 'c1',
  title: 'Session refresh race',
  turns: [],
  spent: { cost: 0.0349 },
  catalog: CATALOG,
  model: 'familya-sonnet-4.6',
  format: 'messages',
  mode: 'ask',
  agents: [],
  canAct: true,
  parameters: { own: {}, defaults: { systemPrompt: '', maxTokens: 4096, stopSequences: [] }, presets: [] },
  attachments: [],
  estimate: { state: 'none' },
  balance: { state: 'current', remaining: 12.4461 },
};
