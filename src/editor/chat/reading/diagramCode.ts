import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as vscode from 'vscode';

/** The script that draws diagrams. It is a quarter of the package, so it lies there compressed. */
export async function readDiagramCode(extensionUri: vscode.Uri): Promise<string> {
  const { fsPath } = vscode.Uri.joinPath(extensionUri, 'dist', 'panels', 'diagrams.br');
  return (await promisify(brotliDecompress)(await readFile(fsPath))).toString('utf8');
}
