import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { formatMoney, formatSum } from '../../display/money.ts';
import type { ChatState } from '../../pages/chat/protocol.ts';
import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { Menu } from '../shared/menu.tsx';
import { agentParts } from './agent/lateParts.ts';
import { hasRuns } from './agent/runs.ts';
import { Breakdown } from './composer/breakdown.tsx';
import { withCompared } from './composer/comparing.ts';
import { Composer } from './composer/composer.tsx';
import { editedState } from './composer/editedState.ts';
import { InstructionsCard } from './composer/instructions.tsx';
import { UndoNotice } from './composer/undoNotice.tsx';
import { ContextPopover } from './context/contextPopover.tsx';
import { HeadButtons } from './controls/headButtons.tsx';
import { PopoverBox } from './controls/popoverBox.tsx';
import { lateComponent } from './lateComponent.tsx';
import { PromptList } from './prompts/promptList.tsx';
import { useStore } from './storeContext.ts';
import { EmptyThread } from './thread/emptyThread.tsx';
import { Thread } from './thread/thread.tsx';
import { paidIn } from './turns.ts';
import { Welcome } from './welcome/welcome.tsx';

const FormatPicker = lateComponent(async () => (await import('./composer/formatPicker.tsx')).FormatPicker);
const HistoryPage = lateComponent(async () => (await import('./history/historyPage.tsx')).HistoryPage);
const ModelPicker = lateComponent(async () => (await import('./composer/modelPicker.tsx')).ModelPicker);
const ModePicker = lateComponent(async () => (await import('./composer/modePicker.tsx')).ModePicker);
const PageCard = lateComponent(async () => (await import('./context/pageCard.tsx')).PageCard);
const ParametersBox = lateComponent(async () => (await import('./parameters/parametersBox.tsx')).ParametersBox);

/** Those that the keyboard operates as soon as they are opened. */
const POPOVERS = [FormatPicker, ModelPicker, ModePicker, ParametersBox];

export function Panel() {
  const store = useStore();
  const state = store.state.value;
  // The editor cannot restrict its keybinding to this input, and would open a file.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      store.stop();
      return;
    }
    if (!isNewChat(event) || state === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    store.newConversation();
  };
  return (
    <main class="panel" onKeyDown={onKeyDown}>
      {state?.connection === 'sandbox' && <SandboxBar />}
      {state !== undefined && <Page state={state} />}
      <LiveRegion />
    </main>
  );
}

/** Ctrl+N, or Cmd+N. */
function isNewChat({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'n' && ctrlKey !== metaKey && !altKey && !shiftKey;
}

function Page({ state }: { readonly state: ChatState }) {
  const page = useStore().page.value;
  const isWelcome = state.connection === 'none' && state.turns.length === 0;
  if (page === 'chat' && !isWelcome) return <Chat state={state} />;
  return (
    <>
      {page === 'chat' ? <Welcome /> : <HistoryPage current={state.conversationId} />}
      <UndoNotice />
    </>
  );
}

function Chat({ state }: { readonly state: ChatState }) {
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      for (const { preload } of POPOVERS) preload();
    });
    return () => cancelIdleCallback(idle);
  }, []);
  const { run, turns, spent, conversationId, running = [] } = state;
  const hasOthers = running.some(({ id }) => id !== conversationId);
  const parts = hasRuns(state) ? agentParts.current : undefined;
  // A thread is only at its former place if all of it is there at first.
  const isReady = parts !== undefined || !hasRuns(state);
  return (
    <>
      {run !== undefined && parts !== undefined && <parts.RunHead state={state} run={run} />}
      {run === undefined && (turns.length > 0 || spent.cost !== undefined || hasOthers) && <Title state={state} />}
      <div class="stage">
        {turns.length === 0 && <EmptyThread state={state} />}
        {turns.length > 0 && isReady && (
          <Thread key={conversationId} conversationId={conversationId} turns={turns} run={run} />
        )}
        <OpenPopover state={state} />
      </div>
      {state.connection === 'none' ? <ConnectNote /> : <Composer state={state} />}
    </>
  );
}

/** The open popover, over the thread at the edge of the composer. */
function OpenPopover({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const { instructions } = state.parameters;
  const page = store.composition.page.value;
  switch (store.popover.value) {
    case 'models':
      return <ModelPicker state={store.models.isForEarlier ? editedState(state) : state} />;
    case 'formats':
      return <FormatPicker format={state.format} />;
    case 'more':
      return <MoreMenu state={state} />;
    case 'mode':
      return <ModePicker mode={state.mode} agent={state.agent} agents={state.agents} />;
    case 'limits':
      return <RunLimits state={state} />;
    case 'parameters':
      return <ParametersBox key={state.conversationId} state={state} />;
    case 'prompts':
      return <PromptList state={state} />;
    case 'context':
      return <ContextPopover state={state} />;
    case 'instructions':
      return instructions?.isSent === true ? <InstructionsCard instructions={instructions} /> : null;
    case 'page':
      return page === undefined ? null : <PageCard page={page} />;
    case 'breakdown':
      return <Breakdown state={withCompared(state, store.models.compared.value)} />;
    case 'filter':
    case undefined:
      return null;
  }
}

function RunLimits({ state: { run } }: { readonly state: ChatState }) {
  const parts = agentParts.current;
  return run === undefined || parts === undefined ? null : <parts.LimitsMenu key={run.id} run={run} />;
}

/** The least difference of amounts that is one, in US dollars. */
const LEAST_SHOWN = 0.00001;

function Title({ state }: { readonly state: ChatState }) {
  const { cost } = state.spent;
  const others = cost === undefined ? 0 : cost - paidIn(state.turns);
  const note =
    others < LEAST_SHOWN
      ? []
      : [l10n.t('{0} of it for other versions, deleted answers, and the title', formatMoney(others))];
  return (
    <header class="title-row">
      <h1 class="title" dir="auto" title={[state.title, state.titleNote].filter(Boolean).join('\n')}>
        {state.title || l10n.t('New chat')}
      </h1>
      {cost !== undefined && (
        <span class="title-cost number" title={[l10n.t('This chat so far'), ...note].join('\n')}>
          {formatSum(cost)}
        </span>
      )}
      <HeadButtons />
    </header>
  );
}

/** The panel's polite live region. Each text gets a new element, so that repeated texts are announced again. */
function LiveRegion() {
  const { text, count } = useStore().announcement.value;
  return (
    <div class="hidden-text" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}

/** Says once that all amounts below are samples. A click opens the sandbox's menu. */
function SandboxBar() {
  const store = useStore();
  return (
    <button
      type="button"
      class="sandbox-bar"
      aria-haspopup="menu"
      title={l10n.t('Sandbox menu')}
      onClick={() => store.post({ type: 'openSandboxMenu' })}
    >
      <Icon name="beaker" size={14} />
      <span>{l10n.t('Sandbox: sample money')}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  );
}

/** Stands below an earlier chat instead of the composer, because without a connection it can only be read. */
function ConnectNote() {
  const store = useStore();
  return (
    <section class="connect-note">
      <p>{l10n.t('To continue this chat, set a service key or try the sandbox.')}</p>
      <div class="buttons">
        <Button primary label={l10n.t('Set Service Key')} onClick={() => store.post({ type: 'enterKey' })} />
        <Button label={l10n.t('Try the Sandbox')} onClick={() => store.post({ type: 'trySandbox' })} />
      </div>
    </section>
  );
}

/** The controls that do not fit beside the message in a narrow panel. */
function MoreMenu({ state }: { readonly state: ChatState }) {
  const store = useStore();
  return (
    <PopoverBox name="more" class="list-popover more below-340">
      <Menu label={l10n.t('More')} onClose={() => store.closePopover()}>
        <button type="button" role="menuitem" class="row" onClick={() => store.toggle('formats')}>
          <Icon name="code" />
          <span class="row-name">{l10n.t('Format: {0}', state.format)}</span>
        </button>
        <button type="button" role="menuitem" class="row" onClick={() => store.toggle('parameters')}>
          <Icon name="settings" />
          <span class="row-name">{l10n.t('Parameters')}</span>
        </button>
      </Menu>
    </PopoverBox>
  );
}
