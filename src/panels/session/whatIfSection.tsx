import * as l10n from '@vscode/l10n';
import { shortModelName } from '../../display/models.ts';
import { formatEstimate, formatRoughly } from '../../display/money.ts';
import { formatTokens, formatWindow } from '../../display/tokens.ts';
import type { SessionState, WhatIf } from '../../editor/sessions/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { axisFor, axisMoney } from '../shared/plot/axis.ts';
import { costText } from './words.ts';

/** The cost of the session on other models, as ranges next to the actual cost. */
export function WhatIfSection({ state }: { readonly state: SessionState }) {
  const { whatIf, totals, turns, subagents } = state;
  const axis = axisFor(Math.max(totals.cost, ...whatIf.map(({ high }) => high)));
  const at = (usd: number) => `${(100 * usd) / axis.max}%`;
  const context = turns.findLast((turn) => turn.context > 0)?.context ?? 0;
  const next = whatIf.find(({ tooSmall }) => tooSmall === undefined);
  return (
    <section class="section what-if">
      <div class="plot-head">
        <h2>{l10n.t('On another model')}</h2>
        <span class="readout">{l10n.t('estimate')}</span>
      </div>
      <dl class="ranges number">
        <dt>{state.isSample ? l10n.t('Total') : l10n.t('As charged')}</dt>
        <dd>
          <span class="range-track" aria-hidden="true">
            <i class="range-dot" style={{ left: at(totals.cost) }} />
          </span>
          <span>{costText(state)}</span>
        </dd>
        {whatIf.map((each) => (
          <Range key={each.model} whatIf={each} at={at} charged={totals.cost} context={context} />
        ))}
      </dl>
      <p class="range-axis number" aria-hidden="true">
        <span>{axisMoney(axis.step)(0)}</span>
        <span>{axisMoney(axis.step)(axis.max)}</span>
      </p>
      <p class="quiet">
        {l10n.t('Same tokens at other prices, ±10% for the tokenizer and ±30% for the length of answers.')}
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
    </section>
  );
}

interface RangeProps {
  readonly whatIf: WhatIf;
  /** Returns the position of an amount on the axis. */
  readonly at: (usd: number) => string;
  readonly charged: number;
  readonly context: number;
}

function Range({ whatIf: { model, low, high, tooSmall }, at, charged, context }: RangeProps) {
  const isTooSmall = tooSmall !== undefined;
  return (
    <>
      <dt title={model}>{shortModelName(model)}</dt>
      <dd>
        <span class="range-track" aria-hidden="true">
          {!isTooSmall && <i class="range-bar" style={{ left: at(low), width: at(high - low) }} />}
          <i class="range-charged" style={{ left: at(charged) }} />
        </span>
        <span>
          {isTooSmall
            ? l10n.t('does not fit, {0} of {1}', formatTokens(context), formatWindow(tooSmall))
            : l10n.t('{0} to {1}', formatEstimate(low), formatRoughly(high))}
        </span>
      </dd>
    </>
  );
}
