import * as l10n from '@vscode/l10n';
import { dayOf, formatDay, startOfDay } from '../../display/day.ts';
import { formatMoney } from '../../display/money.ts';
import { ownClientWord } from '../../display/sessionName.ts';
import { formatClockSeconds } from '../../display/time.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import { waitText } from '../../display/waitText.ts';
import type { FinishReason } from '../../formats/answer.ts';
import type { TrafficChoice, TrafficRow, ViewContext } from '../../pages/traffic/protocol.ts';
import type { Outcome } from '../../rules/exchange.ts';
import { localKeyName } from '../shared/localKeyName.ts';
import { tokensAreEstimated } from './detail/attemptLanes.ts';

/** The text of an unknown figure. */
export const UNKNOWN = '—';

export type Result = Outcome | 'running';

const RESULT_WORDS: Readonly<Record<Result, () => string>> = {
  running: () => l10n.t('Running'),
  completed: () => l10n.t('Completed'),
  failed: () => l10n.t('Failed'),
  refused: () => l10n.t('Refused'),
  stopped: () => l10n.t('Stopped'),
};

export const resultWord = (result: Result): string => RESULT_WORDS[result]();

const END_WORDS: Readonly<Record<Exclude<NonNullable<TrafficRow['end']>, 'completed' | 'lost'>, () => string>> = {
  upstreamFailed: () => l10n.t('The upstream failed'),
  refused: () => l10n.t('Refused by the gateway'),
  budget: () => l10n.t('Over the key’s budget or cap'),
  clientLeft: () => l10n.t('The client disconnected'),
  cancelled: () => l10n.t('Canceled here'),
};

/** Describes why a request ended, in more detail than its result. */
export function endWord({ end, status, waitsFor }: Pick<TrafficRow, 'end' | 'status' | 'waitsFor'>): string {
  const code = status === undefined ? '' : String(status);
  if (end === undefined) return waitsFor === undefined ? l10n.t('Running') : waitText(waitsFor);
  if (end === 'completed') return code;
  if (end === 'lost') return l10n.t('The gateway stopped before the answer ended');
  return joined(code, END_WORDS[end]());
}

export const RESULT_ICONS: Readonly<Record<Result, string>> = {
  running: 'circle-filled',
  completed: 'pass',
  failed: 'error',
  refused: 'error',
  stopped: 'circle-slash',
};

/** Keys that are not named after a tool are less informative than the program's name. */
const UNNAMED_KEYS: ReadonlySet<string> = new Set(['default', 'terminals']);

/** Returns the name of the caller. */
export function toolName(
  row: Pick<TrafficRow, 'source' | 'localKeyId' | 'client'>,
  viewContext: ViewContext | undefined,
): string {
  if (row.source !== 'gateway') return sourceWord(row.source);
  const own = ownClientWord(row.client);
  if (own !== undefined) return own;
  const key = keyName(row, viewContext);
  const isNamed = key !== undefined && !UNNAMED_KEYS.has(key.toLowerCase());
  return (isNamed ? key : undefined) ?? row.client ?? key ?? l10n.t('Unknown tool');
}

const SOURCE_WORDS: Readonly<Record<NonNullable<TrafficChoice['source']>, () => string>> = {
  gateway: () => l10n.t('Gateway'),
  chatPanel: () => l10n.t('Chat'),
  chatTitle: () => l10n.t('Chat title'),
  codeMerge: () => l10n.t('Merge of code'),
  nativeChat: () => l10n.t('Editor’s chat'),
  command: () => l10n.t('Command'),
  inlineSuggestion: () => l10n.t('Inline suggestion'),
};

/** Returns the name of the source: the gateway, or a part of the extension. */
export const sourceWord = (source: NonNullable<TrafficChoice['source']>): string => SOURCE_WORDS[source]();

export function keyName(
  { localKeyId }: Pick<TrafficRow, 'localKeyId'>,
  viewContext: ViewContext | undefined,
): string | undefined {
  const isKnown = localKeyId !== undefined && viewContext !== undefined;
  return isKnown ? localKeyName(localKeyId, viewContext.keyNames) : undefined;
}

export function tokensText(row: TrafficRow, of: 'inputTokens' | 'outputTokens'): string {
  if (row.usage === undefined) return UNKNOWN;
  const text = formatTokens(row.usage[of]);
  return tokensAreEstimated(row) ? approximately(text) : text;
}

/** Whether the sandbox answered, so that amounts are samples. */
export function isSample({ upstream }: Pick<TrafficRow, 'upstream'>): boolean {
  return upstream === 'sandbox';
}

/** Formats the cost of a request, marked if its tokens are an estimate. */
export function chargeText({ usageIsEstimated }: Pick<TrafficRow, 'usageIsEstimated'>, cost: number): string {
  return usageIsEstimated === true && cost > 0 ? approximately(formatMoney(cost)) : formatMoney(cost);
}

/** Formats the cost, or the status of a failed request, which costs nothing. */
export function costText(row: TrafficRow): string {
  if (row.cost !== undefined) return chargeText(row, row.cost);
  return row.end !== undefined && row.status !== undefined && row.status >= 400 ? String(row.status) : UNKNOWN;
}

/** Formats what a request has cost, for a text about it. Undefined if that is unknown. */
export function paidText(row: TrafficRow): string | undefined {
  if (row.cost === undefined) return undefined;
  return chargeText(row, row.cost);
}

/** Returns the tooltip of a cost, which explains the color of sample money. */
export function costTitle(cost: string, isOfSandbox: boolean): string {
  return isOfSandbox ? `${cost} · ${l10n.t('Sandbox: sample money')}` : cost;
}

/** Formats a number of requests: `1,284 requests`. */
export function exchangesText(count: number): string {
  return count === 1 ? l10n.t('1 request') : l10n.t('{0} requests', count.toLocaleString('en-US'));
}

export { formatClockSeconds as clockTime };

/**
 * Names a span of time, in milliseconds since the epoch; the end does not belong to it. Whole days are written without
 * times: `30 Oct – 28 Nov`.
 */
export function spanWord(from: number | undefined, to: number | undefined): string {
  const isWholeDays = [from, to].every((at) => at === undefined || at === startOfDay(dayOf(at)));
  const words = (at: number) =>
    isWholeDays ? formatDay(dayOf(at)) : `${formatDay(dayOf(at))} ${formatClockSeconds(at)}`;
  const last = isWholeDays && to !== undefined ? to - 1 : to;
  if (from === undefined) return l10n.t('Until {0}', words(last ?? 0));
  if (last === undefined) return l10n.t('Since {0}', words(from));
  return words(from) === words(last) ? words(from) : `${words(from)} – ${words(last)}`;
}

/** Formats a size: `46 KB`. */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return l10n.t('{0} bytes', bytes);
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns the finish reason as text. Unknown reasons are returned unchanged. */
export function finishWord(reason: string): string {
  return finishWords()[reason as FinishReason] ?? reason;
}

function finishWords(): Readonly<Record<FinishReason, string>> {
  return {
    stop: l10n.t('end of answer'),
    stopSequence: l10n.t('stop sequence'),
    length: l10n.t('token limit'),
    toolCalls: l10n.t('tool calls'),
    refusal: l10n.t('refusal'),
    contentFilter: l10n.t('content filter'),
    pause: l10n.t('pause'),
    contextWindow: l10n.t('context window full'),
  };
}
