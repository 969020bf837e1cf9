import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';

/** Reads the script that renders diagrams. It is compressed, because it makes up a quarter of the package. */
export async function readDiagramCode(extensionUri: vscode.Uri): Promise<string> {
  const { fsPath } = vscode.Uri.joinPath(extensionUri, 'dist', 'panels', 'diagrams.br');
  return (await promisify(brotliDecompress)(await readFile(fsPath))).toString('utf8');
}
