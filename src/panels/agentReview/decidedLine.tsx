import * as l10n from '@vscode/l10n';
import type { DecidedChange } from '../../editor/chat/review/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { LineCounts } from '../shared/lineCounts.tsx';
import { useStore } from './store.ts';
import { placeText } from './words.ts';

/** A change that was accepted or discarded. */
export function DecidedLine({ file, change }: { readonly file: string; readonly change: DecidedChange }) {
  const store = useStore();
  const { id, decision, added, removed } = change;
  const isAccepted = decision === 'accepted';
  return (
    <p class={`decided ${decision}`}>
      <Icon name={isAccepted ? 'check' : 'discard'} />
      <span>{isAccepted ? l10n.t('Accepted') : l10n.t('Discarded')}</span>
      <span class="place">{placeText(change)}</span>
      {added + removed > 0 && <LineCounts added={added} removed={removed} />}
      <span class="space" />
      <button type="button" class="link" onClick={() => store.undo({ file, id })}>
        {l10n.t('Undo')}
      </button>
    </p>
  );
}
