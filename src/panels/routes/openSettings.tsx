import * as l10n from '@vscode/l10n';
import { useStore } from './store.ts';

/** Opens the file that contains the routes. */
export function OpenSettings() {
  const store = useStore();
  return (
    <button type="button" class="link" onClick={() => store.post({ type: 'openSettings' })}>
      {l10n.t('Edit in settings.json')}
    </button>
  );
}
