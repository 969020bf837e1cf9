import * as l10n from '@vscode/l10n';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { repositoryInUse } from '../../git/gitApi.ts';
import { unstagedDiff } from '../../git/workingChanges.ts';

/**
 * Attaches the staged changes, or the unstaged ones with new files.
 * @returns undefined if the user picked no repository.
 * @throws if there is no repository, or nothing has changed.
 */
export async function attachGitDiff(staged: boolean): Promise<Attachment | undefined> {
  const repository = await repositoryInUse();
  if (repository === undefined) return undefined;
  const text = staged ? await repository.diff(true) : await unstagedDiff(repository);
  if (text.trim() === '') {
    throw new Error(staged ? l10n.t('There are no staged changes.') : l10n.t('There are no unstaged changes.'));
  }
  const label = staged ? l10n.t('Staged changes') : l10n.t('Changes');
  const path = `${staged ? 'staged' : 'unstaged'}, in ${baseName(repository.rootUri.path)}`;
  return textAttachment({ kind: 'diff', label, path, languageId: 'diff', text });
}
