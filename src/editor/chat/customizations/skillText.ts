import * as vscode from 'vscode';
import { type FoundSkill, isUsed } from '../../../agent/customizations/found.ts';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { SKIPPED_NAMES } from '../../../files/paths.ts';
import type { CustomizationFiles } from './customizationFiles.ts';
import { entriesOf } from './places.ts';

/** Files of a skill that its text may refer to. */
const MAX_FILES = 50;
const MAX_DEPTH = 3;
const LINKED_FOLDER = vscode.FileType.Directory | vscode.FileType.SymbolicLink;

export interface FolderOfSkill extends FoundSkill {
  readonly folder: vscode.Uri;
  /** The folder as a path that the agent's tools accept. */
  readonly folderPath: string;
  /** The path of the folder's URI after links were followed. */
  readonly realFolder: string;
}

export function folderOfSkill(found: FoundSkill, files: CustomizationFiles): FolderOfSkill | undefined {
  const uri = files.uriOf(found.path);
  const realFolder = files.realFolderOf(found.path);
  if (uri === undefined || realFolder === undefined) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..');
  return {
    ...found,
    folder,
    folderPath: found.isUsers ? folder.fsPath : vscode.workspace.asRelativePath(folder),
    realFolder,
  };
}

/** The text of a skill for the model, with the names of its files. */
export async function skillText({ skill: { name, body }, folder, folderPath }: FolderOfSkill): Promise<string> {
  const files = await filesBelow(folder);
  const text = `<skill name="${name}" folder="${folderPath}">\n${body}\n</skill>`;
  if (files.length === 0) return text;
  return `${text}\nFiles in its folder, to be read or run when the text refers to them:\n${files.join('\n')}`;
}

/** The text of a skill as an attachment of a question. Undefined if there is no such skill. */
export async function skillAttachment(files: CustomizationFiles, name: string): Promise<Attachment | undefined> {
  const found = files.set.skills.find((one) => isUsed(one) && one.skill.isForPerson && one.skill.name === name);
  const skill = found && folderOfSkill(found, files);
  if (skill === undefined) return undefined;
  return textAttachment({
    kind: 'skill',
    label: name,
    path: skill.path,
    languageId: 'markdown',
    text: await skillText(skill),
  });
}

/**
 * The files of a skill except its text, by their paths in its folder. Links to folders are not followed: they may lead back,
 * or to everything on this machine.
 */
async function filesBelow(folder: vscode.Uri, path = '', depth = MAX_DEPTH): Promise<readonly string[]> {
  const entries = await entriesOf(vscode.Uri.joinPath(folder, path));
  const wanted = entries.filter(([name, type]) => type !== LINKED_FOLDER && !SKIPPED_NAMES.includes(name));
  const found = await Promise.all(
    wanted
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, type]) => {
        const inner = path === '' ? name : `${path}/${name}`;
        if (type === vscode.FileType.Directory) return depth === 0 ? [] : filesBelow(folder, inner, depth - 1);
        return inner === 'SKILL.md' ? [] : [inner];
      }),
  );
  return found.flat().slice(0, MAX_FILES);
}
