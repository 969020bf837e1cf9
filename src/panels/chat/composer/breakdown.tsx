import * as l10n from '@vscode/l10n';
import { formatBalance, formatEstimate, formatMoney } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { ChatState, EstimateView } from '../../../pages/chat/protocol.ts';
import { LinkButton } from '../../shared/button.tsx';
import { PopoverBox } from '../controls/popoverBox.tsx';
import { breakdownRows } from '../meter/meter.ts';
import { useStore } from '../storeContext.ts';

/** The breakdown of the request's tokens, and its maximum cost. */
export function Breakdown({ state }: { readonly state: ChatState }) {
  const { estimate, model } = state;
  const rows = breakdownRows(state);
  return (
    <PopoverBox
      name="breakdown"
      class={state.connection === 'sandbox' ? 'breakdown number sample' : 'breakdown number'}
    >
      <div class="breakdown-head">
        <h2 class="card-title">{l10n.t('This request')}</h2>
        <bdi class="breakdown-model">{model}</bdi>
      </div>
      {rows.length === 0 ? (
        <p class="breakdown-empty">{l10n.t('Type a message to see its size and cost.')}</p>
      ) : (
        <dl class="breakdown-rows" title={l10n.t('The total is counted; its parts are estimated.')}>
          {rows.map(({ color, label, tokens, cost }) => (
            <div key={color} class={color === '' ? 'breakdown-row quiet' : 'breakdown-row'}>
              <dt>
                <span class={`swatch ${color}`} />
                <span class="breakdown-part">{label}</span>
              </dt>
              <dd class="breakdown-tokens">{tokens}</dd>
              <dd>{cost}</dd>
            </div>
          ))}
        </dl>
      )}
      <Totals estimate={estimate} />
      <UsageLink />
    </PopoverBox>
  );
}

/** Opens the usage of all requests so far. */
function UsageLink() {
  const store = useStore();
  return <LinkButton label={l10n.t('Usage so far')} onClick={() => store.post({ type: 'openUsage' })} />;
}

function Totals({ estimate }: Pick<ChatState, 'estimate'>) {
  const { expectedCost, inputCost, maxCost, maxOutputTokens, balanceAfter, run } = estimate;
  const cost = expectedCost ?? inputCost;
  if (cost === undefined && balanceAfter === undefined) return null;
  const maxOutput =
    maxOutputTokens === undefined
      ? l10n.t('Maximum')
      : l10n.t('Maximum, at {0} tokens', formatTokensExact(maxOutputTokens));
  return (
    <dl class="breakdown-totals">
      {cost !== undefined && (
        <div class="breakdown-row total">
          <dt>{costLabel(estimate)}</dt>
          <dd>{formatEstimate(cost)}</dd>
        </div>
      )}
      {maxCost !== undefined && (
        <div class="breakdown-row">
          <dt>{maxOutput}</dt>
          <dd>{formatMoney(maxCost)}</dd>
        </div>
      )}
      {run?.typical !== undefined && (
        <div class="breakdown-row">
          <dt>{l10n.t('Typical run')}</dt>
          <dd>{formatEstimate(run.typical)}</dd>
        </div>
      )}
      {run !== undefined && run.cap > 0 && (
        <div class="breakdown-row">
          <dt>{l10n.t('Run cap')}</dt>
          <dd>{formatBalance(run.cap)}</dd>
        </div>
      )}
      {balanceAfter !== undefined && (
        <div class="breakdown-row">
          <dt>{l10n.t('Balance after')}</dt>
          <dd>{formatBalance(balanceAfter)}</dd>
        </div>
      )}
    </dl>
  );
}

function costLabel({ expectedCost, run }: EstimateView): string {
  if (run !== undefined) return l10n.t('First step');
  return expectedCost === undefined ? l10n.t('Estimate without answer') : l10n.t('Estimate');
}
