import * as l10n from '@vscode/l10n';
import type { ChatState, ParameterName } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';

/** Shows which parameters the chosen format does not support, so that they have no effect. */
export function DroppedNote({ state }: { readonly state: ChatState }) {
  const { dropped = [], own, defaults } = state.parameters;
  if (dropped.length === 0) return null;
  const isDecided = dropped.some((name) => String(own[name] ?? defaults[name] ?? '') !== '');
  const names = dropped.map(nameOf).join(', ');
  return (
    <p class={isDecided ? 'dropped decided' : 'dropped'} role="note">
      <Icon name={isDecided ? 'warning' : 'info'} size={14} />
      <span>{l10n.t('The {0} format does not support: {1}.', state.format, names)}</span>
    </p>
  );
}

function nameOf(name: ParameterName): string {
  switch (name) {
    case 'systemPrompt':
      return l10n.t('System prompt');
    case 'maxTokens':
      return l10n.t('Max output tokens');
    case 'temperature':
      return l10n.t('Temperature');
    case 'reasoningEffort':
      return l10n.t('Reasoning');
    case 'stopSequences':
      return l10n.t('Stop sequences');
  }
}
