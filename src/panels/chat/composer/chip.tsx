import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AttachmentView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { chipIcon } from './chipIcon.ts';

interface ChipProps {
  readonly attachment: AttachmentView;
  readonly selected?: boolean;
  /** Draws the button that removes it. */
  readonly onRemove?: () => void;
}

export function Chip({ attachment, selected = false, onRemove }: ChipProps) {
  const { label, tokens } = attachment;
  const title = tokens === undefined ? label : `${label}, ${formatTokensExact(tokens)} tokens`;
  return (
    <span class={`chip${selected ? ' selected' : ''}`} title={title}>
      <Icon name={chipIcon(attachment)} size={14} />
      <span class="chip-label">{label}</span>
      {tokens !== undefined && <span class="chip-count number">{formatTokens(tokens)}</span>}
      {onRemove !== undefined && (
        <button type="button" class="chip-remove" aria-label={`Remove ${label}`} title="Remove" onClick={onRemove}>
          <Icon name="close" size={12} />
        </button>
      )}
    </span>
  );
}
