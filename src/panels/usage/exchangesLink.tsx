import * as l10n from '@vscode/l10n';
import type { TrafficFilter } from '../../pages/usage/protocol.ts';
import { useStore } from './store.ts';
import { count } from './words.ts';

/** A number of requests that links to them in the Traffic view. */
export function ExchangesLink({
  exchanges,
  of,
  filter,
}: {
  readonly exchanges: number;
  /** What the requests belong to, for assistive technology. */
  readonly of: string;
  /** Undefined if the requests are not in the local ledger. */
  readonly filter: TrafficFilter | undefined;
}) {
  const store = useStore();
  if (exchanges === 0 || filter === undefined) return <>{count(exchanges)}</>;
  return (
    <button
      type="button"
      class="figure-link"
      title={l10n.t('Show these requests in Traffic')}
      aria-label={l10n.t('{0} requests from {1}, show in Traffic', count(exchanges), of)}
      onClick={() => store.openTraffic(filter)}
    >
      {count(exchanges)}
    </button>
  );
}
