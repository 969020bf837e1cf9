import * as l10n from '@vscode/l10n';
import { numberFormat } from './numberFormat.ts';

/** Formats token counts. All functions take whole tokens. */

const grouped = numberFormat();
const UNITS = [
  { size: 1e9, sign: 'B' },
  { size: 1e6, sign: 'M' },
  { size: 1e3, sign: 'k' },
] as const;

/** Adds the sign of an estimate and a thin space. Never used for a charged amount. */
export function approximately(text: string): string {
  return `≈\u2009${text}`;
}

/** Describes the average error of a model's token estimates; `error` is a fraction. */
export function formatAccuracy({ error, reports }: { readonly error: number; readonly reports: number }): string {
  return l10n.t(
    'Estimates for this model differ from its reported usage by {0} on average. Requests compared: {1}.',
    formatShare(error),
    formatTokensExact(reports),
  );
}

/** Formats a token count: `999`, `1.2k`, `12.8k`, `148k`, `1.3M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  for (const { size, sign } of UNITS) {
    // A count that rounds up to 1.0 of a unit is shown in that unit: 999,950 is `1.0M`, not `1000k`.
    if (tokens >= size * 0.9995) return inUnit(tokens / size) + sign;
  }
  return String(tokens);
}

function inUnit(value: number): string {
  return value < 99.95 ? value.toFixed(1) : value.toFixed(0);
}

/** Formats a context window or a limit: like {@link formatTokens}, without a decimal that is zero: `200k`, `1M`. */
export function formatWindow(tokens: number): string {
  return formatTokens(tokens).replace('.0', '');
}

/** Formats a token count in full: `1,284`. */
export function formatTokensExact(tokens: number): string {
  return grouped(tokens);
}

/**
 * Formats a share as a whole percentage. `share` is a fraction. Only a full share shows 100% and only an empty one 0%,
 * so that the figure never contradicts whether something fits.
 */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '<\u20091%';
  return `${wholePercent(share)}%`;
}

/** Formats a share for a screen reader: `6 percent`. */
export function spokenShare(share: number): string {
  if (share > 0 && share < 0.01) return l10n.t('under 1 percent');
  return l10n.t('{0} percent', wholePercent(share));
}

function wholePercent(share: number): number {
  const percent = Math.round(share * 100);
  if (share < 1) return Math.min(percent, 99);
  return share > 1 ? Math.max(percent, 101) : percent;
}

/** Formats a token count for a screen reader, as precise as {@link formatTokens}: `12,800 tokens`. */
export function spokenTokens(tokens: number): string {
  const rounded = tokens < 1000 ? tokens : roundAsShown(tokens);
  return rounded === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', formatTokensExact(rounded));
}

function roundAsShown(tokens: number): number {
  const unit = UNITS.find(({ size }) => tokens >= size * 0.9995)?.size ?? 1;
  return Math.round(Number(inUnit(tokens / unit)) * unit);
}
