import * as l10n from '@vscode/l10n';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** The row above the composer that shows the queued message, with actions to change or delete it. */
export function QueuedRow() {
  const store = useStore();
  const text = store.queue.text.value;
  if (text === '') return null;
  const running = store.busy.value;
  return (
    <section class="queued" aria-label={l10n.t('Queued message')}>
      <Icon name="clockface" />
      <span class="queued-text" dir="auto" title={text}>
        {text}
      </span>
      {running ? (
        <span class="queued-note">{l10n.t('Sends next')}</span>
      ) : (
        <button type="button" class="link" onClick={() => store.queue.sendNow()}>
          {l10n.t('Send Now')}
        </button>
      )}
      <IconButton icon="edit" label={l10n.t('Edit queued message')} onClick={() => store.queue.edit()} />
      <IconButton icon="trash" label={l10n.t('Delete queued message')} onClick={() => store.queue.remove()} />
    </section>
  );
}
