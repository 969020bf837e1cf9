import * as l10n from '@vscode/l10n';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

function restoreLabel(): string {
  return l10n.t('Restore to Before This Turn…');
}

/** Restores the files, the chat, or both to the state before a run. The host asks which. */
export function RestoreButton({ run }: { readonly run: string }) {
  const store = useStore();
  return (
    <IconButton
      icon="history"
      label={restoreLabel()}
      disabled={store.busy.value}
      onClick={() => store.post({ type: 'restoreRun', runId: run })}
    />
  );
}

/** The same as a link, in a card. */
export function RestoreLink({ run }: { readonly run: string }) {
  const store = useStore();
  return (
    <button type="button" class="link" onClick={() => store.post({ type: 'restoreRun', runId: run })}>
      {restoreLabel()}
    </button>
  );
}
