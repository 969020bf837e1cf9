import { formatTokensExact } from '../../display/tokens.ts';
import { lineCountsText } from './lineCountsText.ts';

interface LineCountsProps {
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** The numbers of added and removed lines. Zero is omitted unless both are. */
export function LineCounts({ added = 0, removed = 0 }: LineCountsProps) {
  return (
    <span class="line-counts number">
      <span aria-hidden="true">
        {(added > 0 || removed === 0) && <span class="added">{`+${formatTokensExact(added)}`}</span>}
        {removed > 0 && <span class="removed">{`−${formatTokensExact(removed)}`}</span>}
      </span>
      <span class="hidden-text">{lineCountsText(added, removed)}</span>
    </span>
  );
}
