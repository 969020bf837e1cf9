import * as l10n from '@vscode/l10n';
import { useStore } from '../storeContext.ts';

/** Stands below an earlier chat instead of the composer, because without a connection it can only be read. */
export function ConnectNote() {
  const store = useStore();
  return (
    <section class="connect-note">
      <p>{l10n.t('To continue this chat, set a service key or try the sandbox.')}</p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => store.post({ type: 'enterKey' })}>
          {l10n.t('Set Service Key')}
        </button>
        <button type="button" class="button" onClick={() => store.post({ type: 'trySandbox' })}>
          {l10n.t('Try the Sandbox')}
        </button>
      </div>
    </section>
  );
}
