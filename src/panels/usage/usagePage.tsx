import * as l10n from '@vscode/l10n';
import './styles/index.css';
import { formatBalance } from '../../display/money.ts';
import { formatDuration } from '../../display/time.ts';
import { formatShare, formatTokens, formatTokensExact } from '../../display/tokens.ts';
import type { UsageReport, UsageState, UsageTab } from '../../pages/usage/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { FigureList, type FigureProps } from '../shared/figureList.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { TAB_CONTENT, Tabs, tabId } from '../shared/tabs.tsx';
import { BalanceSection } from './balance.tsx';
import { Branches } from './branches.tsx';
import { CacheSection } from './cacheSection.tsx';
import { CallerBars, CallerTable } from './callers.tsx';
import { Contexts } from './contexts.tsx';
import { DistributionPlot } from './distributionPlot.tsx';
import { Header } from './header.tsx';
import { FirstTokenPlot, TokensPlot } from './linePlots.tsx';
import { ModelTable } from './modelTable.tsx';
import { ProblemCard } from './problemCard.tsx';
import type { ChartSeries } from './series.ts';
import { Sessions } from './sessions.tsx';
import { periodDays } from './slots.ts';
import { SpendPlot } from './spendPlot.tsx';
import { StoreProvider, UsageStore, useStore } from './store.ts';
import { Budgets, shareOfTeam, TeamLine, TeamReport } from './teamUsage.tsx';
import { costText, count, estimateNote } from './words.ts';

/** The whole view. It is empty until the host's first message. */
function UsagePage() {
  const state = useStore().state.value;
  if (state === undefined) return null;
  return (
    <main class={state.connection === 'sandbox' ? 'usage sample' : 'usage'} aria-busy={state.isReading}>
      <div class="page">
        <Header state={state} />
        {state.team !== undefined && <TeamLine team={state.team} />}
        {state.connection === 'sandbox' && <SandboxNote />}
        {state.problem !== undefined && <ProblemCard title={l10n.t('Could not read usage')} problem={state.problem} />}
        {state.team !== undefined && <Budgets account={state.team.account} />}
        <Figures state={state} />
        {state.team !== undefined && <TeamReport team={state.team} />}
        {state.report !== undefined && <Report state={state} report={state.report} />}
      </div>
    </main>
  );
}

function Report({ state, report }: { readonly state: UsageState; readonly report: UsageReport }) {
  const series = useStore().colors.of(report.models);
  if (report.totals.exchanges > 0) return <Details state={state} report={report} series={series} />;
  if (state.team !== undefined) return null;
  return (
    <>
      <SpendPlot report={report} series={series} />
      <BalanceSection state={state} report={report} />
    </>
  );
}

interface DetailsProps {
  readonly state: UsageState;
  readonly report: UsageReport;
  readonly series: readonly ChartSeries[];
}

/** What the requests of the period were for, one view of them at a time. */
function Details(props: DetailsProps) {
  const store = useStore();
  const { state } = props;
  const kept = store.tab.value;
  const tabs = TABS.filter(([name]) => isOffered(name, state, kept)).map(([name, label]) => [name, label()] as const);
  const tab = tabs.some(([name]) => name === kept) ? kept : 'spend';
  return (
    <>
      {state.team !== undefined && (
        <section class="section local">
          <div class="plot-head">
            <h2>{l10n.t('On this computer')}</h2>
          </div>
          <p class="quiet">{l10n.t('Recorded by this editor and its local gateway.')}</p>
        </section>
      )}
      <Tabs label={l10n.t('Views of the usage')} tabs={tabs} chosen={tab} onChoose={(name) => store.chooseTab(name)} />
      <div class="tab-content" role="tabpanel" id={TAB_CONTENT} aria-labelledby={tabId(tab)}>
        <View {...props} tab={tab} />
      </div>
    </>
  );
}

const TABS: readonly (readonly [UsageTab, label: () => string])[] = [
  ['spend', () => l10n.t('Spend')],
  ['models', () => l10n.t('Models')],
  ['keys', () => l10n.t('Keys')],
  ['sessions', () => l10n.t('Sessions')],
  ['cache', () => l10n.t('Cache')],
  ['contexts', () => l10n.t('Contexts')],
  ['branches', () => l10n.t('Branches')],
];

/** Tabs without contents are not offered. The one that was chosen stays while its contents are read. */
function isOffered(tab: UsageTab, { sessions, contexts }: UsageState, kept: UsageTab): boolean {
  const counts: Readonly<Partial<Record<UsageTab, number | undefined>>> = {
    sessions: sessions?.count,
    contexts: contexts?.length,
    branches: sessions?.byBranch.length,
  };
  return tab in counts ? (counts[tab] ?? (tab === kept ? 1 : 0)) > 0 : true;
}

function View({ tab, state, report, series }: DetailsProps & { readonly tab: UsageTab }) {
  const { sessions } = state;
  switch (tab) {
    case 'spend':
      return <SpendView state={state} report={report} series={series} />;
    case 'models':
      return <ModelView state={state} report={report} series={series} />;
    case 'keys':
      return <CallerTable report={report} state={state} />;
    case 'sessions':
      return sessions === undefined ? null : <Sessions sessions={sessions} state={state} />;
    case 'cache':
      return <CacheSection state={state} report={report} />;
    case 'contexts':
      return <Contexts lines={state.contexts ?? []} />;
    case 'branches':
      return sessions === undefined ? null : <Branches {...sessions} />;
  }
}

function SpendView({ state, report, series }: DetailsProps) {
  return (
    <>
      {state.team === undefined && <SpendPlot report={report} series={series} />}
      <div class="row thirds">
        <CallerBars report={report} state={state} />
        <TokensPlot report={report} />
        <FirstTokenPlot report={report} />
      </div>
      {state.team === undefined && <BalanceSection state={state} report={report} />}
    </>
  );
}

function ModelView({ state, report, series }: DetailsProps) {
  return (
    <>
      <ModelTable report={report} series={series} />
      {state.whatIf !== undefined && state.whatIf.length > 0 && (
        <CostRanges
          charged={report.totals.cost}
          chargedLabel={state.connection === 'sandbox' ? l10n.t('Total') : l10n.t('As charged')}
          chargedText={costText(report.totals)}
          rows={state.whatIf}
        >
          <p class="quiet">
            <RangeNote />
          </p>
        </CostRanges>
      )}
      <div class="row halves">
        <DistributionPlot title={l10n.t('Time to first token')} distribution={report.firstByte} />
        <DistributionPlot title={l10n.t('Time to complete answer')} distribution={report.duration} />
      </div>
    </>
  );
}

export const startUsage = pageStarter(UsageStore, StoreProvider, UsagePage);

/** The main figures. They are unknown until the report is first read. */
function Figures({ state }: { readonly state: UsageState }) {
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
