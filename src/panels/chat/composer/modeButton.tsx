import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../../../pages/chat/protocol.ts';
import { PickerButton } from '../controls/pickerButton.tsx';

/** Opens the choice between asking and acting. An agent is marked. */
export function ModeButton({ mode }: { readonly mode: ChatMode }) {
  const isAgent = mode !== 'ask';
  return (
    <PickerButton
      popover="mode"
      class={isAgent ? 'mode marked' : 'mode'}
      label={l10n.t('Mode: {0}', modeName(mode))}
      icon={isAgent ? 'robot' : 'comment-discussion'}
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
