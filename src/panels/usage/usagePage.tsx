import * as l10n from '@vscode/l10n';
import './styles/index.css';
import type { UsageReport, UsageState, UsageTab } from '../../pages/usage/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { TAB_CONTENT, Tabs, tabId } from '../shared/tabs.tsx';
import { BalanceSection } from './balance.tsx';
import { Branches } from './branches.tsx';
import { CacheSection } from './cacheSection.tsx';
import { CallerBars, CallerTable } from './callers.tsx';
import { Contexts } from './contexts.tsx';
import { DistributionPlot } from './distributionPlot.tsx';
import { Figures } from './figures.tsx';
import { Header } from './header.tsx';
import { FirstTokenPlot, TokensPlot } from './linePlots.tsx';
import { ModelTable } from './modelTable.tsx';
import { ProblemCard } from './problemCard.tsx';
import type { ChartSeries } from './series.ts';
import { Sessions } from './sessions.tsx';
import { SpendPlot } from './spendPlot.tsx';
import { StoreProvider, UsageStore, useStore } from './store.ts';
import { Budgets, TeamLine, TeamReport } from './teamUsage.tsx';
import { costText } from './words.ts';

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
