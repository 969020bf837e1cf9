/** The parts of a Git diff, one a file. */
import * as l10n from '@vscode/l10n';
import { formatTokens } from '../../display/tokens.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Attachment } from '../conversation/record.ts';

/** Files that programs write: lock files of package managers, minified code, source maps, and recorded snapshots. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?|deno\.lock|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|packages\.lock\.json|flake\.lock|gradle\.lockfile|Package\.resolved|\.terraform\.lock\.hcl)$|\.(?:min\.(?:js|css)|(?:js|css)\.map|snap|pb\.go|g\.dart|designer\.cs)$|_pb2\.py$/i;
/** A shorter change of a generated file is shown. */
const MIN_GENERATED_LENGTH = 1000;
/** The fewest tokens that are worth a part of a long diff. */
const MIN_PART_TOKENS = 40;
/** Names of files that a cut diff lists. */
const MAX_NAMES = 500;

interface DiffPart {
  readonly path: string;
  readonly text: string;
}

/** Replaces the changes of generated files with their numbers of lines. */
export function withoutGenerated(diff: string): string {
  const parts = partsOf(diff);
  if (!parts.some(isOmitted)) return diff;
  return parts.map((part) => (isOmitted(part) ? summaryOf(part) : part.text)).join('');
}

/**
 * Cuts a diff to about this many tokens. Each file gets an equal share, and what short changes leave of theirs goes to the
 * longer ones. A cut diff begins with the list of its files.
 */
export function diffWithin(diff: string, maxTokens: number): string {
  if (estimateTokens(diff) <= maxTokens) return diff;
  const parts = partsOf(diff);
  const names = parts.slice(0, MAX_NAMES).map(({ path }) => path);
  const more = parts.length > names.length ? [`and ${parts.length - names.length} more`] : [];
  const head = [`${parts.length} files are changed:`, ...names, ...more, '', ''].join('\n');
  let left = Math.max(MIN_PART_TOKENS, maxTokens - estimateTokens(head));
  const sizes = parts.map((part, index) => ({ index, tokens: estimateTokens(part.text) }));
  const shown = new Map<number, string>();
  for (const [place, { index, tokens }] of sizes.sort((a, b) => a.tokens - b.tokens).entries()) {
    const share = Math.max(MIN_PART_TOKENS, left / (sizes.length - place));
    if (left < MIN_PART_TOKENS && tokens > left) continue;
    const text = parts[index]?.text ?? '';
    shown.set(index, tokens <= share ? text : startOf(text, share));
    left -= Math.min(tokens, share);
  }
  return head + parts.map((_, index) => shown.get(index) ?? '').join('');
}

/** Git begins each file with a header; that of a file with conflicts is a combined one. */
function partsOf(diff: string): readonly DiffPart[] {
  return diff
    .split(/^(?=diff --(?:git|cc|combined) )/m)
    .filter((text) => text !== '')
    .map((text) => ({ text, path: pathIn(text.split('\n', 1)[0] ?? '') }));
}

function pathIn(header: string): string {
  const [, path] =
    /^diff --git (?:"?a\/.*"?) "?b\/(.*?)"?$/.exec(header) ?? /^diff --\S+ "?(.*?)"?$/.exec(header) ?? [];
  return path ?? header;
}

function isOmitted({ path, text }: DiffPart): boolean {
  return text.length > MIN_GENERATED_LENGTH && GENERATED.test(path);
}

function summaryOf({ text }: DiffPart): string {
  const lines = text.split('\n');
  const count = (mark: string) =>
    lines.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length;
  return `${lines[0]}\n[A generated file: ${count('+')} lines added, ${count('-')} removed]\n`;
}

function startOf(text: string, maxTokens: number): string {
  const lines = text.split('\n');
  let sum = 0;
  const end = lines.findIndex((line) => {
    sum += estimateTokens(`${line}\n`);
    return sum > maxTokens;
  });
  const kept = Math.max(1, end);
  return `${lines.slice(0, kept).join('\n')}\n[… ${lines.length - kept} lines omitted here …]\n`;
}

/** A longer diff adds little about a commit beyond the beginning of each file's changes. */
const MAX_DIFF_TOKENS = 24_000;

/** Cuts the diff to about this many tokens, without what programs have written. */
export function cutDiff(diff: Attachment, maxTokens = MAX_DIFF_TOKENS): Attachment {
  const text = diffWithin(withoutGenerated(diff.text), maxTokens);
  if (text === diff.text) return diff;
  const note = l10n.t('Trimmed from {0} tokens', formatTokens(diff.tokens ?? estimateTokens(diff.text)));
  return { ...diff, text, tokens: estimateTokens(text), note };
}
