import * as l10n from '@vscode/l10n';
import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { ANY_SECRET } from '../../../rules/exchangeFilter.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../store.ts';

const ALL_SECRETS = `secret:${ANY_SECRET}`;

/** Kinds of secrets that do not belong to one vendor; for others the kind is the vendor's name. */
const WORDS: Readonly<Record<string, () => string>> = {
  'api-key': () => l10n.t('API key'),
  basicauth: () => l10n.t('Address with a password'),
  'database-connection-string': () => l10n.t('Database address with a password'),
  jwt: () => l10n.t('JSON Web Token'),
  privatekey: () => l10n.t('Private key'),
};

/** Shows the kinds of secrets that the request seems to contain. */
export function SecretNote({ row: { secrets = [] } }: { readonly row: TrafficRow }) {
  const store = useStore();
  if (secrets.length === 0) return null;
  const kinds = secrets.map((kind) => WORDS[kind]?.() ?? kind).join(', ');
  return (
    <div class="note warning">
      <Icon name="warning" size={14} />
      <span>
        {l10n.t('The request seems to contain secrets: {0}', kinds)}{' '}
        {store.list.value?.choice.text !== ALL_SECRETS && (
          <button type="button" class="link" onClick={() => store.choose({ text: ALL_SECRETS })}>
            {l10n.t('Show requests with secrets')}
          </button>
        )}
      </span>
    </div>
  );
}
