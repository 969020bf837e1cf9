import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../../../editor/chat/protocol.ts';
import { PickerButton } from '../controls/pickerButton.tsx';
import { useStore } from '../storeContext.ts';
import { OptionPicker } from './optionPicker.tsx';

/** Opens the choice between asking and acting. In the narrowest panels it is in the More menu. */
export function ModeButton({ mode }: { readonly mode: ChatMode }) {
  return (
    <PickerButton
      popover="mode"
      class="from-280"
      label={l10n.t('Mode: {0}', modeName(mode))}
      text={mode === 'ask' ? l10n.t('Ask') : l10n.t('Agent')}
    />
  );
}

export function ModePicker({ mode }: { readonly mode: ChatMode }) {
  const store = useStore();
  return (
    <OptionPicker
      popover="mode"
      label={l10n.t('Mode')}
      options={[
        { value: 'ask', name: modeName('ask'), summary: l10n.t('Answers questions and changes nothing') },
        {
          value: 'agent',
          name: modeName('agent'),
          summary: l10n.t('Reads and edits files and runs commands. It asks first, and stops at a cap.'),
        },
        {
          value: 'reviewingAgent',
          name: modeName('reviewingAgent'),
          summary: l10n.t('Like Agent, but each edit waits until you accept it'),
        },
      ]}
      chosen={mode}
      onChoose={(chosen) => store.post({ type: 'setMode', mode: chosen })}
    />
  );
}

export function modeName(mode: ChatMode): string {
  switch (mode) {
    case 'ask':
      return l10n.t('Ask');
    case 'agent':
      return l10n.t('Agent');
    case 'reviewingAgent':
      return l10n.t('Agent, Review Before Writing');
  }
}

export function modeIcon(mode: ChatMode): string {
  return mode === 'ask' ? 'comment-discussion' : 'robot';
}
