import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../../../pages/chat/protocol.ts';
import { PickerButton } from '../controls/pickerButton.tsx';

/** Opens the choice between asking and acting. In the narrowest panels it is in the More menu. */
export function ModeButton({ mode }: { readonly mode: ChatMode }) {
  return (
    <PickerButton
      popover="mode"
      class="from-280"
      label={l10n.t('Mode: {0}', modeName(mode))}
      text={mode === 'reviewingAgent' ? l10n.t('Agent, review') : modeName(mode)}
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
