import * as l10n from '@vscode/l10n';
import type { TrafficDetails, TrafficRow } from '../../../pages/traffic/protocol.ts';
import { ANY_SECRET } from '../../../rules/exchangeFilter.ts';
import { SEALED_HEADER } from '../../../rules/sealedHeaders.ts';
import { LinkButton } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { type OpenExchange, useStore } from '../store.ts';

const ALL_SECRETS = `secret:${ANY_SECRET}`;

/** Kinds of secrets that do not belong to one vendor; for others the kind is the vendor's name. */
const WORDS: Readonly<Record<string, () => string>> = {
  'api-key': () => l10n.t('API key'),
  basicauth: () => l10n.t('Address with a password'),
  'database-connection-string': () => l10n.t('Database address with a password'),
  jwt: () => l10n.t('JSON Web Token'),
  privatekey: () => l10n.t('Private key'),
};

interface SecretNoteProps {
  readonly row: TrafficRow;
  readonly open: OpenExchange;
}

/** Shows the kinds of secrets that the request contains, and whether they were replaced. */
export function SecretNote({ row: { secrets = [], sealed: recorded }, open: { details } }: SecretNoteProps) {
  const store = useStore();
  if (secrets.length === 0) return null;
  const kinds = secrets.map((kind) => WORDS[kind]?.() ?? kind).join(', ');
  const sealed = recorded ?? sealedIn(details?.answerHeaders);
  const { unknownStandIns: unknown = 0 } = details?.record ?? {};
  return (
    <div class={sealed > 0 ? 'note' : 'note warning'}>
      <Icon name={sealed > 0 ? 'lock' : 'warning'} size={14} />
      <span>
        {sealed > 0 ? sealedText(sealed, kinds) : l10n.t('The request seems to contain secrets: {0}', kinds)}{' '}
        {unknown > 0 && <>{l10n.t('Stand-ins in the answer that were not restored: {0}.', unknown)} </>}
        {store.list.value?.choice.text !== ALL_SECRETS && (
          <LinkButton
            label={l10n.t('Show requests with secrets')}
            onClick={() => store.choose({ text: ALL_SECRETS })}
          />
        )}
      </span>
    </div>
  );
}

/** The gateway of a team says in a header what it has replaced, and so do the extension's own requests. */
function sealedIn(headers: TrafficDetails['answerHeaders'] = []): number {
  return Number(headers.find(([name]) => name === SEALED_HEADER)?.[1] ?? 0);
}

function sealedText(count: number, kinds: string): string {
  return count === 1
    ? l10n.t('1 secret was sealed: {0}.', kinds)
    : l10n.t('{0} secrets were sealed: {1}.', count, kinds);
}
