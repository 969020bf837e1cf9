import * as l10n from '@vscode/l10n';
import type { UsageReport, UsageState } from '../../editor/usage/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { Icon } from '../shared/icon.tsx';
import { BalanceSection } from './balance.tsx';
import { CallerBars, CallerTable, ClientTable, ConversationTable } from './callers.tsx';
import { DistributionPlot } from './distributionPlot.tsx';
import { Figures } from './figures.tsx';
import { FirstTokenPlot } from './firstTokenPlot.tsx';
import { Header } from './header.tsx';
import { ModelTable } from './modelTable.tsx';
import type { Series } from './series.ts';
import { Sessions } from './sessions.tsx';
import { SpendPlot } from './spendPlot.tsx';
import { useStore } from './store.ts';
import { TokensPlot } from './tokensPlot.tsx';
import { costText } from './words.ts';

/** The whole view. It is empty until the host's first message. */
export function UsagePage() {
  const state = useStore().state.value;
  if (state === undefined) return null;
  return (
    <main class={state.connection === 'sandbox' ? 'usage sample' : 'usage'} aria-busy={state.isReading}>
      <div class="page">
        <Header state={state} />
        {state.connection === 'sandbox' && <SandboxNote />}
        {state.problem !== undefined && <Problem problem={state.problem} />}
        <Figures state={state} />
        {state.report !== undefined && <Report state={state} report={state.report} />}
      </div>
    </main>
  );
}

function Report({ state, report }: { readonly state: UsageState; readonly report: UsageReport }) {
  const series = useStore().colours.of(report.models);
  return (
    <>
      <SpendPlot report={report} series={series} />
      {report.totals.exchanges > 0 && <Details state={state} report={report} series={series} />}
      <BalanceSection state={state} report={report} />
    </>
  );
}

interface DetailsProps {
  readonly state: UsageState;
  readonly report: UsageReport;
  readonly series: readonly Series[];
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
        <ModelTable report={report} series={series} />
        <CallerTable report={report} state={state} />
      </div>
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
      {state.sessions !== undefined && <Sessions sessions={state.sessions} state={state} />}
      <div class="row halves">
        <DistributionPlot title={l10n.t('Time to first token')} distribution={report.firstByte} />
        <DistributionPlot title={l10n.t('Time to complete answer')} distribution={report.duration} />
      </div>
    </>
  );
}

/** Explains that the amounts on the page are not real. */
function SandboxNote() {
  return (
    <p class="tag">
      <Icon name="beaker" size={14} />
      {l10n.t('Sandbox: sample answers, sample money.')}
    </p>
  );
}

function Problem({ problem }: Required<Pick<UsageState, 'problem'>>) {
  const store = useStore();
  return (
    <div class="card error" role="alert">
      <Icon name="error" />
      <div class="card-body">
        <p class="card-title">{l10n.t('Could not read usage')}</p>
        <p class="card-text">{problem}</p>
        <div class="buttons">
          <button type="button" class="button" onClick={() => store.post({ type: 'retry' })}>
            {l10n.t('Retry')}
          </button>
        </div>
      </div>
    </div>
  );
}
