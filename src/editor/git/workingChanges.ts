import * as vscode from 'vscode';
import { isKeyName } from '../../secrets/keyNames.ts';
import type { GitRepository } from './gitApi.ts';

/** The status of a file that Git does not have, in the API of the editor's Git extension. */
const UNTRACKED = 7;
/** New files that are shown, and the bytes of one and of all. */
const MAX_FILES = 100;
const MAX_FILE_BYTES = 50_000;
const MAX_BYTES = 400_000;

/** Returns the changes that are not staged as a diff, with the files that Git does not have yet. */
export async function unstagedDiff(repository: GitRepository): Promise<string> {
  const parts = [await repository.diff(false)];
  let space = MAX_BYTES;
  const added = newFiles(repository);
  for (const uri of added.slice(0, MAX_FILES)) {
    const part = await partOf(uri, pathIn(repository, uri), Math.min(space, MAX_FILE_BYTES));
    space -= part.length;
    parts.push(part);
  }
  if (added.length > MAX_FILES) parts.push(`[${added.length - MAX_FILES} more new files]\n`);
  return parts.map((part) => (part === '' || part.endsWith('\n') ? part : `${part}\n`)).join('');
}

/** Depending on the user's settings, the editor lists new files with the others, on their own, or not at all. */
function newFiles({ state }: GitRepository): readonly vscode.Uri[] {
  const { untrackedChanges = [], workingTreeChanges } = state;
  return [...workingTreeChanges.filter(({ status }) => status === UNTRACKED), ...untrackedChanges].map(
    ({ uri }) => uri,
  );
}

function pathIn({ rootUri }: GitRepository, { path }: vscode.Uri): string {
  return path.slice(rootUri.path.length).replace(/^\/+/, '');
}

/** A new file as Git would show it once it has it. */
async function partOf(uri: vscode.Uri, path: string, maxBytes: number): Promise<string> {
  const head = `diff --git a/${path} b/${path}\nnew file mode 100644\n`;
  const bytes = isKeyName(path) ? undefined : await contentOf(uri, maxBytes);
  if (bytes === undefined) return `${head}[The content is not shown.]\n`;
  if (bytes.includes(0)) return `${head}Binary files /dev/null and b/${path} differ\n`;
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  const added = lines.map((line) => `+${line}\n`).join('');
  const end = isEnded || lines.length === 0 ? '' : '\\ No newline at end of file\n';
  return `${head}--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${added}${end}`;
}

/** Undefined for a file that is too large, a link, or gone. */
async function contentOf(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    return type === vscode.FileType.File && size <= maxBytes ? await vscode.workspace.fs.readFile(uri) : undefined;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
