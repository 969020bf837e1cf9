import * as l10n from '@vscode/l10n';
import { Button, LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';

const BENEFITS = [
  { icon: 'tag', text: () => l10n.t('See tokens, price, and balance as you type.') },
  { icon: 'credit-card', text: () => l10n.t('Pay per request from credit. No renewals.') },
  { icon: 'server-process', text: () => l10n.t('Share one local address with your other tools.') },
] as const;

/** The welcome page, shown without a key and without the sandbox. The editor asks for the key. */
export function Welcome() {
  const store = useStore();
  return (
    <section class="welcome">
      <h1 class="welcome-heading">{l10n.t('Know the price before you send')}</h1>
      <p class="welcome-lead">
        {l10n.t('Eleven models on one prepaid key. Start with your own key, or look around first.')}
      </p>
      <div class="welcome-card filled">
        <h2 class="welcome-card-title">{l10n.t('Use your key')}</h2>
        <p class="welcome-card-text">{l10n.t('Stored in the editor’s secret storage.')}</p>
        <div class="buttons">
          <Button primary label={l10n.t('Set Service Key')} onClick={() => store.post({ type: 'enterKey' })} />
          <LinkButton label={l10n.t('Get a key')} onClick={() => store.post({ type: 'getKey' })} />
        </div>
      </div>
      <button type="button" class="welcome-card" onClick={() => store.post({ type: 'trySandbox' })}>
        <span class="welcome-card-title">{l10n.t('Try the Sandbox')}</span>
        <span class="welcome-card-text">{l10n.t('Sample answers, sample money. No key needed.')}</span>
        <Icon name="chevron-right" />
      </button>
      <ul class="welcome-benefits">
        {BENEFITS.map(({ icon, text }) => (
          <li key={icon}>
            <Icon name={icon} />
            {text()}
          </li>
        ))}
      </ul>
      <div class="welcome-links">
        <LinkButton label={l10n.t('History')} onClick={() => store.openHistory()} />
        <LinkButton label={l10n.t('What is sent, and where')} onClick={() => store.post({ type: 'openPrivacy' })} />
      </div>
    </section>
  );
}
