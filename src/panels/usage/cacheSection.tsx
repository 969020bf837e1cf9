import * as l10n from '@vscode/l10n';
import { formatSum } from '../../display/money.ts';
import { formatShare } from '../../display/tokens.ts';
import type { CacheUsage, UsageReport, UsageState } from '../../pages/usage/protocol.ts';
import { FigureList, type FigureProps } from '../shared/figureList.tsx';
import { Icon } from '../shared/icon.tsx';
import { CacheMisses, CachingLink } from './cacheMisses.tsx';
import { CachePlot } from './cachePlot.tsx';
import { savingTexts } from './cacheSums.ts';
import { ProblemCard } from './problemCard.tsx';
import { periodDays } from './slots.ts';
import { count } from './words.ts';

/** What caches saved in the period, what they cost, and what was missed. */
export function CacheSection({ state, report }: { readonly state: UsageState; readonly report: UsageReport }) {
  const { sessions, sessionsProblem } = state;
  const isUnused = sessions !== undefined && isEmpty(report, sessions.cache);
  return (
    <section class="section cache" aria-labelledby="cache">
      <h2 id="cache" class="hidden-text">
        {l10n.t('Cache')}
      </h2>
      {sessionsProblem !== undefined && (
        <ProblemCard title={l10n.t('Could not read sessions and caches')} problem={sessionsProblem} />
      )}
      {isUnused ? (
        <p class="nothing">
          {l10n.t('Nothing was read from a cache in this period.')}{' '}
          <CachingLink label={l10n.t('About prompt caches')} />
        </p>
      ) : (
        <FigureList figures={figuresOf(report, sessions?.cache)} />
      )}
      {sessions !== undefined && !isUnused && (
        <div class="row cache-halves">
          <CachePlot report={report} cache={sessions.cache} />
          <CacheMisses report={report} misses={sessions.misses} />
        </div>
      )}
    </section>
  );
}

function isEmpty({ totals }: UsageReport, { misses, readsSaved, writesExtra }: CacheUsage): boolean {
  const isUsed = totals.cachedInputTokens > 0 || totals.cacheWriteTokens > 0;
  return !isUsed && misses === 0 && readsSaved === 0 && writesExtra === 0;
}

/** Without sums, the figures are unknown. */
function figuresOf(report: UsageReport, cache: CacheUsage | undefined): FigureProps[] {
  const { totals, period } = report;
  const texts = cache && savingTexts(cache);
  const net = cache === undefined ? 0 : cache.readsSaved - cache.writesExtra;
  return [
    {
      label: texts?.isLoss === true ? l10n.t('Extra cost') : l10n.t('Net saved'),
      value: texts?.net ?? '–',
      note: cache && l10n.t('{0} without the cache', formatSum(totals.cost + net)),
    },
    { label: l10n.t('Saved by reads'), value: texts?.reads ?? '–', note: l10n.t('against the input price') },
    { label: l10n.t('Extra cost of writes'), value: texts?.writes ?? '–', note: l10n.t('over the input price') },
    {
      label: l10n.t('Hit rate'),
      value: totals.inputTokens === 0 ? '–' : formatShare(totals.cachedInputTokens / totals.inputTokens),
      note: beforeText(cache?.hitRateBefore, periodDays(period).length),
    },
    {
      label: l10n.t('Avoidable'),
      value: cache === undefined ? '–' : <Avoidable usd={cache.avoidable} />,
      note: cache && missesText(cache),
    },
  ];
}

function beforeText(share: number | undefined, days: number): string | undefined {
  if (share === undefined) return undefined;
  return days === 1
    ? l10n.t('{0} the day before', formatShare(share))
    : l10n.t('{0} in the {1} days before', formatShare(share), days);
}

function Avoidable({ usd }: { readonly usd: number }) {
  if (usd === 0) return <>{formatSum(0)}</>;
  return (
    <span class="avoidable">
      <Icon name="warning" />
      {formatSum(usd)}
    </span>
  );
}

function missesText({ misses, missedSessions }: CacheUsage): string | undefined {
  if (misses === 0) return undefined;
  const all = misses === 1 ? l10n.t('1 miss') : l10n.t('{0} misses', count(misses));
  if (missedSessions === 0) return all;
  return missedSessions === 1
    ? l10n.t('{0} in 1 session', all)
    : l10n.t('{0} in {1} sessions', all, count(missedSessions));
}
