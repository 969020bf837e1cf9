import type { ApiError, ErrorKind } from '../../formats/apiError.ts';
import type { FailureView, NextStep } from './protocol.ts';

interface Advice {
  readonly title: string;
  /** What to do, as a sentence. */
  readonly fix: string;
  readonly steps: readonly NextStep[];
}

const ADVICE: Readonly<Record<ErrorKind, Advice>> = {
  authentication: {
    title: 'The key was not accepted',
    fix: 'Check it in the dashboard and set it again.',
    steps: ['setKey', 'retry'],
  },
  credit: {
    title: 'Your credit is used up',
    fix: 'Add credit, or use a cheaper model.',
    steps: ['addCredit', 'chooseModel', 'retry'],
  },
  permission: {
    title: 'This key may not do that',
    fix: 'Use another model, or another key.',
    steps: ['chooseModel', 'setKey'],
  },
  notFound: {
    title: 'The service does not know this',
    fix: 'Choose a model of the current list, or check the base address.',
    steps: ['chooseModel', 'openSettings'],
  },
  rateLimit: { title: 'Too many requests right now', fix: 'Wait a moment and retry.', steps: ['retry'] },
  overloaded: {
    title: 'The service is overloaded',
    fix: 'Wait a moment and retry, or use another model.',
    steps: ['retry', 'chooseModel'],
  },
  invalidRequest: {
    title: 'The service refused the request',
    fix: 'Change the message or the model.',
    steps: ['chooseModel', 'newConversation'],
  },
  tooLarge: {
    title: 'The request is too large',
    fix: 'Remove an attachment, or start a new conversation.',
    steps: ['newConversation', 'chooseModel'],
  },
  timeout: { title: 'The service did not answer in time', fix: 'Retry.', steps: ['retry'] },
  network: {
    title: 'The service cannot be reached',
    fix: 'Check the network and the base address, then retry.',
    steps: ['retry', 'openSettings'],
  },
  malformed: {
    title: 'The answer could not be read',
    fix: 'Retry, or use another format. The log has details.',
    steps: ['retry', 'openLog'],
  },
  server: { title: 'The service failed', fix: 'Retry.', steps: ['retry', 'openLog'] },
};

/** Kinds that the service answers with before it does any work. */
const NEVER_CHARGED: ReadonlySet<ErrorKind> = new Set([
  'authentication',
  'credit',
  'permission',
  'notFound',
  'rateLimit',
  'overloaded',
  'invalidRequest',
  'tooLarge',
]);

/** The card for a failed answer: what happened, why, what to do, and whether it was charged. */
export function describeFailure(error: ApiError, hasText: boolean): FailureView {
  const { title, fix, steps } = ADVICE[error.kind];
  const isCut = hasText && (error.kind === 'network' || error.kind === 'timeout');
  return {
    kind: error.kind,
    title: isCut ? 'The answer was cut off' : title,
    detail: [sentence(error.message), fix, charged(error.kind, hasText), request(error.requestId)]
      .filter((part) => part !== '')
      .join(' '),
    steps: hasText ? ['continue', ...steps.filter((step) => step !== 'continue')] : steps,
  };
}

function charged(kind: ErrorKind, hasText: boolean): string {
  if (hasText) return 'What was received is kept and may be charged.';
  return NEVER_CHARGED.has(kind) ? 'Nothing was charged.' : 'It may have been charged; the balance will show it.';
}

function request(id: string | undefined): string {
  return id === undefined ? '' : `Request ${id}.`;
}

function sentence(message: string): string {
  const trimmed = message.trim();
  if (trimmed === '') return '';
  return /[.!?…][)"’”\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
