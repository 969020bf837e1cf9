import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { errorText } from '../display/errors.ts';
import { undefinedIfMissing } from '../files/undefinedIfMissing.ts';
import type { FilePreview } from '../pages/connectTool/protocol.ts';
import { configurationFormat } from './configuration/configurationFormat.ts';
import { applyChanges, type Change } from './configuration/edits.ts';
import { type ConfigurationChange, editableText, restoredText } from './configurationFile.ts';
import { describePlace, placeOf } from './configurationPlace.ts';
import { diffLines } from './fileDiff.ts';
import type { ToolConfiguration } from './tool.ts';

interface PreviewedFile {
  readonly path: string;
  readonly format: ToolConfiguration['format'];
  readonly changes: readonly Change[];
  /** The file of the current connection, which is restored before the file is changed. */
  readonly connected?: ConfigurationChange;
}

/** Compares a file after disconnecting with the same file after connecting. Writes nothing. */
export async function previewFile({ path, format, changes, connected }: PreviewedFile): Promise<FilePreview> {
  const shown = { path: shortPath(path), isNew: false, lines: [], notes: [] };
  try {
    const place = await placeOf(path);
    const found = await undefinedIfMissing(readFile(place.target));
    if (found !== undefined) await access(place.target, constants.W_OK);
    // The file is replaced by a new one in its folder.
    await access(await existingFolder(dirname(place.target)), constants.W_OK);
    const before = connected?.path === path ? await restoredText(connected) : editableText(found, place.target);
    const after = applyChanges(await configurationFormat(format), before, changes);
    return {
      ...shown,
      path: shortPath(place.target),
      target: place.target,
      isNew: found === undefined || (connected?.path === path && connected.backup === undefined && before === ''),
      lines: diffLines(before, after),
      notes: describePlace(place),
    };
  } catch (error) {
    return { ...shown, problem: l10n.t('{0} cannot be changed: {1}', shortPath(path), errorText(error)) };
  }
}

async function existingFolder(folder: string): Promise<string> {
  const above = dirname(folder);
  const isHere = above === folder || (await undefinedIfMissing(stat(folder))) !== undefined;
  return isHere ? folder : existingFolder(above);
}

/** Shortens a path, such as `~/.codex/config.toml`. */
export function shortPath(path: string, home = homedir()): string {
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
