import * as l10n from '@vscode/l10n';
import { asSample, formatMoney } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { isAvoidable } from '../../../rules/cacheMiss.ts';
import { Icon } from '../../shared/icon.tsx';
import { missWord } from '../../shared/missWord.ts';
import type { OpenExchange } from '../store.ts';
import { isSample } from '../words.ts';

/** Shows why the cache missed what an earlier request had sent, if it did. */
export function MissNote({ row, open }: { readonly row: TrafficRow; readonly open: OpenExchange }) {
  const miss = row.cacheMiss ?? open.details?.record?.cacheMiss;
  if (miss === undefined) return null;
  const { reason, missedTokens } = miss;
  const { changed } = open.details?.record?.cacheMiss ?? {};
  const cost = row.cacheMiss?.cost;
  const isWarning = isAvoidable(reason);
  const money = (usd: number) => (isSample(row) ? asSample(formatMoney(usd)) : formatMoney(usd));
  const parts = [
    l10n.t('{0} tokens were not read from the cache', formatTokens(missedTokens)),
    ...(isWarning && cost !== undefined ? [l10n.t('{0} avoidable', money(cost))] : []),
  ];
  return (
    <div class={isWarning ? 'note warning' : 'note'}>
      <Icon name={isWarning ? 'warning' : 'info'} size={14} />
      <span>
        {missWord(reason)}
        {changed !== undefined && (
          <>
            {' '}
            <code>{changed}</code>
          </>
        )}
        {`: ${parts.join(' · ')}`}
      </span>
    </div>
  );
}
