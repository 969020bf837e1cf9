import * as l10n from '@vscode/l10n';
import { dayOf, formatDay } from '../../../display/day.ts';
import { formatMillionths, formatPrice } from '../../../display/money.ts';
import { approximately, formatAccuracy, formatTokensExact } from '../../../display/tokens.ts';
import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import type { UsageBound } from '../../../rules/exchange.ts';
import { isSample } from '../words.ts';
import { type BillLine, billOf, type ShownBill } from './bill.ts';

/** Shown for an unknown figure. */
const UNKNOWN = '—';

/** Usage times prices at the time of the request, line by line, and the sum. */
export function TokenTable({ row }: { readonly row: TrafficRow }) {
  const bill = billOf(row);
  if (bill === undefined) return null;
  const isEstimated = row.usageIsEstimated === true;
  const mark = (text: string, isOwn = isEstimated) => (isOwn ? approximately(text) : text);
  const markLine = (text: string, line: BillLine) => mark(text, line.isEstimated);
  const hasPrice = bill.lines.some(({ price }) => price !== undefined);
  return (
    <section>
      <h3 id="bill">
        {l10n.t('Tokens and cost')}
        <span class="aside">{hasPrice ? pricesOf(row) : l10n.t('No price for this model')}</span>
      </h3>
      <table class={isSample(row) ? 'tokens sample' : 'tokens'} aria-labelledby="bill">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden-text">{l10n.t('Kind')}</span>
            </th>
            <th scope="col">{l10n.t('Tokens')}</th>
            <th scope="col">{l10n.t('× price per 1M')}</th>
            <th scope="col">{l10n.t('= amount')}</th>
          </tr>
        </thead>
        <tbody>
          {bill.lines.map((line) => (
            <tr key={line.words}>
              <th scope="row">{line.words}</th>
              <td class="number">{line.count === undefined ? null : markLine(formatTokensExact(line.count), line)}</td>
              <td class="number price">{priceText(line)}</td>
              <td class="number">
                {line.amount === undefined ? UNKNOWN : markLine(formatMillionths(line.amount), line)}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{sumWord(row, isEstimated)}</th>
            <td class="number">{mark(formatTokensExact(bill.tokens))}</td>
            <td class="price" />
            <td class="number">{bill.amount === undefined ? UNKNOWN : mark(formatMillionths(bill.amount))}</td>
          </tr>
        </tfoot>
      </table>
      {row.usage?.reportedCost !== undefined && <p class="bill-note">{l10n.t('The upstream reported this amount.')}</p>}
      {notesOf(bill, row).map((note) => (
        <p key={note} class="bill-note">
          {approximately(note)}
        </p>
      ))}
    </section>
  );
}

/** Returns the name of the upstream, and the model if the service chose another model than requested. */
function pricesOf({ at, upstream = '', answeredModel }: TrafficRow): string {
  const source = answeredModel === undefined ? upstream : `${upstream} · ${answeredModel}`;
  return l10n.t('Prices of {0} · {1}', formatDay(dayOf(at)), source);
}

function sumWord(row: TrafficRow, isEstimated: boolean): string {
  if (row.end === undefined) return l10n.t('So far');
  if (isEstimated) return l10n.t('Estimated');
  return row.cost === undefined || isSample(row) ? l10n.t('Total') : l10n.t('Charged');
}

function priceText({ count, price, unit, isAssumed }: BillLine): string {
  if (price === undefined) return count === undefined ? '' : UNKNOWN;
  const text = unit !== 'tokens' ? l10n.t('{0} each', formatPrice(price)) : formatPrice(price);
  return isAssumed ? approximately(text) : text;
}

/** What the usage follows from if it is not certain. */
const BOUND_TEXTS: Readonly<Record<UsageBound, () => string>> = {
  reported: () => l10n.t('The upstream reported the tokens, but not everything that their price depends on.'),
  visible: () =>
    l10n.t(
      'Estimated from the request and the received part of the answer, because the upstream did not report all of the usage.',
    ),
  time: () =>
    l10n.t(
      'An upper bound: the upstream did not report all of the usage, and the model cannot have written more in the time.',
    ),
  reservation: () =>
    l10n.t('An upper bound: the upstream did not report all of the usage, and the request allowed no more than this.'),
};

/** Explains each ≈. */
function notesOf({ lines }: ShownBill, { usageIsEstimated, usageBound, estimateAccuracy }: TrafficRow): string[] {
  return [
    ...(usageIsEstimated === true ? [BOUND_TEXTS[usageBound ?? 'visible']()] : []),
    ...(estimateAccuracy === undefined ? [] : [formatAccuracy(estimateAccuracy)]),
    ...(lines.some(({ isAssumed, price }) => isAssumed && price !== undefined)
      ? [l10n.t('Not in the catalog: the usual multiple of the price for input.')]
      : []),
  ];
}
