import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../display/tokens.ts';
import type { SessionSums } from '../../pages/usage/protocol.ts';

const UNKNOWN = '–';

const PARTS = [
  ['read', 'series-0', () => l10n.t('read')],
  ['written', 'series-1', () => l10n.t('written')],
  ['uncached', 'series-others', () => l10n.t('uncached')],
] as const;

type Input = Pick<SessionSums, 'inputTokens' | 'cachedInputTokens' | 'cacheWriteTokens'>;

/** The proportions of the input. The length of the bar does not represent the size of the input. */
export function MixBar({ session }: { readonly session: Input }) {
  const { inputTokens, cachedInputTokens: read, cacheWriteTokens: written } = session;
  if (inputTokens === 0) return <>{UNKNOWN}</>;
  const tokens = { read, written, uncached: Math.max(0, inputTokens - read - written) };
  const text = PARTS.map(([part, , label]) => `${formatTokens(tokens[part])} ${label()}`).join(', ');
  return (
    <span class="mix-bar" role="img" aria-label={text} title={text}>
      {PARTS.map(
        ([part, color]) =>
          tokens[part] > 0 && (
            <i key={part} class={color} style={{ width: `${(100 * tokens[part]) / inputTokens}%` }} />
          ),
      )}
    </span>
  );
}

/** Explains the colors of the bars. */
export function MixLegend() {
  return (
    <ul class="legend from-900" aria-hidden="true">
      {PARTS.map(([part, color, label]) => (
        <li key={part}>
          <span class={`swatch ${color}`} />
          {label()}
        </li>
      ))}
    </ul>
  );
}
