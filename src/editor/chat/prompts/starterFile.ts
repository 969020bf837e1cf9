/** Chooses the file that the prompts of an empty chat are about. */
import * as vscode from 'vscode';
import { isSampleCode, SAMPLE_CODE } from '../../../rules/sampleCode.ts';
import { baseName, SKIPPED_FOLDERS } from '../../files/paths.ts';
import { attachDocument } from '../context/documents.ts';
import { textAttachment } from '../context/textAttachment.ts';
import type { Attachment } from '../conversation/record.ts';
import { Guard, keysIn } from '../guard/guard.ts';

const CODE_FILES = '**/*.{ts,tsx,js,jsx,mjs,py,go,rs,java,kt,cs,rb,php,swift,c,cc,cpp,dart,scala}';
const MAX_FOUND = 60;
/** A longer file would cost too much for a first question. In characters. */
const MAX_LENGTH = 20_000;

/** Offered if the workspace has no suitable file. */
export const SAMPLE: Attachment = textAttachment({
  kind: 'file',
  label: 'quote.ts',
  path: 'quote.ts',
  languageId: 'typescript',
  text: SAMPLE_CODE,
});

/** Returns the sample in the workspace, where it can be changed, or else a copy of it. */
export async function sampleToStartWith(): Promise<Attachment> {
  const found = await vscode.workspace.findFiles('**/src/quote.ts', SKIPPED_FOLDERS, MAX_FOUND);
  for (const uri of found) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (isSampleCode(document.getText())) return attachDocument(document);
  }
  return SAMPLE;
}

/** Returns the open file, or else one of the workspace, or else the sample. */
export async function fileToStartWith(): Promise<Attachment> {
  const open = vscode.window.activeTextEditor?.document;
  const documents = open !== undefined && open.uri.scheme === 'file' ? [open] : [];
  for (const document of [...documents, ...(await documentsOfWorkspace())]) {
    const { length } = document.getText();
    if (length === 0 || length > MAX_LENGTH) continue;
    const attachment = attachDocument(document);
    const found = await new Guard().findingsOf([document.uri]);
    if (found.length === 0 && (await keysIn([attachment])).length === 0) return attachment;
  }
  return SAMPLE;
}

/** Returns the workspace file with the most content to ask about. */
async function documentsOfWorkspace(): Promise<vscode.TextDocument[]> {
  const found = await vscode.workspace.findFiles(CODE_FILES, SKIPPED_FOLDERS, MAX_FOUND);
  const clear = await new Guard().clearByPath(found.filter(({ path }) => !/test|spec/i.test(baseName(path))));
  const sized = await Promise.all(
    clear.map(async (uri) => ({ uri, size: (await vscode.workspace.fs.stat(uri)).size })),
  );
  const [best] = sized.filter(({ size }) => size <= MAX_LENGTH).sort((a, b) => b.size - a.size);
  return best === undefined ? [] : [await vscode.workspace.openTextDocument(best.uri)];
}
