/** The folders that the editor's settings for its own chat add to the usual ones, or switch off. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';

export interface Location {
  /** The folder; of a pattern, the part before its first wildcard. */
  readonly uri: vscode.Uri;
  readonly isUsers: boolean;
  /** The path as the setting has it, with the whole pattern. */
  readonly written: string;
  /** The workspace folder that a relative path belongs to. */
  readonly workspace?: vscode.WorkspaceFolder;
}

export interface Locations {
  readonly added: readonly Location[];
  /** Usual places that the setting switches off, such as `.github/agents` and `~/.copilot/agents`. */
  readonly off: ReadonlySet<string>;
}

/** @param setting an object with a boolean for each path, such as `chat.agentFilesLocations`. */
export function locationsOf(setting: string): Locations {
  const configuration = vscode.workspace.getConfiguration();
  const { isTrusted } = vscode.workspace;
  // The editor may not know the setting, and then does not withhold what an untrusted workspace says.
  const value: unknown = isTrusted ? configuration.get(setting) : configuration.inspect(setting)?.globalValue;
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const written = entries.map(([path, isOn]) => ({ path: plain(path), isOn: isOn !== false }));
  return {
    added: written.filter(({ isOn }) => isOn).flatMap(({ path }) => locationsAt(path)),
    off: new Set(written.filter(({ isOn }) => !isOn).map(({ path }) => path)),
  };
}

function plain(path: string): string {
  return path.trim().replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '');
}

function locationsAt(written: string): readonly Location[] {
  const fixed = written.split('/');
  const wildcard = fixed.findIndex((part) => /[*?{[]/.test(part));
  const path = fixed.slice(0, wildcard === -1 ? undefined : wildcard).join('/');
  if (path === '~' || path.startsWith('~/')) {
    return [{ uri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), path.slice(1)), isUsers: true, written }];
  }
  if (/^(?:\/|[A-Za-z]:)/.test(written)) return [{ uri: vscode.Uri.file(path), isUsers: true, written }];
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.map((workspace) => {
    const uri = vscode.Uri.joinPath(workspace.uri, path);
    const isInside = `${uri.path}/`.startsWith(`${workspace.uri.path}/`);
    return { uri, isUsers: !isInside, written, ...(isInside && { workspace }) };
  });
}
