import * as l10n from '@vscode/l10n';
import type { ChatState } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { modeName } from './modeButton.tsx';
import { OptionPicker } from './optionPicker.tsx';

type ChosenMode = Pick<ChatState, 'mode' | 'agent'>;

/** Before the name of an agent of a file, which may be called like a mode. */
const AGENT = 'agent:';

export function ModePicker({ mode, agent, agents }: ChosenMode & Pick<ChatState, 'agents'>) {
  const store = useStore();
  const leaveFor = (type: 'newAgent' | 'configureAgent') => {
    store.closePopover();
    store.post({ type });
  };
  const isAgent = mode !== 'ask';
  const current = !isAgent ? 'ask' : agent === undefined ? 'agent' : AGENT + agent;
  return (
    <OptionPicker
      popover="mode"
      label={l10n.t('Mode')}
      options={[
        { value: 'ask', name: modeName({ mode: 'ask' }), summary: l10n.t('Answers questions and changes nothing') },
        {
          value: 'agent',
          name: modeName({ mode: 'agent' }),
          summary: l10n.t('Reads and edits files and runs commands. It asks first, and stops at a cap.'),
        },
        ...agents.map(({ name, description }) => ({ value: AGENT + name, name, summary: description })),
      ]}
      chosen={current}
      onChoose={(chosen) => {
        if (chosen === current) return;
        if (chosen === 'ask') store.post({ type: 'setMode', mode: 'ask' });
        // Whether edits are reviewed first stays the same.
        else store.post({ type: 'setMode', mode: isAgent ? mode : 'agent', ...agentOf(chosen) });
      }}
    >
      {isAgent && <ReviewSwitch mode={mode} agent={agent} />}
      <div class="list-footer">
        <button type="button" class="link footer-action" onClick={() => leaveFor('newAgent')}>
          {l10n.t('New Agent…')}
        </button>
        <button type="button" class="link footer-action" onClick={() => leaveFor('configureAgent')}>
          {l10n.t('Configure Agent…')}
        </button>
      </div>
    </OptionPicker>
  );
}

function agentOf(chosen: string): { readonly agent?: string } {
  return chosen.startsWith(AGENT) ? { agent: chosen.slice(AGENT.length) } : {};
}

function ReviewSwitch({ mode, agent }: ChosenMode) {
  const store = useStore();
  const isOn = mode === 'reviewingAgent';
  return (
    <button
      type="button"
      role="switch"
      class="row separate"
      aria-checked={isOn}
      onKeyDown={({ key }) => key === 'Escape' && store.closePopover()}
      onClick={() =>
        store.post({
          type: 'setMode',
          mode: isOn ? 'agent' : 'reviewingAgent',
          ...(agent !== undefined && { agent }),
        })
      }
    >
      <span class="row-check">{isOn && <Icon name="check" />}</span>
      <span class="row-name">
        {l10n.t('Review Before Writing')}
        <span class="row-summary">{l10n.t('Each edit waits until you accept it')}</span>
      </span>
    </button>
  );
}
