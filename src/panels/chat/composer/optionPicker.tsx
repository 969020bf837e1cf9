import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shared/icon.tsx';
import { stepped } from '../../shared/keys.ts';
import { PopoverBox } from '../controls/popoverBox.tsx';
import type { Popover } from '../popover.ts';
import { useStore } from '../storeContext.ts';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly name: string;
  /** What it is for. */
  readonly summary: string;
}

interface OptionPickerProps<Value extends string> {
  readonly popover: Popover;
  readonly label: string;
  readonly note?: string;
  readonly options: readonly Option<Value>[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
  /** What is below the options. */
  readonly children?: ComponentChildren;
}

/** A popover with a few options and what they are for. */
export function OptionPicker<Value extends string>(props: OptionPickerProps<Value>) {
  const { popover, label, note, options, chosen, onChoose } = props;
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(options.findIndex(({ value }) => value === chosen));
  useLayoutEffect(() => list.current?.focus(), []);
  const choose = (option: Option<Value> | undefined) => {
    if (option !== undefined) onChoose(option.value);
    store.closePopover();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return;
    event.preventDefault();
    if (event.key === 'ArrowDown') setActive(stepped(active, 1, options.length));
    else if (event.key === 'ArrowUp') setActive(stepped(active, -1, options.length));
    else if (event.key === 'Enter' || event.key === ' ') choose(options[active]);
    else if (event.key === 'Escape') store.closePopover();
  };
  return (
    <PopoverBox name={popover} class="list-popover options">
      {note !== undefined && (
        <p class="list-note" id={`${popover}-note`}>
          {note}
        </p>
      )}
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-describedby={note === undefined ? undefined : `${popover}-note`}
        aria-activedescendant={`${popover}-${active}`}
        onKeyDown={onKeyDown}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          <div
            key={option.value}
            id={`${popover}-${index}`}
            role="option"
            class={`row${index === active ? ' active' : ''}`}
            aria-selected={option.value === chosen}
            onClick={() => choose(option)}
            onPointerMove={() => setActive(index)}
          >
            <span class="row-check">{option.value === chosen && <Icon name="check" />}</span>
            <span class="row-name">
              {option.name}
              <span class="row-summary">{option.summary}</span>
            </span>
          </div>
        ))}
      </div>
      {props.children}
    </PopoverBox>
  );
}
