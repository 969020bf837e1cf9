import * as vscode from 'vscode';
import { isLarge } from '../../../chat/context/fileSize.ts';
import type { ContextChoiceView } from '../../../pages/chat/protocol.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { attachDocument, attachSelection } from './attachedDocuments.ts';
import { filesBelow, PATH_PREFIX } from './contextChoices.ts';
import { folderFrame, MAX_UNASKED_FILES } from './folder.ts';
import { openFiles } from './openFiles.ts';
import { attachProblems } from './problems.ts';
import { isImagePath } from './uris.ts';

/** In a longer file, this many characters are counted and the rest is extrapolated. */
const COUNTED_LENGTH = 64 * 1024;

interface CountedFile {
  /** The time of the file's last change. */
  readonly mtime: number;
  readonly size: number;
  /** Undefined for a file that is not text. */
  readonly tokens: number | undefined;
}

/** Estimates the tokens of the items in the list that `@` opens. */
export class ContextSizes {
  readonly #counted = new Map<string, CountedFile>();

  /** @param files The workspace's files and folders by path. */
  async withTokens(
    choices: readonly ContextChoiceView[],
    files: ReadonlyMap<string, vscode.Uri>,
  ): Promise<readonly ContextChoiceView[]> {
    return Promise.all(
      choices.map(async (choice) => {
        const tokens = choice.tokens ?? (await this.#tokensOf(choice, files));
        return tokens === undefined ? choice : { ...choice, tokens };
      }),
    );
  }

  async #tokensOf({ id, kind }: ContextChoiceView, files: ReadonlyMap<string, vscode.Uri>) {
    const editor = vscode.window.activeTextEditor;
    if (id.startsWith(PATH_PREFIX)) return this.#tokensOfPath(id.slice(PATH_PREFIX.length), files);
    if (id === 'openFiles') return this.#sum(openFiles());
    if (id === 'problems') return attachProblems().tokens;
    if (editor === undefined) return undefined;
    if (id === 'file' && kind === 'file') return attachDocument(editor.document).tokens;
    if (id === 'selection') return attachSelection(editor).tokens;
    return id === 'fileProblems' ? attachProblems(editor.document.uri).tokens : undefined;
  }

  /** Large folders have no count, because the user chooses some of their files. */
  async #tokensOfPath(path: string, files: ReadonlyMap<string, vscode.Uri>): Promise<number | undefined> {
    if (!path.endsWith('/')) return this.#sum([files.get(path)].filter((uri) => uri !== undefined));
    const paths = filesBelow(path, [...files.keys()]);
    if (paths.length > MAX_UNASKED_FILES) return undefined;
    const tokens = await this.#sum(paths.flatMap((each) => files.get(each) ?? []));
    return tokens && tokens + estimateTokens(folderFrame(paths.map((each) => each.slice(path.length))));
  }

  /** Returns undefined if none of the files is text. */
  async #sum(uris: readonly vscode.Uri[]): Promise<number | undefined> {
    const counts = (await Promise.all(uris.map((uri) => this.#count(uri)))).filter((count) => count !== undefined);
    return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
  }

  async #count(uri: vscode.Uri): Promise<number | undefined> {
    if (isImagePath(uri.path)) return undefined;
    const key = uri.toString();
    try {
      const { mtime, size } = await vscode.workspace.fs.stat(uri);
      const known = this.#counted.get(key);
      if (known?.mtime === mtime && known.size === size) return known.tokens;
      const tokens = isLarge(size) ? undefined : tokensOfBytes(await vscode.workspace.fs.readFile(uri));
      this.#counted.set(key, { mtime, size, tokens });
      return tokens;
    } catch (error) {
      // The file was deleted since it was listed, or cannot be read: choosing it shows the error.
      if (error instanceof vscode.FileSystemError) return undefined;
      throw error;
    }
  }
}

function tokensOfBytes(bytes: Uint8Array): number | undefined {
  if (bytes.subarray(0, 8000).includes(0)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, COUNTED_LENGTH)).toString('utf8');
  const share = bytes.length / Math.min(bytes.length || 1, COUNTED_LENGTH);
  return Math.round(estimateTokens(text) * share);
}
