import * as l10n from '@vscode/l10n';
import type { ChangesView } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { LineCounts } from '../../shared/lineCounts.tsx';
import { useStore } from '../storeContext.ts';

/** The files that a run has changed and that the user has not reviewed, above the composer. */
export function ChangesRow({ changes }: { readonly changes: ChangesView }) {
  const store = useStore();
  const { files } = changes;
  if (files === 0) return null;
  return (
    <section class="changes-row" aria-label={l10n.t('Changed files')}>
      <span class="from-280">
        <Icon name="diff-multiple" />
      </span>
      <span class="changes-text">
        {files === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', files)}
        <LineCounts added={changes.added} removed={changes.removed} />
      </span>
      <Button label={l10n.t('Review')} onClick={() => store.post({ type: 'reviewChanges' })} />
    </section>
  );
}
