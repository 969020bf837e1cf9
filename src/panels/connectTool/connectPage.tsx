import * as l10n from '@vscode/l10n';
import './styles/index.css';
import { useEffect, useRef } from 'preact/hooks';
import type { ConnectField, ConnectForm } from '../../pages/connectTool/protocol.ts';
import type { BudgetPeriod } from '../../rules/period.ts';
import { Icon } from '../shared/icon.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { SandboxNote } from '../shared/sandboxNote.tsx';
import { TextField } from '../shared/textField.tsx';
import { CheckStep } from './checkStep.tsx';
import { FileStep } from './fileStep.tsx';
import { ModelStep } from './modelStep.tsx';
import { Step } from './step.tsx';
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
        class="connect-form form-page"
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

/** The tool's local key, and what it can spend. */
function LimitStep() {
  const store = useStore();
  const { budget, sessionDollars } = store.form.value;
  return (
    <Step number={3} name={l10n.t('Limits')} isDone={store.isDone.value}>
      <div class="limits">
        <LimitField field="name" label={l10n.t('Local key')} />
        <div class="budget">
          <LimitField field="budget" label={l10n.t('Budget')} placeholder={l10n.t('No limit')} />
          <Period />
        </div>
        <LimitField field="sessionDollars" label={l10n.t('Session cap')} placeholder={l10n.t('No limit')} />
      </div>
      <p class="hint">
        {budget.trim() === ''
          ? l10n.t('Without a budget, the key can spend without limit.')
          : l10n.t('When the budget is reached, requests are refused.')}{' '}
        {sessionDollars.trim() === ''
          ? l10n.t('No session cap: sessions are not stopped.')
          : l10n.t('When a session reaches its cap, you are asked first.')}
      </p>
    </Step>
  );
}

interface KeyLimitProps {
  readonly field: Exclude<ConnectField, 'model'>;
  readonly label: string;
  readonly placeholder?: string;
}

function LimitField({ field, ...rest }: KeyLimitProps) {
  const store = useStore();
  const change = (value: string): Partial<ConnectForm> => ({ [field]: value });
  return (
    <TextField
      {...rest}
      id={field}
      value={store.form.value[field]}
      problem={store.problems.of(field)}
      onInput={(value) => store.change(change(value))}
      onLeave={() => store.problems.leave(field)}
    />
  );
}

function Period() {
  const store = useStore();
  const periods: readonly (readonly [BudgetPeriod, string])[] = [
    ['daily', l10n.t('per day')],
    ['monthly', l10n.t('per month')],
    ['total', l10n.t('in total')],
  ];
  return (
    <select
      class="text-box"
      aria-label={l10n.t('Budget period')}
      value={store.form.value.period}
      onChange={({ currentTarget }) => {
        const chosen = periods.find(([period]) => period === currentTarget.value);
        if (chosen !== undefined) store.change({ period: chosen[0] });
      }}
    >
      {periods.map(([period, text]) => (
        <option key={period} value={period}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Shows what will be done, and then the result. Disabled buttons keep the focus. */
/** Its buttons are the same elements before and after, so the focus stays on them. */
function ConnectFooter() {
  const store = useStore();
  const { isBusy, isDone } = store;
  const tool = store.tool.value;
  if (tool === undefined) return null;
  return (
    <footer class="page-footer">
      <Outcome />
      <div class="footer-buttons">
        {tool.isConnected ? (
          <button type="button" class="button" aria-disabled={isBusy.value} onClick={() => store.disconnect()}>
            {l10n.t('Disconnect {0}', tool.name)}
          </button>
        ) : (
          <button type="button" class="button" onClick={() => store.post({ type: 'close' })}>
            {l10n.t('Cancel')}
          </button>
        )}
        {isDone.value ? (
          <button type="button" class="button primary" onClick={() => store.post({ type: 'close' })}>
            {l10n.t('Done')}
          </button>
        ) : (
          <button type="submit" class="button primary" aria-disabled={isBusy.value || !store.canWrite.value}>
            {tool.isConnected ? l10n.t('Update {0}', tool.name) : l10n.t('Connect {0}', tool.name)}
          </button>
        )}
      </div>
    </footer>
  );
}

function Outcome() {
  const store = useStore();
  const outcome = store.outcome.value;
  if (outcome.kind === 'failed') {
    return (
      <span class="outcome failed" role="alert">
        <Icon name="error" size={14} />
        {outcome.problem}
      </span>
    );
  }
  return (
    <span class="outcome" role="status">
      {store.isDone.value && <Icon name="pass" size={14} />}
      <span>{outcomeText(store)}</span>
    </span>
  );
}

function outcomeText(store: ConnectStore): string {
  const { form, isBusy, isDone, outcome, preview } = store;
  const { name = '', isConnected = false } = store.tool.value ?? {};
  const key = form.value.name.trim();
  const hasFile = preview.value?.file !== undefined;
  const { kind } = outcome.value;
  if (isBusy.value) return l10n.t('Working…');
  if (isDone.value) {
    const next = hasFile ? l10n.t('Restart it if it is running.') : l10n.t('Its fields were copied.');
    const sentences = [l10n.t('{0} is connected.', name), `${summaryOf(form.value)}.`];
    return [...sentences, ...(kind === 'connected' ? [next] : [])].join(' ');
  }
  if (kind === 'disconnected') return disconnectedText(name, preview.value?.file?.path);
  if (isConnected) return l10n.t('Changes the connection and the local key {0}.', key);
  return hasFile
    ? l10n.t('Changes one file and creates the local key {0}.', key)
    : l10n.t('Creates the local key {0} and copies the fields.', key);
}

function disconnectedText(name: string, file: string | undefined): string {
  return file === undefined
    ? l10n.t('{0} is disconnected, and its local key was revoked.', name)
    : l10n.t('{0} is disconnected: {1} is restored, and its local key was revoked.', name, file);
}

/** `familya-sonnet-4.6, $10.00 per month, $1.00 per session` */
function summaryOf({ model, budget, period, sessionDollars }: ConnectForm): string {
  const dollars = (typed: string) => `$${typed.trim().replace(/^\$/, '')}`;
  const periods = {
    daily: l10n.t('{0} per day', dollars(budget)),
    monthly: l10n.t('{0} per month', dollars(budget)),
    total: l10n.t('{0} in total', dollars(budget)),
  };
  const limits = [
    ...(budget.trim() === '' ? [] : [periods[period]]),
    ...(sessionDollars.trim() === '' ? [] : [l10n.t('{0} per session', dollars(sessionDollars))]),
  ];
  return [model, ...limits].join(', ');
}
