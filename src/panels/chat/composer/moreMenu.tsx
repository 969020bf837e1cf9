import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChatState } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { stepped } from './modelList.ts';
import { PopoverBox } from './popoverBox.tsx';

/** What has no room beside the message in a narrow panel. */
export function MoreMenu({ state }: { readonly state: ChatState }) {
  const store = useStore();
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => itemsOf(menu.current)[0]?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') store.closePopover();
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const items = itemsOf(menu.current);
    const at = items.findIndex((item) => item === document.activeElement);
    items[stepped(at, step, items.length)]?.focus();
  };
  return (
    <PopoverBox name="more" class="list-popover more below-340">
      <div ref={menu} role="menu" aria-label={l10n.t('More')} onKeyDown={onKeyDown}>
        <button type="button" role="menuitem" class="row below-280" onClick={() => store.toggle('formats')}>
          <Icon name="code" />
          <span class="row-name">{l10n.t('Format: {0}', state.format)}</span>
        </button>
        <button type="button" role="menuitem" class="row" onClick={() => store.toggle('parameters')}>
          <Icon name="settings" />
          <span class="row-name">{l10n.t('Parameters')}</span>
        </button>
      </div>
    </PopoverBox>
  );
}

/** Those that show at this width. */
function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  const items = [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  return items.filter((item) => item.offsetParent !== null);
}
