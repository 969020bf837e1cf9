import * as l10n from '@vscode/l10n';
import type { SettingOfRoutes } from '../../pages/routes/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { useStore } from './store.ts';

/** Opens the file that contains the setting. */
export function OpenSettings({ setting }: { readonly setting: SettingOfRoutes }) {
  const store = useStore();
  return (
    <LinkButton label={l10n.t('Edit in settings.json')} onClick={() => store.post({ type: 'openSettings', setting })} />
  );
}
