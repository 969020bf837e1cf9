import * as l10n from '@vscode/l10n';
import { type ComponentChildren, Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { isAvoidable } from '../../../rules/cacheMiss.ts';
import { Icon } from '../../shared/icon.tsx';
import { missAdvice, missWord } from '../../shared/missWords.ts';
import type { OpenExchange } from '../store.ts';

type MissFact = readonly [label: string, value: ComponentChildren];

/** Shows why the cache missed what an earlier request had sent, if it did. */
export function MissNote({ row, open }: { readonly row: TrafficRow; readonly open: OpenExchange }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const miss = row.cacheMiss ?? open.details?.record?.cacheMiss;
  if (miss === undefined) return null;
  const { reason, missedTokens } = miss;
  const { changed } = open.details?.record?.cacheMiss ?? {};
  const isWarning = isAvoidable(reason);
  const cost = costText(row);
  const parts = [
    l10n.t('{0} tokens were not read from the cache', formatTokens(missedTokens)),
    ...(isWarning && cost !== undefined ? [l10n.t('{0} avoidable', cost)] : []),
  ];
  const facts = factsOf(row, miss);
  return (
    <div class={isWarning ? 'note warning' : 'note'}>
      <Icon name={isWarning ? 'warning' : 'info'} size={14} />
      <div class="miss">
        {missWord(reason)}
        {changed !== undefined && (
          <>
            {' '}
            <code>{changed}</code>
          </>
        )}
        {`: ${parts.join(' · ')} `}
        <button type="button" class="link" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
          {l10n.t('Why?')}
          <Icon name={isExpanded ? 'chevron-up' : 'chevron-down'} size={12} />
        </button>
        {isExpanded && (
          <dl>
            {facts.map(([label, value]) => (
              <Fragment key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}

function factsOf(row: TrafficRow, { reason, missedTokens }: NonNullable<TrafficRow['cacheMiss']>): readonly MissFact[] {
  const { usage, upstreamMissReason } = row;
  const cost = costText(row);
  const advice = missAdvice(reason);
  return [
    [l10n.t('Missed'), l10n.t('{0} tokens', formatTokensExact(missedTokens))],
    ...(usage === undefined ? [] : [stillRead(usage)]),
    ...(cost === undefined ? [] : [[l10n.t('Cost'), cost] as const]),
    ...(advice === undefined ? [] : [[l10n.t('How to avoid it'), advice] as const]),
    ...(upstreamMissReason === undefined
      ? []
      : [[l10n.t('Upstream says'), <code key="reason">{upstreamMissReason}</code>] as const]),
  ];
}

function stillRead({ cachedInputTokens = 0, inputTokens }: NonNullable<TrafficRow['usage']>): MissFact {
  return [
    l10n.t('Still read'),
    l10n.t('{0} of {1} tokens', formatTokensExact(cachedInputTokens), formatTokensExact(inputTokens)),
  ];
}

/** What the missed tokens cost more than tokens that are read from the cache. */
function costText({ cacheMiss }: TrafficRow): string | undefined {
  return cacheMiss?.cost === undefined ? undefined : formatMoney(cacheMiss.cost);
}
