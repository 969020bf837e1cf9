import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { BilledContext } from '../../../rules/contextPart.ts';
import { CONTEXT_GROUPS, groupParts } from '../../shared/contextGroups.ts';

/** Billionths of a US dollar, in which costs of parts are counted. */
const BILLIONTHS = 1e9;

/** What a request consists of, as one bar, with the tokens and the cost of each kind. */
export function ContextBar({ context: { parts } }: { readonly context: BilledContext }) {
  const tokens = groupParts(parts, (part) => part.tokens);
  const costs = groupParts(parts, ({ cost = 0 }) => cost);
  const hasCosts = parts.some(({ cost }) => cost !== undefined);
  const total = Math.max(
    1,
    tokens.reduce((sum, each) => sum + each, 0),
  );
  const shown = CONTEXT_GROUPS.map((group, index) => ({
    ...group,
    tokens: tokens[index] ?? 0,
    cost: costs[index] ?? 0,
  }))
    .filter((group) => group.tokens > 0)
    .map((group) => ({ ...group, text: textOf(group, hasCosts) }));
  return (
    <section>
      <h3>{l10n.t('What fills the context')}</h3>
      <div class="context-bar" aria-hidden="true">
        {shown.map((group) => (
          <i
            key={group.color}
            class={group.color}
            title={`${group.label()} ${group.text}`}
            style={{ flexGrow: group.tokens / total }}
          />
        ))}
      </div>
      <ul class="context-legend">
        {shown.map(({ color, label, text }) => (
          <li key={color}>
            <i class={color} />
            {label()} <span class="number aside">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function textOf({ tokens, cost }: { readonly tokens: number; readonly cost: number }, hasCosts: boolean): string {
  return hasCosts ? `${formatTokens(tokens)}, ${formatSum(cost / BILLIONTHS)}` : formatTokens(tokens);
}
