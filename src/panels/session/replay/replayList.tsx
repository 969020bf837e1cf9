import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import type { ReplaySummary } from '../../../pages/session/replay/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../store.ts';
import { clockTime } from '../words.ts';

/** The replays of the session, each a link to its page. */
export function ReplayList() {
  const store = useStore();
  const replays = store.replays.value;
  if (replays.length === 0) return null;
  return (
    <section class="section">
      <h2>{l10n.t('Replays')}</h2>
      <ul class="replays">
        {replays.map((replay) => (
          <li key={replay.id}>
            <Icon name="debug-rerun" size={14} />
            <button type="button" class="link" onClick={() => store.post({ type: 'openReplay', id: replay.id })}>
              {replay.model}
            </button>
            <span class="quiet number">{noteOf(replay)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function noteOf({ at, isRunning, answered, requests, cost }: ReplaySummary): string {
  const progress = isRunning ? l10n.t('running') : l10n.t('{0} of {1} answered', answered, requests);
  return [clockTime(at), progress, formatSum(cost)].join(' · ');
}
