import * as l10n from '@vscode/l10n';
import type { AttemptLane } from './attemptLanes.ts';

/** Describes the outcome of an attempt, such as “529 overloaded”. */
export function attemptWord({ outcome, status, reason = '' }: AttemptLane): string {
  const word =
    outcome === 'failed'
      ? failureWord(reason, status)
      : outcome === 'skipped'
        ? skippedWord(reason)
        : outcomeWord(outcome);
  return [status, word].filter((part) => part !== undefined && part !== '').join(' ');
}

function outcomeWord(outcome: AttemptLane['outcome']): string {
  if (outcome === 'running') return l10n.t('running');
  return outcome === 'stopped' ? l10n.t('canceled') : '';
}

const OVERLOADED = 529;

/** Describes a failure by the reasons for which routes ask the next upstream. */
function failureWord(reason: string, status: number | undefined): string {
  if (status === OVERLOADED || status === 503) return l10n.t('overloaded');
  switch (reason) {
    case 'rate':
      return l10n.t('rate limit');
    case 'server':
      return l10n.t('server error');
    case 'network':
      return l10n.t('connection failed');
    case 'idle':
      return l10n.t('timed out');
    case 'gone':
      return l10n.t('model not found');
    case 'auth':
      return l10n.t('key rejected');
    case 'overflow':
      return l10n.t('too long for the model');
    case 'credit':
      return l10n.t('out of credit');
    case 'refusal':
      return l10n.t('refused by the model');
    case 'filter':
      return l10n.t('content filter');
    default:
      return l10n.t('refused');
  }
}

function skippedWord(reason: string): string {
  switch (reason) {
    case 'tools':
      return l10n.t('skipped: no tools');
    case 'images':
      return l10n.t('skipped: no images');
    case 'context_window':
      return l10n.t('skipped: context window too small');
    default:
      return l10n.t('skipped: no support for {0}', reason);
  }
}
