import * as l10n from '@vscode/l10n';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AttachmentView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { chipIcon } from './chipIcon.ts';

interface ChipProps {
  readonly attachment: AttachmentView;
  readonly selected?: boolean;
  /** It takes most of a request that does not fit. */
  readonly large?: boolean;
  /** Draws the button that removes it. */
  readonly onRemove?: () => void;
}

export function Chip({ attachment, selected = false, large = false, onRemove }: ChipProps) {
  const { label, tokens, note } = attachment;
  const size = tokens === undefined ? label : l10n.t('{0}, {1} tokens', label, formatTokensExact(tokens));
  const title = note === undefined ? size : `${size}\n${note}`;
  return (
    <span class={`chip${selected ? ' selected' : ''}${large ? ' large' : ''}`} title={title}>
      <Icon name={large ? 'warning' : chipIcon(attachment)} size={14} />
      <bdi class="chip-label">{label}</bdi>
      {tokens !== undefined && <span class="chip-count number">{formatTokens(tokens)}</span>}
      {onRemove !== undefined && (
        <button
          type="button"
          class="chip-remove"
          aria-label={l10n.t('Remove {0}', label)}
          title={l10n.t('Remove')}
          onClick={onRemove}
        >
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  );
}
