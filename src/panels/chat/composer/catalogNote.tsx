import * as l10n from '@vscode/l10n';
import { formatAgo } from '../../../display/time.ts';
import type { CatalogView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

/** Warns that the list of models is out of date, with a button to reload it. */
export function CatalogNote({ catalog }: { readonly catalog: CatalogView }) {
  const store = useStore();
  if (catalog.state === 'current') return null;
  if (catalog.state === 'loading')
    return <p class="list-note">{catalog.models.length === 0 ? l10n.t('Loading models') : l10n.t('Loading prices')}</p>;
  const age =
    catalog.readAt === undefined
      ? l10n.t('This list is out of date.')
      : l10n.t('This list is from {0}.', formatAgo(store.now() - catalog.readAt));
  return (
    <p class="list-note" title={catalog.problem}>
      <Icon name="warning" size={14} />
      <span>{catalog.models.length === 0 ? l10n.t('Could not load the models.') : age}</span>
      <button type="button" class="link" onClick={() => store.post({ type: 'refreshCatalog' })}>
        {l10n.t('Retry')}
      </button>
    </p>
  );
}
