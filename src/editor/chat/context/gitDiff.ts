import * as l10n from '@vscode/l10n';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { repositoryInUse } from '../../git/gitApi.ts';

/**
 * Attaches the staged or the unstaged changes. Untracked files are in neither.
 * @returns undefined if the user picked no repository.
 * @throws if there is no repository, or nothing has changed.
 */
export async function attachGitDiff(staged: boolean): Promise<Attachment | undefined> {
  const repository = await repositoryInUse();
  if (repository === undefined) return undefined;
  const text = await repository.diff(staged);
  if (text.trim() === '') {
    throw new Error(staged ? l10n.t('There are no staged changes.') : l10n.t('There are no unstaged changes.'));
  }
  const label = staged ? l10n.t('Staged changes') : l10n.t('Changes');
  const path = `${staged ? 'staged' : 'unstaged'}, in ${baseName(repository.rootUri.path)}`;
  return textAttachment({ kind: 'diff', label, path, languageId: 'diff', text });
}
