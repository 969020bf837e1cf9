import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './storeContext.ts';

/** Says once that all amounts below are samples. A click opens the sandbox's menu. */
export function SandboxBar() {
  const store = useStore();
  return (
    <button
      type="button"
      class="sandbox-bar"
      aria-haspopup="menu"
      title={l10n.t('Sandbox menu')}
      onClick={() => store.post({ type: 'openSandboxMenu' })}
    >
      <Icon name="beaker" size={14} />
      <span>{l10n.t('Sandbox: sample money')}</span>
      <Icon name="chevron-down" size={12} />
    </button>
  );
}
