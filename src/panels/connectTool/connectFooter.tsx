import * as l10n from '@vscode/l10n';
import type { ConnectForm } from '../../pages/connectTool/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { type ConnectStore, useStore } from './store.ts';

/** Shows what will be done, and then the result. Disabled buttons keep the focus. */
export function ConnectFooter() {
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
