import * as l10n from '@vscode/l10n';

/** Explains why a request is in the queue of its key. */
export function waitText(limit: 'parallel' | 'requestsPerMinute' | 'tokensPerMinute'): string {
  switch (limit) {
    case 'parallel':
      return l10n.t('Waiting for the key’s limit of parallel requests');
    case 'requestsPerMinute':
      return l10n.t('Waiting for the key’s limit of requests per minute');
    case 'tokensPerMinute':
      return l10n.t('Waiting for the key’s limit of tokens per minute');
  }
}
