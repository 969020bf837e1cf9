import * as l10n from '@vscode/l10n';

/** The numbers of added and removed lines in words. Zero is omitted unless both are. */
export function lineCountsText(added: number, removed: number): string {
  const addedText = added === 1 ? l10n.t('1 line added') : l10n.t('{0} lines added', added);
  const removedText = removed === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', removed);
  if (removed === 0) return addedText;
  return added === 0 ? removedText : l10n.t('{0}, {1}', addedText, removedText);
}
