import type { ChatState, ChatTurn, FailureView } from '../../../../src/pages/chat/protocol.ts';
import { answer, EARLIER, ESTIMATE, LOG_FILE, NOW, RETRY_FILE, SCREENSHOT, UNPRICED, user } from '../samples.ts';
import type { GalleryState } from './galleryState.ts';
import { CONVERSATION, chat, DRAFT, small, WRITING } from './parts.ts';

function failed(failure: FailureView, question: string, text = ''): readonly ChatTurn[] {
  return [user('u1', question), answer('b1', text, { status: 'failed', failure })];
}

/** Returns a balance in US dollars that the sample request uses up. */
function remaining(dollars: number): Partial<ChatState> {
  return { balance: { state: 'low', remaining: dollars }, estimate: { ...ESTIMATE, balanceAfter: 0 } };
}

/** States with errors, and with obstacles that prevent sending. */
export const OBSTACLE_STATES: readonly GalleryState[] = [
  {
    name: 'failed-credit',
    title: 'Credit used up (402)',
    state: chat(
      failed(
        {
          kind: 'credit',
          title: 'Your credit is used up',
          detail: 'This request costs about $0.031, and $0.004 is left. Nothing was charged.',
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
          title: 'The service rejected this key',
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
        parts: { system: 800, messages: 182_000, answers: 29_200 },
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
        parts: { system: 1650, messages: 4580, answers: 6600 },
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
      estimate: {
        state: 'known',
        inputTokens: 12_830,
        estimated: true,
        parts: { messages: 12_830 },
        messageTokens: 12_830,
      },
    }),
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
];
