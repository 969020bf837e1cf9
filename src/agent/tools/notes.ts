/** The results of tools in a few words, as a step shows them. */
import * as l10n from '@vscode/l10n';

export function lineCount(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', count);
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

export function entryCount(count: number): string {
  return count === 1 ? l10n.t('1 entry') : l10n.t('{0} entries', count);
}

/** @param files the number of files that contain the results. */
export function resultCount(count: number, files: number): string {
  if (count === 0) return l10n.t('No results');
  const results = count === 1 ? l10n.t('1 result') : l10n.t('{0} results', count);
  return files < 2 ? results : l10n.t('{0} in {1} files', results, files);
}

export function problemCount(count: number): string {
  if (count === 0) return l10n.t('No problems');
  return count === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', count);
}
