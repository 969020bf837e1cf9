import * as l10n from '@vscode/l10n';
import { useLayoutEffect } from 'preact/hooks';
import type { ContextChoiceView } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { chipIcon } from '../composer/chipIcon.ts';
import { PopoverBox } from '../composer/popoverBox.tsx';
import { useStore } from '../storeContext.ts';

/** The attachable items that match the text after the `@`. The focus stays in the composer. */
export function ContextPopover() {
  const { context } = useStore().composition;
  const choices = context.choices.value;
  const active = context.active.value;
  const unsearched = context.unsearched.value;
  useLayoutEffect(() => {
    document.getElementById(contextRowId(active))?.scrollIntoView({ block: 'nearest' });
  }, [choices, active]);
  return (
    <PopoverBox name="context" class="list-popover prompts context">
      <div id="context-list" role="listbox" aria-label={l10n.t('Attach')} class="prompt-list">
        {choices?.map((choice, index) => (
          <Row key={choice.id} choice={choice} index={index} active={index === active} />
        ))}
      </div>
      {choices?.length === 0 && <p class="list-note">{l10n.t('No matches.')}</p>}
      {unsearched.length > 0 && (
        <p class="list-note">
          {l10n.t('Files in {0} cannot be searched. Choose them in the dialog.', unsearched.join(', '))}
        </p>
      )}
      {choices === undefined && <p class="list-note">{l10n.t('Reading the workspace')}</p>}
    </PopoverBox>
  );
}

interface RowProps {
  readonly choice: ContextChoiceView;
  readonly index: number;
  readonly active: boolean;
}

function Row({ choice, index, active }: RowProps) {
  const { composition } = useStore();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the composer takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the composer has the focus
    <div
      id={contextRowId(index)}
      role="option"
      class={`row prompt-row context-row${active ? ' active' : ''}`}
      aria-selected={active}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => composition.attach(choice)}
    >
      <Icon name={chipIcon(choice)} />
      <span class="row-name">
        {choice.label}
        {choice.detail !== undefined && <span class="row-note">{choice.detail}</span>}
      </span>
    </div>
  );
}

export function contextRowId(index: number): string {
  return `context-${index}`;
}
