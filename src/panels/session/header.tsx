import * as l10n from '@vscode/l10n';
import { turnsText } from '../../display/turns.ts';
import type { SessionState } from '../../pages/session/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { useStore } from './store.ts';
import { clockTime } from './words.ts';

export function Header({ state }: { readonly state: SessionState }) {
  const store = useStore();
  return (
    <header class="session-head">
      <div class="session-title">
        <nav aria-label={l10n.t('Breadcrumb')} class="crumbs">
          <button type="button" class="link" onClick={() => store.post({ type: 'openUsage' })}>
            {l10n.t('Usage')}
          </button>
          <Icon name="chevron-right" size={12} />
          <span>{l10n.t('Session')}</span>
        </nav>
        <h1>
          {state.name}
          <span class="session-state">{stateText(state)}</span>
        </h1>
        <p class="quiet">{noteOf(state)}</p>
      </div>
      <div class="session-actions">
        <button type="button" class="button" onClick={() => store.post({ type: 'showInTraffic' })}>
          <Icon name="pulse" size={14} />
          {l10n.t('Show in Traffic')}
        </button>
        <button type="button" class="button" onClick={() => store.post({ type: 'export' })}>
          <Icon name="export" size={14} />
          {l10n.t('Export…')}
        </button>
      </div>
    </header>
  );
}

function stateText({ isRunning, end, turns }: SessionState): string {
  if (isRunning) return l10n.t('Running, turn {0}', turns.length);
  return end === 'budget' ? l10n.t('Ended at its cap') : turnsText(turns.length);
}

function noteOf({ models, subagents, agentTypes, keyName, turns, sealed }: SessionState): string {
  const [first, ...others] = models;
  const model = others.length === 0 ? first : l10n.t('{0}, {1} more', first ?? '', others.length);
  const agents = subagents === 1 ? l10n.t('1 subagent') : l10n.t('{0} subagents', subagents);
  const agentsText = agentTypes.length === 0 ? agents : `${agents} (${agentTypes.join(', ')})`;
  const [start, end] = [turns[0]?.from, turns.at(-1)?.to];
  return [
    model,
    subagents === 0 ? undefined : agentsText,
    keyName === undefined ? undefined : l10n.t('Key {0}', keyName),
    sealed === 0 ? undefined : sealedText(sealed),
    start === undefined || end === undefined ? undefined : l10n.t('{0} to {1}', clockTime(start), clockTime(end)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function sealedText(count: number): string {
  return count === 1 ? l10n.t('1 secret sealed') : l10n.t('{0} secrets sealed', count);
}
