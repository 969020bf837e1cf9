import * as vscode from 'vscode';
import type { LineLimits } from '../../../chat/review/lineLimits.ts';
import { reviewBlocks } from '../../../chat/review/reviewBlocks.ts';
import type { TextPair, TextReview } from '../../../chat/review/textReview.ts';
import { baseName, folderOf } from '../../../files/paths.ts';
import type { ReviewedFile } from '../../../pages/agentReview/protocol.ts';

/** The open and decided changes of a file. */
export interface FileView extends Pick<ReviewedFile, 'change' | 'blocks' | 'isEdited' | 'added' | 'removed'> {
  /** The IDs of the open changes. */
  readonly open: readonly string[];
}

/** How a page names a file. */
export function placeOf(uri: vscode.Uri): Pick<ReviewedFile, 'file' | 'name' | 'folder'> {
  const path = vscode.workspace.asRelativePath(uri);
  return { file: uri.toString(), name: baseName(path), folder: folderOf(path) };
}

/** @param editedOf returns those changes whose lines the user has edited. */
export function viewOfText(
  text: TextReview,
  pair: TextPair,
  editedOf: (ids: ReadonlySet<string>) => ReadonlySet<string>,
  limits: LineLimits,
): Pick<FileView, 'blocks' | 'open' | 'added' | 'removed'> {
  const open = text.open(pair);
  const ids = open.map(({ id }) => id);
  const edited = editedOf(new Set(ids));
  const blocks = reviewBlocks(pair.base, open, text.decided, limits).map((block) =>
    block.type === 'change' && edited.has(block.id) ? { ...block, isEdited: true as const } : block,
  );
  const sum = (count: (hunk: (typeof open)[number]) => number) => open.reduce((all, one) => all + count(one), 0);
  return {
    blocks,
    open: ids,
    added: sum(({ newLines }) => newLines.length),
    removed: sum(({ oldLines }) => oldLines.length),
  };
}
