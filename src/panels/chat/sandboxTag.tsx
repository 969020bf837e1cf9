import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';

/** Marks the answers of the sandbox. */
export function SandboxTag() {
  return (
    <span class="tag" title={l10n.t('Answered by the sandbox, for sample money')}>
      <Icon name="beaker" size={14} />
      {l10n.t('Sandbox')}
    </span>
  );
}
