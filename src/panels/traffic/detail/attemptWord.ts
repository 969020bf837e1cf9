import * as l10n from '@vscode/l10n';
import type { AttemptLane } from './attemptLanes.ts';

const SKIPPED_WORDS: Readonly<Partial<Record<string, () => string>>> = {
  tools: () => l10n.t('skipped: no tools'),
  images: () => l10n.t('skipped: no images'),
  context_window: () => l10n.t('skipped: context window too small'),
};

/** Describes the outcome of an attempt, such as “529 overloaded”. */
export function attemptWord({ outcome, status, reason = '' }: AttemptLane): string {
  const word =
    outcome === 'failed'
      ? failureWord(reason, status)
      : outcome === 'skipped'
        ? (SKIPPED_WORDS[reason]?.() ?? l10n.t('skipped: no support for {0}', reason))
        : outcomeWord(outcome);
  return [status, word].filter((part) => part !== undefined && part !== '').join(' ');
}

function outcomeWord(outcome: AttemptLane['outcome']): string {
  if (outcome === 'running') return l10n.t('running');
  return outcome === 'stopped' ? l10n.t('canceled') : '';
}

/** The reasons for which routes ask the next upstream. */
const FAILURE_WORDS: Readonly<Partial<Record<string, () => string>>> = {
  rate: () => l10n.t('rate limit'),
  server: () => l10n.t('server error'),
  network: () => l10n.t('connection failed'),
  idle: () => l10n.t('timed out'),
  gone: () => l10n.t('model not found'),
  auth: () => l10n.t('key rejected'),
  overflow: () => l10n.t('too long for the model'),
  credit: () => l10n.t('out of credit'),
  refusal: () => l10n.t('refused by the model'),
  filter: () => l10n.t('content filter'),
};

const OVERLOADED = 529;

function failureWord(reason: string, status: number | undefined): string {
  if (status === OVERLOADED || status === 503) return l10n.t('overloaded');
  return FAILURE_WORDS[reason]?.() ?? l10n.t('refused');
}
