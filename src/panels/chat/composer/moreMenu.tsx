import * as l10n from '@vscode/l10n';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { Menu } from '../../shared/menu.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

/** The controls that do not fit beside the message in a narrow panel. */
export function MoreMenu({ state }: { readonly state: ChatState }) {
  const store = useStore();
  return (
    <PopoverBox name="more" class="list-popover more below-340">
      <Menu label={l10n.t('More')} onClose={() => store.closePopover()}>
        <button type="button" role="menuitem" class="row" onClick={() => store.toggle('formats')}>
          <Icon name="code" />
          <span class="row-name">{l10n.t('Format: {0}', state.format)}</span>
        </button>
        <button type="button" role="menuitem" class="row" onClick={() => store.toggle('parameters')}>
          <Icon name="settings" />
          <span class="row-name">{l10n.t('Parameters')}</span>
        </button>
      </Menu>
    </PopoverBox>
  );
}
