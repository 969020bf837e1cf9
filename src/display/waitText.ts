import * as l10n from '@vscode/l10n';

const TEXTS: Readonly<Record<'parallel' | 'requestsPerMinute' | 'tokensPerMinute', () => string>> = {
  parallel: () => l10n.t('Waiting for the key’s limit of parallel requests'),
  requestsPerMinute: () => l10n.t('Waiting for the key’s limit of requests per minute'),
  tokensPerMinute: () => l10n.t('Waiting for the key’s limit of tokens per minute'),
};

/** Explains why a request is in the queue of its key. */
export const waitText = (limit: 'parallel' | 'requestsPerMinute' | 'tokensPerMinute'): string => TEXTS[limit]();
