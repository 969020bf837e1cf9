import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../display/tokens.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Attachment } from '../conversation/record.ts';
import { diffWithin, withoutGenerated } from './diffParts.ts';

/** A longer diff adds little about a commit beyond the beginning of each file's changes. */
const MAX_DIFF_TOKENS = 24_000;

/** Cuts the diff to about this many tokens, without what programs have written. */
export function cutDiff(diff: Attachment, maxTokens = MAX_DIFF_TOKENS): Attachment {
  const text = diffWithin(withoutGenerated(diff.text), maxTokens);
  if (text === diff.text) return diff;
  const note = l10n.t('Trimmed from {0} tokens', formatTokens(diff.tokens ?? estimateTokens(diff.text)));
  return { ...diff, text, tokens: estimateTokens(text), note };
}
