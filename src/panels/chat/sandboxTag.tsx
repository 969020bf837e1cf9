import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';

interface SandboxTagProps {
  /** Shows only the icon in a narrow panel, next to something that needs the space. */
  readonly brief?: boolean;
}

/** Marks the answers of the sandbox. */
export function SandboxTag({ brief = false }: SandboxTagProps) {
  const text = l10n.t('Sandbox');
  return (
    <span class="tag" title={l10n.t('Answered by the sandbox, for sample money')}>
      <Icon name="beaker" size={14} />
      <span class={brief ? 'from-340' : ''}>{text}</span>
      {brief && <span class="hidden-text below-340">{text}</span>}
    </span>
  );
}
