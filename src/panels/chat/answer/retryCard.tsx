import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { RetryView } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { retryAnnouncement, secondsUntil } from '../announcements.ts';
import { useStore } from '../storeContext.ts';

const TITLES: Readonly<Record<RetryView['reason'], () => string>> = {
  rateLimit: () => l10n.t('Too many requests'),
  overloaded: () => l10n.t('The service is overloaded'),
  network: () => l10n.t('No connection to the service'),
  timeout: () => l10n.t('The service did not respond in time'),
  server: () => l10n.t('The service had an error'),
};

/** Seconds before the end at which the countdown is announced once more. */
const LAST_CALL = 3;

export function RetryCard({ turnId, retry }: { readonly turnId: string; readonly retry: RetryView }) {
  const store = useStore();
  const seconds = secondsUntil(retry, useNow(store.now, true));
  useEffect(() => {
    if (seconds === LAST_CALL) store.announce(retryAnnouncement(seconds));
  }, [seconds, store]);
  // Whether a request without an answer is charged is unknown; a refused request is not charged.
  const refused = retry.reason === 'rateLimit' || retry.reason === 'overloaded';
  const elapsed = Math.min(1, Math.max(0, 1 - (seconds * 1000) / Math.max(1, retry.waitMs)));
  return (
    <div class="card">
      <Icon name="clockface" />
      <div class="card-body">
        <h2 class="card-title">{TITLES[retry.reason]()}</h2>
        <p class="card-text number">
          <span class="strong">{l10n.t('Retrying in {0} s', seconds)}</span>{' '}
          {l10n.t('({0} of {1}).', retry.attempt, retry.attempts)}
          {refused && ` ${l10n.t('Not charged.')}`}
        </p>
        <div class="retry-bar">
          <div class="retry-bar-fill" style={{ transform: `scaleX(${elapsed})` }} />
        </div>
        <div class="buttons">
          <Button label={l10n.t('Try now')} onClick={() => store.retryNow(turnId)} />
          <Button label={l10n.t('Cancel')} onClick={() => store.stop()} />
        </div>
      </div>
    </div>
  );
}
