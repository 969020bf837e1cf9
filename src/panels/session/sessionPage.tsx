import * as l10n from '@vscode/l10n';
import type { SessionState } from '../../pages/session/protocol.ts';
import { Problem } from '../shared/note.tsx';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { CapSection } from './capSection.tsx';
import { ContextSection } from './context/contextSection.tsx';
import { Header } from './header.tsx';
import { MissTable } from './missTable.tsx';
import { SessionFigures } from './sessionFigures.tsx';
import { useStore } from './store.ts';
import { TurnPlots } from './turnPlots.tsx';
import { WhatIfSection } from './whatIfSection.tsx';

/** The whole page. It is empty until the host's first message. */
export function SessionPage() {
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
