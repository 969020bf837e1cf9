import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { formatSeconds } from '../../../display/time.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

/**
 * After this time without data, an answer counts as stalled; after the second one, asking again is suggested. In
 * milliseconds.
 */
const STALLED_MS = 12_000;
const LONG_STALL_MS = 60_000;

/** Returns for how long an answer in progress has received no data. In milliseconds. */
export function useSilence(turn: AnswerTurn): number {
  const { now } = useStore();
  const time = useNow(now, true);
  const last = useRef({ turn, at: now() });
  if (last.current.turn !== turn) last.current = { turn, at: now() };
  return Math.max(0, time - last.current.at);
}

/** Shows for how long no data has arrived, and what the user can do. */
export function StallCard({ turn, silence }: { readonly turn: AnswerTurn; readonly silence: number }) {
  const store = useStore();
  const isStalled = silence >= STALLED_MS;
  useEffect(() => {
    if (isStalled) store.announce(l10n.t('No data for {0}.', formatSeconds(STALLED_MS)));
  }, [isStalled, store]);
  if (!isStalled) return null;
  const long = silence >= LONG_STALL_MS;
  return (
    <div class="card warning stall">
      <Icon name="warning" />
      <div class="card-body">
        <h2 class="card-title number">{l10n.t('No data for {0}', formatSeconds(silence))}</h2>
        <p class="card-text">
          {l10n.t(
            'The connection is open, and the model may still be working. If you stop, the text received so far is kept and charged.',
          )}
        </p>
        <div class="buttons">
          <Button label={l10n.t('Stop')} onClick={() => store.stop()} />
          <Button
            primary={long}
            label={l10n.t('Retry')}
            onClick={() => store.stopThen(() => store.takeStep('retry', turn.id))}
          />
          <Button
            label={l10n.t('Ask another model…')}
            onClick={() => store.stopThen(() => store.models.askOther(turn.id))}
          />
        </div>
      </div>
    </div>
  );
}

export function isStalled(silence: number): boolean {
  return silence >= STALLED_MS;
}
