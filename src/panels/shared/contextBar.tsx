import type { ContextKind } from '../../rules/contextPart.ts';
import { CONTEXT_GROUPS, groupParts } from './contextGroups.ts';

interface ContextBarProps {
  readonly parts: readonly { readonly kind: ContextKind; readonly tokens: number; readonly cost?: number }[];
  /** Returns the figures of a group, from the sums of its parts. */
  readonly text: (tokens: number, cost: number) => string;
}

/** What a request consists of, as one bar, with the figures of each group. */
export function ContextBar({ parts, text }: ContextBarProps) {
  const tokens = groupParts(parts, (part) => part.tokens);
  const costs = groupParts(parts, ({ cost = 0 }) => cost);
  const shown = CONTEXT_GROUPS.map(({ color, label }, index) => ({
    ...{ color, label: label(), tokens: tokens[index] ?? 0 },
    text: text(tokens[index] ?? 0, costs[index] ?? 0),
  })).filter((group) => group.tokens > 0);
  return (
    <>
      <div class="context-bar" aria-hidden="true">
        {shown.map((group) => (
          <i
            key={group.color}
            class={group.color}
            title={`${group.label} ${group.text}`}
            style={{ flexGrow: group.tokens }}
          />
        ))}
      </div>
      <ul class="context-legend">
        {shown.map(({ color, label, text: figures }) => (
          <li key={color}>
            <i class={color} />
            {label} <span class="number">{figures}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
