import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { BilledContext } from '../../../rules/contextPart.ts';
import { ContextBar } from '../../shared/contextBar.tsx';

/** Billionths of a US dollar, in which costs of parts are counted. */
const BILLIONTHS = 1e9;

/** What the request consists of, with the tokens and the cost of each kind. */
export function RequestContext({ context: { parts } }: { readonly context: BilledContext }) {
  const hasCosts = parts.some(({ cost }) => cost !== undefined);
  const text = (tokens: number, cost: number) =>
    hasCosts ? `${formatTokens(tokens)}, ${formatSum(cost / BILLIONTHS)}` : formatTokens(tokens);
  return (
    <section>
      <h3>{l10n.t('What fills the context')}</h3>
      <ContextBar parts={parts} text={text} />
    </section>
  );
}
