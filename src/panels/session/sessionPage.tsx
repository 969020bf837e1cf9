import * as l10n from '@vscode/l10n';
import { LinkButton } from '../shared/button.tsx';
import './styles/index.css';
import { formatEstimate, formatSum } from '../../display/money.ts';
import { formatTokens, formatTokensExact, formatWindow } from '../../display/tokens.ts';
import { turnsText } from '../../display/turns.ts';
import type { ContextState } from '../../pages/session/context/protocol.ts';
import type { SessionState } from '../../pages/session/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { Icon } from '../shared/icon.tsx';
import { Problem } from '../shared/note.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { CapSection } from './capSection.tsx';
import { ContextPlot } from './context/contextPlot.tsx';
import { FindingList } from './context/findingList.tsx';
import { PartTable } from './context/partTable.tsx';
import { MissTable } from './missTable.tsx';
import { SessionFigures } from './sessionFigures.tsx';
import { SessionStore, StoreProvider, useStore } from './store.ts';
import { TurnPlots } from './turnPlots.tsx';
import { clockTime, costText } from './words.ts';

/** The whole page. It is empty until the host's first message. */
function SessionPage() {
  const store = useStore();
  const state = store.state.value;
  const problem = store.problem.value;
  if (state === undefined && problem === undefined) return null;
  return (
    <main class={state?.isSample === true ? 'session sample' : 'session'}>
      <div class="page">
        {state === undefined && <h1 class="hidden-text">{l10n.t('Session')}</h1>}
        {state?.isSample === true && <SandboxNote />}
        {problem !== undefined && <Problem title={l10n.t('Could not read the session')} problem={problem} />}
        {state !== undefined && <Contents state={state} />}
      </div>
    </main>
  );
}

function Contents({ state }: { readonly state: SessionState }) {
  const context = useStore().context.value;
  return (
    <>
      <Header state={state} />
      <SessionFigures state={state} />
      {state.isCut && <p class="quiet">{l10n.t('Only the latest requests of this session are included.')}</p>}
      <div class="columns">
        {/* A plot of one bar shows nothing that the figures do not. */}
        {state.turns.length > 1 && <TurnPlots state={state} />}
        {(state.cap !== undefined || state.whatIf.length > 0) && (
          <div class="aside">
            {state.cap !== undefined && <CapSection state={state} known={state.cap} />}
            {state.whatIf.length > 0 && <WhatIfSection state={state} />}
          </div>
        )}
      </div>
      {state.misses.length > 0 && <MissTable state={state} />}
      {context !== undefined && <ContextSection context={context} state={state} />}
    </>
  );
}

function Header({ state }: { readonly state: SessionState }) {
  const store = useStore();
  return (
    <header class="session-head">
      <div class="session-title">
        <nav aria-label={l10n.t('Breadcrumb')} class="crumbs">
          <LinkButton label={l10n.t('Usage')} onClick={() => store.post({ type: 'openUsage' })} />
          <Icon name="chevron-right" size={12} />
          <span>{l10n.t('Session')}</span>
        </nav>
        <h1>
          {state.name}
          <span class="session-state">{stateText(state)}</span>
        </h1>
        <p class="quiet">{noteOf(state)}</p>
      </div>
      <div class="session-actions">
        <button type="button" class="button" onClick={() => store.post({ type: 'showInTraffic' })}>
          <Icon name="pulse" size={14} />
          {l10n.t('Show in Traffic')}
        </button>
        <button type="button" class="button" onClick={() => store.post({ type: 'export' })}>
          <Icon name="export" size={14} />
          {l10n.t('Export…')}
        </button>
      </div>
    </header>
  );
}

function stateText({ isRunning, end, turns }: SessionState): string {
  if (isRunning) return l10n.t('Running, turn {0}', turns.length);
  return end === 'budget' ? l10n.t('Ended at its cap') : turnsText(turns.length);
}

function noteOf({ models, subagents, agentTypes, keyName, turns, sealed }: SessionState): string {
  const [first, ...others] = models;
  const model = others.length === 0 ? first : l10n.t('{0}, {1} more', first ?? '', others.length);
  const agents = subagents === 1 ? l10n.t('1 subagent') : l10n.t('{0} subagents', subagents);
  const agentsText = agentTypes.length === 0 ? agents : `${agents} (${agentTypes.join(', ')})`;
  const [start, end] = [turns[0]?.from, turns.at(-1)?.to];
  return [
    model,
    subagents === 0 ? undefined : agentsText,
    keyName === undefined ? undefined : l10n.t('Key {0}', keyName),
    sealed === 0 ? undefined : sealedText(sealed),
    start === undefined || end === undefined ? undefined : l10n.t('{0} to {1}', clockTime(start), clockTime(end)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function sealedText(count: number): string {
  return count === 1 ? l10n.t('1 secret sealed') : l10n.t('{0} secrets sealed', count);
}

/** The cost of the session on other models, and the cost of a switch now. */
function WhatIfSection({ state }: { readonly state: SessionState }) {
  const { whatIf, totals, turns, subagents } = state;
  const context = turns.findLast((turn) => turn.context > 0)?.context ?? 0;
  const next = whatIf.find(({ tooSmall }) => tooSmall === undefined);
  const rows = whatIf.map(({ model, low, high, tooSmall }) => ({
    model,
    low,
    high,
    ...(tooSmall !== undefined && {
      problem: l10n.t('does not fit, {0} of {1}', formatTokens(context), formatWindow(tooSmall)),
    }),
  }));
  return (
    <CostRanges
      charged={totals.cost}
      chargedLabel={state.isSample ? l10n.t('Total') : l10n.t('As charged')}
      chargedText={costText(state)}
      rows={rows}
    >
      <p class="quiet">
        <RangeNote />
        {subagents > 0 && ` ${l10n.t('Main agent only; subagents as charged.')}`}
      </p>
      {next !== undefined && (
        <p class="card note">
          <Icon name="info" />
          {l10n.t(
            'Switching now to {0} writes {1} tokens again: {2} once.',
            next.model,
            formatTokens(context),
            formatEstimate(next.switchCost),
          )}
        </p>
      )}
    </CostRanges>
  );
}

/** What fills the context: over the steps, what was found, and part by part. */
function ContextSection({ context, state }: { readonly context: ContextState; readonly state: SessionState }) {
  return (
    <section class="section context">
      <ContextPlot context={context} contextWindow={state.contextWindow} />
      {context.findings.length > 0 && <FindingList context={context} />}
      <PartTable context={context} />
      <p class="quiet">
        {l10n.t(
          '{0} of input in {1} measured requests. Tokens are estimated by part, and scaled to what was billed.',
          formatSum(context.inputCost),
          formatTokensExact(context.requests),
        )}
      </p>
    </section>
  );
}

export const startSession = pageStarter(SessionStore, StoreProvider, SessionPage);
