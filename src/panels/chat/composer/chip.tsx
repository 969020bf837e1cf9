import * as l10n from '@vscode/l10n';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AttachmentView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { chipIcon } from '../controls/chipIcon.ts';
import { RemoveButton } from '../controls/removeButton.tsx';
import { Thumbnail } from '../controls/thumbnail.tsx';

interface ChipProps {
  readonly attachment: AttachmentView;
  readonly selected?: boolean;
  /** True for the largest part of a request that does not fit. */
  readonly large?: boolean;
  /** Called by the button that removes the chip, which is shown if this is set. */
  readonly onRemove?: () => void;
  /** Called by the button that attaches the other version of a changed file. */
  readonly onExchange?: () => void;
}

export function Chip({ attachment, selected = false, large = false, onRemove, onExchange }: ChipProps) {
  const { label, tokens, note, picture } = attachment;
  const icon = large ? 'warning' : chipIcon(attachment);
  const size = tokens === undefined ? label : l10n.t('{0}, {1} tokens', label, formatTokensExact(tokens));
  const title = [size, note, versionNote(attachment)].filter((line) => line !== undefined).join('\n');
  return (
    <span class={classOf(selected, large, picture !== undefined)} title={title}>
      {picture === undefined ? (
        <Icon name={icon} size={14} />
      ) : (
        <Thumbnail picture={picture} label={label} icon={icon} />
      )}
      <bdi class="chip-label">{label}</bdi>
      {tokens !== undefined && <span class="chip-count number">{formatTokens(tokens)}</span>}
      {attachment.version !== undefined && onExchange !== undefined && (
        <button type="button" class="chip-button" {...exchangeTexts(attachment)} onClick={onExchange}>
          <Icon name={attachment.version === 'current' ? 'discard' : 'redo'} size={12} />
        </button>
      )}
      {onRemove !== undefined && <RemoveButton label={label} onRemove={onRemove} />}
    </span>
  );
}

function versionNote({ version }: AttachmentView): string | undefined {
  if (version === undefined) return undefined;
  return version === 'current'
    ? l10n.t('The file has changed since it was attached. Its current text is sent.')
    : l10n.t('The file has changed since it was attached. The attached text is sent.');
}

function exchangeTexts({ label, version }: AttachmentView): { readonly 'aria-label': string; readonly title: string } {
  return version === 'current'
    ? { 'aria-label': l10n.t('Use Attached Text of {0}', label), title: l10n.t('Use Attached Text') }
    : { 'aria-label': l10n.t('Use Current Text of {0}', label), title: l10n.t('Use Current Text') };
}

function classOf(selected: boolean, large: boolean, pictured: boolean): string {
  return `chip${selected ? ' selected' : ''}${large ? ' large' : ''}${pictured ? ' pictured' : ''}`;
}
