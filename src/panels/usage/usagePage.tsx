import * as l10n from '@vscode/l10n';
import type { UsageReport, UsageState } from '../../editor/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { Figures } from './figures.tsx';
import { Header } from './header.tsx';
import { ModelTable } from './modelTable.tsx';
import { useStore } from './store.ts';

/** The whole view. Nothing stands there before the host has said what it knows. */
export function UsagePage() {
  const state = useStore().state.value;
  if (state === undefined) return null;
  return (
    <main class="usage" aria-busy={state.isReading}>
      <div class="page">
        <Header state={state} />
        {state.problem !== undefined && <Problem problem={state.problem} />}
        <Figures state={state} />
        {state.report !== undefined && <Report report={state.report} />}
      </div>
    </main>
  );
}

function Report({ report }: { readonly report: UsageReport }) {
  const series = useStore().colours.of(report.models);
  return <ModelTable report={report} series={series} />;
}

function Problem({ problem }: Required<Pick<UsageState, 'problem'>>) {
  const store = useStore();
  return (
    <div class="card error" role="alert">
      <Icon name="error" />
      <div class="card-body">
        <p class="card-title">{l10n.t('Usage could not be read')}</p>
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
