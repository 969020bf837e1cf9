import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';

interface Line {
  readonly words: string;
  readonly tokens: number;
  readonly cost: number | undefined;
}

const PER_PRICE = 1_000_000;
/** Below half of what a cost shows. */
const SAME_COST = 0.00005;

/** The usage, and the cost of each part at the prices of that day. */
export function TokenTable({ row }: { readonly row: TrafficRow }) {
  const { usage, cost } = row;
  if (usage === undefined) return null;
  const lines = linesOf(row);
  return (
    <section>
      <h3>{row.usageIsEstimated === true ? l10n.t('Tokens and cost, estimated') : l10n.t('Tokens and cost')}</h3>
      <table class="tokens">
        <tbody>
          {lines.map((line) => (
            <tr key={line.words}>
              <th scope="row">{line.words}</th>
              <td class="number">{formatTokens(line.tokens)}</td>
              <td class="number">{line.cost === undefined ? '' : formatMoney(line.cost)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{cost === undefined ? l10n.t('Unknown price') : l10n.t('Charged')}</th>
            <td class="number">{formatTokens(usage.inputTokens + usage.outputTokens)}</td>
            <td class="number">{cost === undefined ? '' : formatMoney(cost)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** Costs of the parts only where they make up the whole: some services have prices of their own for some tokens. */
function linesOf({ usage, prices, cost }: TrafficRow): readonly Line[] {
  if (usage === undefined) return [];
  const { inputTokens, outputTokens, cachedInputTokens = 0, reasoningTokens = 0 } = usage;
  const priced = (tokens: number, price: number | undefined) =>
    price === undefined ? undefined : (tokens * price) / PER_PRICE;
  const lines: readonly Line[] = [
    {
      words: l10n.t('Input'),
      tokens: inputTokens - cachedInputTokens,
      cost: priced(inputTokens - cachedInputTokens, prices?.input),
    },
    {
      words: l10n.t('Input from cache'),
      tokens: cachedInputTokens,
      cost: priced(cachedInputTokens, prices?.cachedInput ?? prices?.input),
    },
    { words: l10n.t('Reasoning'), tokens: reasoningTokens, cost: priced(reasoningTokens, prices?.output) },
    {
      words: l10n.t('Answer'),
      tokens: outputTokens - reasoningTokens,
      cost: priced(outputTokens - reasoningTokens, prices?.output),
    },
  ].filter(({ tokens }) => tokens > 0);
  const sum = lines.reduce((total, line) => total + (line.cost ?? Number.NaN), 0);
  const isWhole = cost !== undefined && Math.abs(sum - cost) < SAME_COST;
  return isWhole ? lines : lines.map((line) => ({ ...line, cost: undefined }));
}
