import * as l10n from '@vscode/l10n';
import { formatMoney, formatSum } from '../../display/money.ts';
import { formatShare } from '../../display/tokens.ts';
import type { CacheUsage, MissSums, UsageReport, UsageState } from '../../pages/usage/protocol.ts';
import { Avoidable } from '../shared/avoidable.tsx';
import { LinkButton } from '../shared/button.tsx';
import { FigureList, type FigureProps } from '../shared/figureList.tsx';
import { Icon } from '../shared/icon.tsx';
import { missAdvice, missWord } from '../shared/missWords.ts';
import { Bars } from './bars.tsx';
import { CachePlot } from './cachePlot.tsx';
import { ProblemCard } from './problemCard.tsx';
import { boundsOfPeriod, periodDays } from './slots.ts';
import { useStore } from './store.ts';
import { count, savingTexts } from './words.ts';

const MAX_CAUSES = 5;
/** Fewer misses may be a coincidence. */
const MIN_FOR_TIP = 5;

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

function missesText({ misses, missedSessions }: CacheUsage): string | undefined {
  if (misses === 0) return undefined;
  const all = misses === 1 ? l10n.t('1 miss') : l10n.t('{0} misses', count(misses));
  if (missedSessions === 0) return all;
  return missedSessions === 1
    ? l10n.t('{0} in 1 session', all)
    : l10n.t('{0} in {1} sessions', all, count(missedSessions));
}

interface MissesProps {
  readonly report: UsageReport;
  readonly misses: readonly MissSums[];
}

/** The avoidable misses by cause, the most expensive first, and a tip against the one that costs most. */
function CacheMisses({ report, misses }: MissesProps) {
  const store = useStore();
  const open = (reason: string) => store.openTraffic({ text: `miss:${reason}`, ...boundsOfPeriod(report.period) });
  const shown = misses.length > MAX_CAUSES + 1 ? misses.slice(0, MAX_CAUSES) : misses;
  const others = misses.slice(shown.length);
  return (
    <section class="section">
      <div class="plot-head">
        <h3>{l10n.t('Avoidable misses by cause')}</h3>
      </div>
      {misses.length === 0 && <p class="nothing">{l10n.t('No avoidable misses in this period')}</p>}
      <Bars
        color="misses"
        rows={[
          ...shown.map((miss) => ({
            ...rowOf(miss),
            key: miss.reason,
            name: missWord(miss.reason),
            title: l10n.t('Show these requests in Traffic'),
            onOpen: () => open(miss.reason),
          })),
          ...(others.length === 0
            ? []
            : [
                { ...rowOf(sumOf(others)), key: '', name: l10n.t('{0} others', others.length), color: 'series-others' },
              ]),
        ]}
      />
      <Tip misses={misses} onShow={open} />
    </section>
  );
}

function rowOf({ exchanges, cost }: Pick<MissSums, 'exchanges' | 'cost'>) {
  return { value: cost, text: `${count(exchanges)} · ${formatMoney(cost)}` };
}

function sumOf(misses: readonly MissSums[]): Pick<MissSums, 'exchanges' | 'cost'> {
  return {
    exchanges: misses.reduce((sum, { exchanges }) => sum + exchanges, 0),
    cost: misses.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** One tip at most, for the most expensive cause that occurs often and that the reader can do something about. */
function Tip({ misses, onShow }: { readonly misses: readonly MissSums[]; readonly onShow: (reason: string) => void }) {
  const miss = misses.find(({ reason, exchanges }) => exchanges >= MIN_FOR_TIP && missAdvice(reason) !== undefined);
  if (miss === undefined) return null;
  const { reason, exchanges } = miss;
  return (
    <div class="tip">
      <Icon name="lightbulb" />
      <div>
        <p>{l10n.t('{0}, {1} times. {2}.', missWord(reason), count(exchanges), missAdvice(reason) ?? '')}</p>
        <div class="links">
          <LinkButton label={l10n.t('Show the {0} requests', count(exchanges))} onClick={() => onShow(reason)} />
          <CachingLink label={l10n.t('How to avoid it')} />
        </div>
      </div>
    </div>
  );
}

/** Opens the page about caches: what they cost, why they miss, and what to do about it. */
function CachingLink({ label }: { readonly label: string }) {
  const store = useStore();
  return <LinkButton label={label} onClick={() => store.post({ type: 'openCaching' })} />;
}
