import * as l10n from '@vscode/l10n';
import type { ChatMode } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { modeName } from './modeButton.tsx';
import { OptionPicker } from './optionPicker.tsx';

export function ModePicker({ mode }: { readonly mode: ChatMode }) {
  const store = useStore();
  const isAgent = mode !== 'ask';
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
      ]}
      chosen={isAgent ? 'agent' : 'ask'}
      onChoose={(chosen) => {
        if (isAgent !== (chosen === 'agent')) store.post({ type: 'setMode', mode: chosen });
      }}
    >
      {isAgent && <ReviewSwitch isOn={mode === 'reviewingAgent'} />}
    </OptionPicker>
  );
}

function ReviewSwitch({ isOn }: { readonly isOn: boolean }) {
  const store = useStore();
  return (
    <button
      type="button"
      role="switch"
      class="row separate"
      aria-checked={isOn}
      onKeyDown={({ key }) => key === 'Escape' && store.closePopover()}
      onClick={() => store.post({ type: 'setMode', mode: isOn ? 'agent' : 'reviewingAgent' })}
    >
      <span class="row-check">{isOn && <Icon name="check" />}</span>
      <span class="row-name">
        {l10n.t('Review Before Writing')}
        <span class="row-summary">{l10n.t('Each edit waits until you accept it')}</span>
      </span>
    </button>
  );
}
