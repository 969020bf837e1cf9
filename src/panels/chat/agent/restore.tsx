import * as l10n from '@vscode/l10n';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { RestoreView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { RestoreCard } from '../../shared/restoreCard.tsx';
import { useStore } from '../storeContext.ts';

function restoreLabel(): string {
  return l10n.t('Restore to Before This Turn…');
}

/** Asks what to restore to the state before a run. */
export function RestoreButton({ run }: { readonly run: string }) {
  const store = useStore();
  return (
    <IconButton
      icon="discard"
      label={restoreLabel()}
      disabled={store.busy.value}
      onClick={() => store.post({ type: 'restoreRun', runId: run })}
    />
  );
}

/** The same as a link, in a card. */
export function RestoreLink({ run }: { readonly run: string }) {
  const store = useStore();
  return <LinkButton label={restoreLabel()} onClick={() => store.post({ type: 'restoreRun', runId: run })} />;
}

/** What the user is asked to restore, below the steps. */
export function RestoreQuestion({ restore }: { readonly restore: RestoreView }) {
  const store = useStore();
  const close = (message: ChatPanelMessage) => {
    store.post(message);
    store.takeFocus();
  };
  return (
    <RestoreCard
      key={restore.runId}
      restore={restore}
      onRestore={(choice) => close({ type: 'confirmRestore', ...choice })}
      onCancel={() => close({ type: 'cancelRestore' })}
    />
  );
}
