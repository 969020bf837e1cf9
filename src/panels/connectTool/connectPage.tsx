import * as l10n from '@vscode/l10n';
import './styles/index.css';
import { useEffect, useRef } from 'preact/hooks';
import { pageStarter } from '../shared/pageStore.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { CheckStep } from './checkStep.tsx';
import { ConnectFooter } from './connectFooter.tsx';
import { FileStep } from './fileStep.tsx';
import { LimitStep } from './limitStep.tsx';
import { ModelStep } from './modelStep.tsx';
import { ConnectStore, StoreProvider, useStore } from './store.ts';
import { ToolStep } from './toolStep.tsx';

/** What is asked and shown once a tool is chosen. */
function Steps() {
  return (
    <>
      <ModelStep />
      <LimitStep />
      <FileStep />
      <CheckStep />
      <ConnectFooter />
    </>
  );
}

/** The whole page that connects a tool. Nothing is written before the button at the bottom is pressed. */
function ConnectPage() {
  const store = useStore();
  const form = useRef<HTMLFormElement>(null);
  const { refusals } = store.problems;
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  if (store.state.value === undefined) return null;
  return (
    <main class="connect-page">
      <form
        ref={form}
        class="connect-form"
        aria-labelledby="title"
        onSubmit={(event) => {
          event.preventDefault();
          store.connect();
        }}
      >
        <h1 id="title">{l10n.t('Connect a Tool')}</h1>
        <p class="lead">
          {l10n.t('Each tool gets its own local key and budget. Your service key stays in the editor.')}
        </p>
        {store.showsSampleMoney.value && <SandboxNote />}
        <ToolStep />
        {store.tool.value === undefined ? (
          <p class="hint">{l10n.t('Choose a tool to see what will change.')}</p>
        ) : (
          <Steps />
        )}
      </form>
    </main>
  );
}

export const startConnectTool = pageStarter(ConnectStore, StoreProvider, ConnectPage);
