import * as l10n from '@vscode/l10n';
import { Icon } from './icon.tsx';

/** Says once that amounts are of the sandbox. The amounts themselves are only gray. */
export function SandboxNote() {
  return (
    <span class="tag">
      <Icon name="beaker" size={14} />
      {l10n.t('Sandbox: sample money')}
    </span>
  );
}
