import * as l10n from '@vscode/l10n';
import { formatEstimate } from '../../display/money.ts';
import { formatTokens, formatWindow } from '../../display/tokens.ts';
import type { SessionState } from '../../pages/session/protocol.ts';
import { CostRanges, RangeNote } from '../shared/costRanges.tsx';
import { Icon } from '../shared/icon.tsx';
import { costText } from './words.ts';

/** The cost of the session on other models, and the cost of a switch now. */
export function WhatIfSection({ state }: { readonly state: SessionState }) {
  const { whatIf, totals, turns, subagents } = state;
  const context = turns.findLast((turn) => turn.context > 0)?.context ?? 0;
  const next = whatIf.find(({ tooSmall }) => tooSmall === undefined);
  const rows = whatIf.map(({ model, low, high, tooSmall }) => ({
    model,
    low,
    high,
    ...(tooSmall !== undefined && {
      problem: l10n.t('does not fit, {0} of {1}', formatTokens(context), formatWindow(tooSmall)),
    }),
  }));
  return (
    <CostRanges
      charged={totals.cost}
      chargedLabel={state.isSample ? l10n.t('Total') : l10n.t('As charged')}
      chargedText={costText(state)}
      rows={rows}
    >
      <p class="quiet">
        <RangeNote />
        {subagents > 0 && ` ${l10n.t('Main agent only; subagents as charged.')}`}
      </p>
      {next !== undefined && (
        <p class="card note">
          <Icon name="info" />
          {l10n.t(
            'Switching now to {0} writes {1} tokens again: {2} once.',
            next.model,
            formatTokens(context),
            formatEstimate(next.switchCost),
          )}
        </p>
      )}
    </CostRanges>
  );
}
