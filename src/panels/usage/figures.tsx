import * as l10n from '@vscode/l10n';
import { formatBalance } from '../../display/money.ts';
import { formatDuration } from '../../display/time.ts';
import { formatShare, formatTokens, formatTokensExact } from '../../display/tokens.ts';
import type { UsageReport, UsageState } from '../../pages/usage/protocol.ts';
import { FigureList, type FigureProps } from '../shared/figureList.tsx';
import { periodDays } from './slots.ts';
import { shareOfTeam } from './teamUsage.tsx';
import { costText, count, estimateNote } from './words.ts';

/** The main figures. They are unknown until the report is first read. */
export function Figures({ state }: { readonly state: UsageState }) {
  const report = state.team === undefined ? state.report : state.team.report;
  return <FigureList figures={figuresOf(state, report)} />;
}

function figuresOf(state: UsageState, report: UsageReport | undefined): FigureProps[] {
  const totals = report?.totals;
  const known = (text: (sums: NonNullable<typeof totals>) => string) => (totals === undefined ? '–' : text(totals));
  return [
    {
      label: state.team === undefined ? l10n.t('Spent') : l10n.t('Spent by my key'),
      value: known(costText),
      exact: totals && estimateNote(totals),
      note: state.team === undefined ? balanceNote(state) : shareOfTeam(state),
    },
    { label: l10n.t('Requests'), value: known(({ exchanges }) => count(exchanges)), note: requestsNote(state, report) },
    {
      label: l10n.t('Input tokens'),
      value: known(({ inputTokens }) => formatTokens(inputTokens)),
      exact: totals && formatTokensExact(totals.inputTokens),
      note: totals && cacheNote(totals.cachedInputTokens, totals.inputTokens),
    },
    {
      label: l10n.t('Output tokens'),
      value: known(({ outputTokens }) => formatTokens(outputTokens)),
      exact: totals && formatTokensExact(totals.outputTokens),
      note: totals && reasoningNote(totals.reasoningTokens),
    },
    {
      label: l10n.t('Time to first token'),
      value: report?.firstByte === undefined ? '–' : formatDuration(report.firstByte.median),
      note: report?.firstByte && l10n.t('median, {0} at p95', formatDuration(report.firstByte.p95)),
    },
  ];
}

function balanceNote({ balance }: UsageState): string | undefined {
  return balance === undefined ? undefined : l10n.t('Balance {0}', formatBalance(balance));
}

/** The failed requests are included. Those of the sandbox are never added to others, so they are named apart. */
function requestsNote({ connection }: UsageState, report: UsageReport | undefined): string | undefined {
  if (report === undefined) return undefined;
  const { exchanges, failed } = report.totals;
  const { notCounted = 0 } = report;
  const days = periodDays(report.period).length;
  const perDay = Math.round(exchanges / days);
  const daily = days === 1 || perDay === 0 ? undefined : l10n.t('{0} per day', count(perDay));
  const failures = failed === 0 ? undefined : l10n.t('{0} failed', count(failed));
  const others = notCounted === 0 ? undefined : notCountedText(notCounted, connection === 'sandbox');
  return [daily, failures, others].filter((part) => part !== undefined).join(' · ');
}

function notCountedText(exchanges: number, isSandbox: boolean): string {
  return isSandbox
    ? l10n.t('not counted: {0} not sent to the sandbox', count(exchanges))
    : l10n.t('not counted: {0} in the sandbox', count(exchanges));
}

function cacheNote(cached: number, input: number): string | undefined {
  return input === 0 ? undefined : l10n.t('{0} from cache', formatShare(cached / input));
}

function reasoningNote(tokens: number): string | undefined {
  return tokens === 0 ? undefined : l10n.t('{0} reasoning', formatTokens(tokens));
}
