import * as l10n from '@vscode/l10n';
import { formatClock } from '../../display/time.ts';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';

/** The checkpoint of the run, and what restores it. */
export function ReviewFoot({ startedAt }: { readonly startedAt: number }) {
  const store = useStore();
  return (
    <footer class="review-foot">
      <Icon name="history" />
      <span class="checkpoint">{l10n.t('Checkpoint from {0}', formatClock(startedAt))}</span>
      <button type="button" class="button" onClick={() => store.post({ type: 'restore' })}>
        {l10n.t('Restore to Before This Turn…')}
      </button>
    </footer>
  );
}
