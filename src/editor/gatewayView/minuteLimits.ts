import * as l10n from '@vscode/l10n';
import { formatTokensExact, formatWindow } from '../../display/tokens.ts';
import type { LimitedKey } from './limitedKey.ts';

/** A limit of a key per minute, and what the last minute used of it. */
export interface MinuteLimit {
  readonly unit: 'requests' | 'tokens';
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  readonly format: (figure: number) => string;
}

/** Empty if the key has none, or the figures are unknown. */
export function minuteLimits({ key: { limits = {} }, queue }: LimitedKey): MinuteLimit[] {
  if (queue === undefined) return [];
  const { requestsPerMinute, tokensPerMinute } = limits;
  const found: MinuteLimit[] = [];
  if (requestsPerMinute !== undefined) {
    const label = l10n.t('Requests per minute');
    found.push({ unit: 'requests', label, used: queue.requests, limit: requestsPerMinute, format: formatTokensExact });
  }
  if (tokensPerMinute !== undefined) {
    const label = l10n.t('Tokens per minute');
    found.push({ unit: 'tokens', label, used: queue.tokens, limit: tokensPerMinute, format: formatWindow });
  }
  return found;
}

export function usedText({ used, limit, format }: MinuteLimit): string {
  return l10n.t('{0} of {1}', format(used), format(limit));
}
