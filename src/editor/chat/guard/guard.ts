import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { excludedBy, IgnoreRules } from '../../../chat/guard/ignoreRules.ts';
import { baseName } from '../../../files/paths.ts';
import { isKeyName } from '../../../secrets/keyNames.ts';
import { exists, readTextIfFound } from '../../documents/ifFound.ts';
import { type RealUri, realUri } from '../../files/realUri.ts';

/** An item that is not attached without a confirmation, and the reason. */
export interface Finding {
  readonly name: string;
  /** A reason such as `.gitignore excludes it`. */
  readonly reason: string;
}

/** A file or folder that was checked. It is read with {@link readChecked}. */
export interface CheckedUri {
  readonly uri: vscode.Uri;
  /** The path without any link; undefined on file systems other than this machine's. */
  readonly real: string | undefined;
  readonly finding: Finding | undefined;
}

/** Finds files that may not be meant to be shared. Created for each action, so that it uses the current rules. */
export class Guard {
  readonly #rules = new Map<string, Promise<FolderRules>>();

  /** Like {@link findingByPath}, for the file itself and for the target if it is a link. */
  async check(uri: vscode.Uri): Promise<CheckedUri> {
    const place = await realUri(uri);
    return { uri, real: place.real, finding: await this.#findingAt(uri, place) };
  }

  async #findingAt(uri: vscode.Uri, real: RealUri): Promise<Finding | undefined> {
    const found = await this.findingByPath(uri);
    if (found !== undefined || real.uri === uri) return found;
    const name = vscode.workspace.asRelativePath(uri);
    if (!real.isInside && vscode.workspace.getWorkspaceFolder(uri) !== undefined) {
      return { name, reason: l10n.t('it is a link to {0}, outside the workspace', real.uri.fsPath) };
    }
    const behind = await this.findingByPath(real.uri);
    return behind && { name, reason: l10n.t('it is a link to {0}: {1}', behind.name, behind.reason) };
  }

  /**
   * Returns the reason not to share a file or folder that follows from its name or location. Links are not followed.
   */
  async findingByPath(uri: vscode.Uri, isFolder = false): Promise<Finding | undefined> {
    const isKey = !isFolder && isKeyName(uri.path);
    const reason = isKey ? l10n.t('files with this name usually contain keys') : await this.#placeReason(uri, isFolder);
    return reason === undefined ? undefined : { name: vscode.workspace.asRelativePath(uri), reason };
  }

  async findingsOf(uris: readonly vscode.Uri[]): Promise<Finding[]> {
    const checked = await Promise.all(uris.map((uri) => this.check(uri)));
    return checked.flatMap(({ finding }) => finding ?? []);
  }

  /** Returns the files without a finding on their name or location. Fast enough for thousands of files. */
  async clearByPath(uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
    const findings = await Promise.all(uris.map((uri) => this.findingByPath(uri)));
    return uris.filter((_, index) => findings[index] === undefined);
  }

  async #placeReason(uri: vscode.Uri, isFolder: boolean): Promise<string | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined || uri.path === folder.uri.path) return undefined;
    const path = uri.path.slice(folder.uri.path.length).replace(/^\/+/, '');
    const excluded = excludedBy(path, vscode.workspace.getConfiguration('files', uri).get('exclude', {}));
    if (excluded !== undefined) return l10n.t('the files.exclude setting excludes it ({0})', excluded);
    const { rules, prefix } = await this.#rulesOf(folder);
    const file = await rules.matching(prefix + (isFolder ? `${path}/` : path));
    return file === undefined ? undefined : l10n.t('{0} excludes it', file);
  }

  #rulesOf({ uri }: vscode.WorkspaceFolder): Promise<FolderRules> {
    const key = uri.toString();
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const rules = rulesOf(uri);
    this.#rules.set(key, rules);
    return rules;
  }
}

/** The rules for a folder, and its path in the repository that they belong to, with `/` at its end. */
interface FolderRules {
  readonly rules: IgnoreRules;
  readonly prefix: string;
}

/** The folder may be within a repository, whose rules apply in it, too, unless they ignore the folder as a whole. */
async function rulesOf(folder: vscode.Uri): Promise<FolderRules> {
  const readingIn = (base: vscode.Uri) => new IgnoreRules((path) => readTextIfFound(vscode.Uri.joinPath(base, path)));
  const own = { rules: readingIn(folder), prefix: '' };
  const root = await repositoryAround(folder);
  if (root === undefined) return own;
  const prefix = `${folder.path.slice(root.path.length).replace(/^\/+/, '')}/`;
  const rules = readingIn(root);
  return (await rules.matching(prefix)) === undefined ? { rules, prefix } : own;
}

/** The root of the repository that a folder is in, if it is another one. */
async function repositoryAround(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (let root = folder; root.path !== '/'; root = vscode.Uri.joinPath(root, '..')) {
    // A parent may not be readable.
    const isRoot = await exists(vscode.Uri.joinPath(root, '.git')).catch(() => false);
    if (isRoot) return root === folder ? undefined : root;
  }
  return undefined;
}

/** Returns findings for attachments whose content looks like it contains a key. */
export async function keysIn(attachments: readonly Attachment[]): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const { path, text } of attachments) {
    if (await hasKey(text)) found.push({ name: path, reason: l10n.t('it contains something that looks like a key') });
  }
  return found;
}

/** Whether the text contains something that looks like a key. */
export async function hasKey(text: string): Promise<boolean> {
  const { findSecrets } = await import('../../../secrets/secretFinder.ts');
  return (await findSecrets(text)).length > 0;
}

/** Asks whether these items may be attached anyway. Returns true without a question if there are none. */
export async function isAgreed(findings: readonly Finding[]): Promise<boolean> {
  if (findings.length === 0) return true;
  const { nameWithHidden } = await import('../../../display/hiddenCharacters.ts');
  const shown = findings.map(({ name, reason }) => ({ name: nameWithHidden(name), reason }));
  const [first] = shown;
  const title =
    first !== undefined && shown.length === 1
      ? l10n.t('Attach {0}?', baseName(first.name))
      : l10n.t('Attach {0} files?', shown.length);
  const detail = [listed(shown), l10n.t('Attachments are sent to the model.')].join('\n\n');
  const attach = l10n.t('Attach');
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, attach)) === attach;
}

const MAX_LISTED = 10;

/** Formats one finding per line, such as `server/.env: files with this name usually contain keys`. */
export function listed(findings: readonly Finding[]): string {
  const lines = findings.slice(0, MAX_LISTED).map(({ name, reason }) => `${name}: ${reason}`);
  const more = findings.length - MAX_LISTED;
  return [...lines, ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}
