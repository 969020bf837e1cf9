import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { attachImage } from '../../../chat/context/image.ts';
import type { ConversationImages } from '../../../chat/conversation/conversationImages.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { type CheckedUri, Guard } from '../guard/guard.ts';
import { attachFile } from './attachedDocuments.ts';
import { attachFolder } from './folder.ts';
import { readChecked } from './readChecked.ts';

const IMAGE_ENDINGS = ['png', 'jpg', 'jpeg', 'webp', 'gif'];

export function isImagePath(path: string): boolean {
  return IMAGE_ENDINGS.some((ending) => path.toLowerCase().endsWith(`.${ending}`));
}

/**
 * Attaches a file or folder of any type.
 * @returns undefined if the user canceled.
 * @throws if it cannot be attached.
 */
export async function attachUri(checked: CheckedUri, images: ConversationImages): Promise<Attachment | undefined> {
  const { uri } = checked;
  const { type } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) return attachFolder(checked, new Guard());
  if (!isImagePath(uri.path)) return attachFile(checked);
  const image = attachImage({ name: baseName(uri.path), bytes: await readChecked(checked) }, images);
  return { ...image, path: vscode.workspace.asRelativePath(uri) };
}

/** Asks for files, images, or a folder. Returns an empty list if the user canceled. */
export async function pickUris(what: 'files' | 'images' | 'folders'): Promise<readonly vscode.Uri[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uris = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: what !== 'folders',
    canSelectFolders: what === 'folders',
    openLabel: l10n.t('Attach'),
    ...(what === 'images' && { filters: { [l10n.t('Images')]: IMAGE_ENDINGS } }),
    ...(folder !== undefined && { defaultUri: folder }),
  });
  return uris ?? [];
}
