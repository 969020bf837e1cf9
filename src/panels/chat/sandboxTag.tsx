import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './storeContext.ts';

/** Marks an answer of the sandbox, unless the panel's head already says that everything is a sample. */
export function SandboxTag() {
  if (useStore().state.value?.connection === 'sandbox') return null;
  return (
    <span class="tag" title={l10n.t('Answered by the sandbox, for sample money')}>
      <Icon name="beaker" size={14} />
      {l10n.t('Sandbox')}
    </span>
  );
}
