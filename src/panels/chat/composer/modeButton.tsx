import * as l10n from '@vscode/l10n';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { PickerButton } from '../controls/pickerButton.tsx';

/** Opens the choice between asking and acting. An agent is marked. */
export function ModeButton({ mode, agent }: Pick<ChatState, 'mode' | 'agent'>) {
  const isAgent = mode !== 'ask';
  const reviewed = agent === undefined ? l10n.t('Agent, review') : l10n.t('{0}, review', agent);
  return (
    <PickerButton
      popover="mode"
      class={isAgent ? 'mode marked' : 'mode'}
      label={l10n.t('Mode: {0}', modeName({ mode, agent }))}
      icon={isAgent ? 'robot' : 'comment-discussion'}
      text={mode === 'reviewingAgent' ? reviewed : modeName({ mode, agent })}
    />
  );
}

export function modeName({ mode, agent }: Pick<ChatState, 'mode' | 'agent'>): string {
  switch (mode) {
    case 'ask':
      return l10n.t('Ask');
    case 'agent':
      return agent ?? l10n.t('Agent');
    case 'reviewingAgent':
      return agent === undefined ? l10n.t('Agent, Review Before Writing') : l10n.t('{0}, Review Before Writing', agent);
  }
}
