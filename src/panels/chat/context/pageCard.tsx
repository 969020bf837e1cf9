import * as l10n from '@vscode/l10n';
import { formatTokens, spokenTokens } from '../../../display/tokens.ts';
import type { PageView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';

/** The web page that was attached last: its title, size, and first words. */
export function PageCard({ page: { label, title, tokens, start } }: { readonly page: PageView }) {
  return (
    <PopoverBox name="page" class="list-popover page-card">
      <div class="row">
        <Icon name="globe" />
        <bdi class="row-name">{label}</bdi>
        <span class="row-tokens number">
          <span aria-hidden="true">{formatTokens(tokens)}</span>
          <span class="hidden-text">{spokenTokens(tokens)}</span>
        </span>
      </div>
      {title !== '' && !start.startsWith(title) && <p class="page-title">{title}</p>}
      <p class="page-start">{l10n.t('“{0}”', start)}</p>
      <div class="list-footer">{l10n.t('Read just now. Text only, without scripts.')}</div>
    </PopoverBox>
  );
}
