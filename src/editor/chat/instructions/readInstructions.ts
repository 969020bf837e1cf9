import * as vscode from 'vscode';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { readTextIfFound } from '../../documents/readTextIfFound.ts';
import type { Log } from '../../log/log.ts';
import { hasKey } from '../guard/guard.ts';

/** A larger file would cost more with every message than users expect. */
const MAX_LENGTH = 128 * 1024;

export interface Instructions {
  /** The file's name, such as `AGENTS.md`. */
  readonly label: string;
  /** The text for the model, with the file's name before its content. */
  readonly text: string;
  readonly tokens: number;
  /** The file in the first workspace folder that has one. */
  readonly uri: vscode.Uri;
}

/** Reads the files of this name in the workspace folders. Returns undefined if no folder has one that may be sent. */
export async function readInstructions(name: string, log: Log): Promise<Instructions | undefined> {
  const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, name));
  const texts = await Promise.all(uris.map((uri) => textOf(uri, log)));
  const first = uris.find((_, place) => texts[place] !== undefined);
  if (first === undefined) return undefined;
  const text = texts.filter((each) => each !== undefined).join('\n\n');
  return { label: name, text, tokens: estimateTokens(text), uri: first };
}

async function textOf(uri: vscode.Uri, log: Log): Promise<string | undefined> {
  const text = (await readTextIfFound(uri))?.trim() ?? '';
  const problem = await problemOf(text);
  if (problem !== undefined) log.warn(`${uri.toString()} is not sent: ${problem}`);
  if (text === '' || problem !== undefined) return undefined;
  return `Instructions of the workspace, from ${vscode.workspace.asRelativePath(uri)}:\n\n${text}`;
}

async function problemOf(text: string): Promise<string | undefined> {
  if (text.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH / 1024} KB`;
  return (await hasKey(text)) ? 'it contains something that looks like a key' : undefined;
}
