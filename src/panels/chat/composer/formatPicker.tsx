import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormatName } from '../../../formats/conversation.ts';
import { Icon } from '../../shared/icon.tsx';
import { stepped } from '../../shared/stepped.ts';
import { useStore } from '../storeContext.ts';
import { PopoverBox } from './popoverBox.tsx';

export const FORMATS: readonly FormatName[] = ['chat-completions', 'messages', 'responses'];

export function FormatPicker({ format }: { readonly format: FormatName }) {
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(FORMATS.indexOf(format));
  useLayoutEffect(() => list.current?.focus(), []);
  const choose = (name: FormatName | undefined) => {
    if (name !== undefined) store.post({ type: 'chooseFormat', format: name });
    store.closePopover();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    if (event.key === 'ArrowDown') setActive(stepped(active, 1, FORMATS.length));
    else if (event.key === 'ArrowUp') setActive(stepped(active, -1, FORMATS.length));
    else if (event.key === 'Enter' || event.key === ' ') choose(FORMATS[active]);
    else if (event.key === 'Escape') store.closePopover();
  };
  return (
    <PopoverBox name="formats" class="list-popover formats">
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={l10n.t('Format of the request')}
        aria-activedescendant={`format-${active}`}
        onKeyDown={onKeyDown}
      >
        {FORMATS.map((name, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          <div
            key={name}
            id={`format-${index}`}
            role="option"
            class={`row${index === active ? ' active' : ''}`}
            aria-selected={name === format}
            onClick={() => choose(name)}
            onPointerMove={() => setActive(index)}
          >
            <span class="row-check">{name === format && <Icon name="check" />}</span>
            <span class="row-name">{name}</span>
            <span class="row-note">{`/${name.replace('-', '/')}`}</span>
          </div>
        ))}
      </div>
    </PopoverBox>
  );
}
