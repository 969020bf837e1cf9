import * as l10n from '@vscode/l10n';
import type { SettingOfRoutes } from '../../pages/routes/protocol.ts';
import { useStore } from './store.ts';

/** Opens the file that contains the setting. */
export function OpenSettings({ setting }: { readonly setting: SettingOfRoutes }) {
  const store = useStore();
  return (
    <button type="button" class="link" onClick={() => store.post({ type: 'openSettings', setting })}>
      {l10n.t('Edit in settings.json')}
    </button>
  );
}
