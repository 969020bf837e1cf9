import * as l10n from '@vscode/l10n';
import { Icon } from '../../shared/icon.tsx';

/** The button of a chip that removes it. */
export function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      class="chip-button"
      aria-label={l10n.t('Remove {0}', label)}
      title={l10n.t('Remove')}
      onClick={onRemove}
    >
      <Icon name="close" size={12} />
    </button>
  );
}
