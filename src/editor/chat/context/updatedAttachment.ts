import * as vscode from 'vscode';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import { type CheckedUri, Guard, keysIn } from '../guard/guard.ts';
import { attachFile } from './attachedDocuments.ts';

const finder = new WorkspaceFileFinder();

/**
 * Attaches a file of the workspace again if its text has changed since it was attached. Resolves with undefined if the
 * file is unchanged, if only a part of it was attached, or if attaching it would need a confirmation.
 */
export async function updatedAttachment(attached: Attachment): Promise<Attachment | undefined> {
  // Content that was dropped or pasted has no language, and its path is only a name.
  const isWhole = attached.kind === 'file' && attached.languageId !== '' && attached.note === undefined;
  const uri = isWhole ? await finder.find(attached.path) : undefined;
  // The finder also finds a file of this name in another folder.
  if (uri === undefined || vscode.workspace.asRelativePath(uri) !== attached.path) return undefined;
  const checked = await new Guard().check(uri);
  if (checked.finding !== undefined) return undefined;
  const current = await readable(checked);
  if (current === undefined || current.text === attached.text) return undefined;
  return (await keysIn([current])).length === 0 ? current : undefined;
}

/** Returns undefined if the file is now too large or not text, so that its earlier text stays attached. */
async function readable(checked: CheckedUri): Promise<Attachment | undefined> {
  return attachFile(checked).catch(() => undefined);
}
