import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FormatName } from '../../../formats/conversation.ts';
import { Icon } from '../../shared/icon.tsx';
import { stepped } from '../../shared/keys.ts';
import { useStore } from '../storeContext.ts';
import { PopoverBox } from './popoverBox.tsx';

const FORMATS: readonly FormatName[] = ['chat-completions', 'messages', 'responses'];

const USES: Readonly<Record<FormatName, () => string>> = {
  'chat-completions': () => l10n.t('Supported by most tools and model servers'),
  messages: () => l10n.t('Carries reasoning with its signatures'),
  responses: () => l10n.t('Carries reasoning encrypted or as a summary'),
};

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
      <p class="list-note" id="formats-note">
        {l10n.t('All of them work with every model. They differ in what they can carry.')}
      </p>
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={l10n.t('Format of the request')}
        aria-describedby="formats-note"
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
            <span class="row-name">
              {name}
              <span class="row-summary">{USES[name]()}</span>
            </span>
          </div>
        ))}
      </div>
    </PopoverBox>
  );
}
