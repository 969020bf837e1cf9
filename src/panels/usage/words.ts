import * as l10n from '@vscode/l10n';
import { formatMoney, formatSum } from '../../display/money.ts';
import { numberFormat } from '../../display/numberFormat.ts';
import { approximately, formatAccuracy } from '../../display/tokens.ts';
import type { CacheSums, UsageCaller, UsageModel, UsageState, UsageSums } from '../../pages/usage/protocol.ts';
import { localKeyName } from '../shared/localKeyName.ts';

const SOURCE_NAMES: Readonly<Partial<Record<string, () => string>>> = {
  chatPanel: () => l10n.t('Chat panel'),
  chatTitle: () => l10n.t('Chat titles'),
  codeMerge: () => l10n.t('Merges of code'),
  nativeChat: () => l10n.t('Editor’s chat'),
  command: () => l10n.t('Commands'),
  inlineSuggestion: () => l10n.t('Inline suggestions'),
  gateway: () => l10n.t('Gateway'),
};

/** Returns the name of the caller: a part of the editor, or a tool by its local key. */
export function callerName(
  { source, localKeyId }: Pick<UsageCaller, 'source' | 'localKeyId'>,
  state: UsageState,
): string {
  if (source !== 'gateway') return SOURCE_NAMES[source]?.() ?? source;
  if (localKeyId === '') return l10n.t('Gateway, without a valid key');
  return localKeyName(localKeyId, state.keyNames);
}

export function modelName(model: string): string {
  return model === '' ? l10n.t('No model specified') : model;
}

/**
 * Formats the cost of a group of exchanges with one mark at most: that a part is unknown, or else that it contains
 * estimates. The {@link estimateNote} says more. Without any known price the cost is unknown, not zero.
 */
export function costText({ cost, unpriced, estimated }: Pick<UsageSums, 'cost' | 'unpriced' | 'estimated'>): string {
  if (cost === 0 && unpriced > 0) return '–';
  const sum = formatSum(cost);
  if (unpriced > 0) return `${sum} +`;
  return estimated > 0 && cost > 0 ? approximately(sum) : sum;
}

/** Formats the net saving of the cache: reads at a lower price, minus the extra cost of writes. It can be negative. */
export function savingText({ cacheSaving }: Pick<UsageSums, 'cacheSaving'>): string {
  if (cacheSaving === 0) return '–';
  return cacheSaving < 0 ? `−${formatSum(-cacheSaving)}` : formatSum(cacheSaving);
}

type Doubts = Pick<UsageSums, 'unpriced' | 'estimated' | 'unconfirmed'>;

/** Explains why a cost is incomplete or not exact; undefined if it is neither. */
export function estimateNote({ unpriced, estimated, unconfirmed = 0 }: Doubts): string | undefined {
  const open = unconfirmed > 0 ? unconfirmedNote(unconfirmed) : undefined;
  const notes = [unpricedText(unpriced), estimatedText(estimated), open].filter((text) => text !== undefined);
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** Like {@link estimateNote} for a model, with the accuracy of its estimates if it was measured. */
export function modelDoubtText(model: Doubts & Pick<UsageModel, 'accuracy'>): string | undefined {
  const notes = [estimateNote(model), model.accuracy && formatAccuracy(model.accuracy)];
  return notes.filter((text) => text !== undefined).join(' ') || undefined;
}

function unpricedText(unpriced: number): string | undefined {
  if (unpriced === 0) return undefined;
  return unpriced === 1
    ? l10n.t('1 request has no known price. Only its tokens are counted.')
    : l10n.t('{0} requests have no known price. Only their tokens are counted.', count(unpriced));
}

function estimatedText(estimated: number): string | undefined {
  return estimated === 0 ? undefined : l10n.t('Requests with estimated tokens: {0}.', count(estimated));
}

function unconfirmedNote(unconfirmed: number): string {
  return l10n.t(
    'Up to {0} of it is not confirmed, because the upstream did not report the usage.',
    formatMoney(unconfirmed),
  );
}

/** Formats a number: `1,284`. */
export const count = numberFormat();

/** The amounts of a saving as texts, rounded so that the net amount is exactly the difference of the two others. */
interface SavingTexts {
  /** Without a sign. */
  readonly net: string;
  readonly reads: string;
  readonly writes: string;
  /** Whether writes cost more than reads saved. */
  readonly isLoss: boolean;
}

/** The number of decimals from these amounts in US dollars. */
const DECIMALS = [
  [1, 2],
  [0.01, 4],
  [0, 6],
] as const;

export function savingTexts({ readsSaved, writesExtra }: CacheSums): SavingTexts {
  const largest = Math.max(Math.abs(readsSaved), Math.abs(writesExtra));
  const decimals = DECIMALS.find(([from]) => largest >= from)?.[1] ?? 6;
  const steps = 10 ** decimals;
  const [reads, writes] = [Math.round(readsSaved * steps), Math.round(writesExtra * steps)];
  const format = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: decimals });
  const text = (amount: number) => `${amount < 0 ? '−' : ''}$${format(Math.abs(amount) / steps)}`;
  return { net: text(Math.abs(reads - writes)), reads: text(reads), writes: text(writes), isLoss: writes > reads };
}
