import * as l10n from '@vscode/l10n';
import type { UsageReport, UsageState } from '../../pages/usage/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { BalanceSection } from './balance.tsx';
import { Branches } from './branches.tsx';
import { CacheSection } from './cacheSection.tsx';
import { CallerBars, CallerTable, ClientTable, ConversationTable } from './callers.tsx';
import { Contexts } from './contexts.tsx';
import { DistributionPlot } from './distributionPlot.tsx';
import { Figures } from './figures.tsx';
import { Header } from './header.tsx';
import { FirstTokenPlot, TokensPlot } from './linePlots.tsx';
import { ModelTable } from './modelTable.tsx';
import { ProblemCard } from './problemCard.tsx';
import { SectionLinks } from './sectionLinks.tsx';
import type { ChartSeries } from './series.ts';
import { Sessions } from './sessions.tsx';
import { SpendPlot } from './spendPlot.tsx';
import { useStore } from './store.ts';
import { Budgets, TeamLine, TeamReport } from './teamUsage.tsx';
import { costText } from './words.ts';

/** The whole view. It is empty until the host's first message. */
export function UsagePage() {
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
        {state.team === undefined && state.report !== undefined && state.report.totals.exchanges > 0 && (
          <SectionLinks />
        )}
        <Figures state={state} />
        {state.team !== undefined && <TeamReport team={state.team} />}
        {state.report !== undefined && <Report state={state} report={state.report} />}
      </div>
    </main>
  );
}

function Report({ state, report }: { readonly state: UsageState; readonly report: UsageReport }) {
  const series = useStore().colors.of(report.models);
  if (state.team !== undefined) return <LocalDetails state={state} report={report} series={series} />;
  return (
    <>
      <SpendPlot report={report} series={series} />
      {report.totals.exchanges > 0 && <Details state={state} report={report} series={series} />}
      <BalanceSection state={state} report={report} />
    </>
  );
}

/** Beside the figures of a team's gateway: what this computer has recorded, which has tools and conversations, too. */
function LocalDetails(props: DetailsProps) {
  if (props.report.totals.exchanges === 0) return null;
  return (
    <>
      <section class="section local">
        <div class="plot-head">
          <h2>{l10n.t('On this computer')}</h2>
        </div>
        <p class="quiet">{l10n.t('Recorded by this editor and its local gateway.')}</p>
      </section>
      <Details {...props} />
    </>
  );
}

interface DetailsProps {
  readonly state: UsageState;
  readonly report: UsageReport;
  readonly series: readonly ChartSeries[];
}

function Details({ state, report, series }: DetailsProps) {
  const store = useStore();
  return (
    <>
      <div class="row thirds">
        <CallerBars report={report} state={state} />
        <TokensPlot report={report} />
        <FirstTokenPlot report={report} />
      </div>
      <div class="row models">
        <section class="section" aria-labelledby="models">
          <h2 id="models" class="hidden-text" tabIndex={-1}>
            {l10n.t('Models')}
          </h2>
          <ModelTable report={report} series={series} />
        </section>
        <section class="section" aria-labelledby="keys">
          <h2 id="keys" class="hidden-text" tabIndex={-1}>
            {l10n.t('Keys')}
          </h2>
          <CallerTable report={report} state={state} />
        </section>
      </div>
      <CacheSection state={state} report={report} />
      {state.sessions !== undefined && <Sessions sessions={state.sessions} state={state} />}
      {state.sessions !== undefined && <Branches {...state.sessions} />}
      {state.contexts !== undefined && <Contexts lines={state.contexts} />}
      <div class="row halves">
        {report.conversations.length > 0 && (
          <ConversationTable
            report={report}
            state={state}
            onOpen={(conversationId) => store.post({ type: 'openConversation', conversationId })}
          />
        )}
        {report.clients.length > 0 && <ClientTable report={report} />}
      </div>
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
