/** Reports the parts of a diff that are not in a file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { baseName } from '../../files/paths.ts';
import type { Suggestion } from './suggestion.ts';
import type { DiffHunk } from './unifiedDiff.ts';

/** The maximum number of hunks that the message names. */
const MAX_NAMED = 3;

export function warnOfRejected(uri: vscode.Uri, suggestion: Suggestion, rejectedHunks: readonly DiffHunk[]): void {
  const count = suggestion.kind === 'diff' ? suggestion.diff.hunks.length : rejectedHunks.length;
  const named = rejectedHunks.slice(0, MAX_NAMED).map(nameOf);
  const names = [...named, ...(rejectedHunks.length > MAX_NAMED ? ['…'] : [])].join(', ');
  const file = baseName(uri.path);
  const text =
    rejectedHunks.length === count
      ? l10n.t('No change in the diff applies to {0}: {1}', file, names)
      : l10n.t('{0} of {1} changes in the diff do not apply to {2}: {3}', rejectedHunks.length, count, file, names);
  void vscode.window.showWarningMessage(text);
}

/** Returns the hunk's heading, or the first line that it looks for. */
function nameOf({ header, lines }: DiffHunk): string {
  const [line = lines[0]] = lines.filter(({ kind, text }) => kind !== 'added' && text.trim() !== '');
  return header !== '' ? header : l10n.t('“{0}”', line?.text.trim() ?? '');
}
