import * as l10n from '@vscode/l10n';
import { dayOf, formatDay } from '../../display/day.ts';
import { formatBalance, formatSum } from '../../display/money.ts';
import { formatShare } from '../../display/tokens.ts';
import type { Reconciliation, UsageReport, UsageState } from '../../pages/usage/protocol.ts';
import { LinkButton } from '../shared/button.tsx';
import { forecastOf } from './forecast.ts';
import { useStore } from './store.ts';
import { count } from './words.ts';

/** Smaller differences may be due to rounding. As a share of what was charged. */
const ROUNDING = 0.01;

/** Shows how long the balance lasts, and whether the recorded costs match the charged amount. */
export function BalanceSection({ state, report }: { readonly state: UsageState; readonly report: UsageReport }) {
  const store = useStore();
  if (state.connection !== 'hosted') return null;
  const { reconciliation } = report;
  return (
    <section class="section balance">
      <div class="plot-head">
        <h2>{l10n.t('Balance')}</h2>
      </div>
      <p>
        {forecastText(state, report)}{' '}
        {state.hasDashboard && (
          <LinkButton label={l10n.t('Add credit')} onClick={() => store.post({ type: 'addCredit' })} />
        )}
      </p>
      {reconciliation === undefined ? (
        <p class="quiet">
          {l10n.t('The balance has not changed often enough in this period to compare it with the recorded costs.')}
        </p>
      ) : (
        <Comparison reconciliation={reconciliation} />
      )}
    </section>
  );
}

function forecastText({ balance, now }: UsageState, { pace }: UsageReport): string {
  const forecast = forecastOf(pace, balance, now);
  const left = balance === undefined ? '' : formatBalance(balance);
  switch (forecast.kind) {
    case 'until':
      return l10n.t(
        'At {0} per day, the average of the last 14 days, the remaining {1} will last until about {2}.',
        formatSum(forecast.perDay),
        left,
        formatDay(dayOf(forecast.at)),
      );
    case 'overAYear':
      return l10n.t(
        'At {0} per day, the average of the last 14 days, the remaining {1} will last for more than a year.',
        formatSum(forecast.perDay),
        left,
      );
    case 'tooEarly':
      return l10n.t('{0} left. A forecast is available after one day of use.', left);
    case 'nothingSpent':
      return l10n.t('{0} left. Nothing was spent in the last 14 days.', left);
    case 'usedUp':
      return l10n.t('The balance is used up.');
    case 'unknown':
      return l10n.t('The service does not report the balance.');
  }
}

function Comparison({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { from, to, drawn, recorded } = reconciliation;
  const difference = differenceOf(reconciliation);
  const sign = difference < 0 ? '−' : '+';
  const share = drawn === 0 ? '' : ` (${formatShare(Math.abs(difference) / drawn)})`;
  return (
    <>
      <dl class="comparison number">
        <dt>{l10n.t('The balance fell by')}</dt>
        <dd>{formatSum(drawn)}</dd>
        <dt>{l10n.t('Recorded here')}</dt>
        <dd>{formatSum(recorded)}</dd>
        <dt>{l10n.t('Difference')}</dt>
        <dd class="strong">{difference === 0 ? formatSum(0) : `${sign}${formatSum(Math.abs(difference))}${share}`}</dd>
      </dl>
      <p class="quiet">
        {[l10n.t('Between {0} and {1}.', timeOf(from), timeOf(to)), ...reasons(reconciliation)].join(' ')}
      </p>
    </>
  );
}

/**
 * The amounts are compared in whole billionths of a dollar, as in the ledger, because binary fractions of a dollar are
 * slightly off.
 */
function differenceOf({ drawn, recorded }: Reconciliation): number {
  return Math.round((drawn - recorded) * 1e9) / 1e9;
}

function mayBeRounding(reconciliation: Reconciliation): boolean {
  return Math.abs(differenceOf(reconciliation)) <= reconciliation.drawn * ROUNDING;
}

/** Returns possible reasons for the difference, and what it does not include. */
function reasons(reconciliation: Reconciliation): string[] {
  const { drawn, recorded, unpriced, estimated, topUps } = reconciliation;
  const found: string[] = [];
  if (differenceOf(reconciliation) === 0) found.push(l10n.t('The amounts match.'));
  else if (mayBeRounding(reconciliation)) found.push(l10n.t('The difference may be due to rounding.'));
  else if (drawn > recorded)
    found.push(l10n.t('More was charged than recorded. The key may also be in use elsewhere, or requests were lost.'));
  else
    found.push(l10n.t('More was recorded than charged. The service may charge later, or less than its list prices.'));
  if (unpriced > 0) found.push(l10n.t('Requests without a known price: {0}.', count(unpriced)));
  if (estimated > 0) found.push(l10n.t('Requests with estimated tokens: {0}.', count(estimated)));
  if (!mayBeRounding(reconciliation))
    found.push(
      l10n.t('Cache prices missing from the catalog follow the input price, and the service may round each request.'),
    );
  if (topUps > 0) found.push(l10n.t('Credit top-ups, excluded from both amounts: {0}.', count(topUps)));
  return found;
}

function timeOf(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${formatDay(dayOf(at))}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}
