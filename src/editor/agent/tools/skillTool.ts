import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { FoundSkill } from '../../../agent/customizations/found.ts';
import { type AgentTool, defineTool, ToolError, text } from '../../../agent/tools/tool.ts';

/** Files of a skill that its text may refer to. */
const MAX_FILES = 50;
const MAX_DEPTH = 3;

/** A skill with its folder, as a path that other tools accept. */
export interface SkillOfRun extends FoundSkill {
  readonly folder: vscode.Uri;
  readonly folderPath: string;
  /** The path of the folder's URI after links were followed. */
  readonly realFolder: string;
}

/** What the model knows of the skills before it uses one. */
export function listOfSkills(skills: readonly SkillOfRun[]): string {
  const entries = skills.map(
    ({ skill: { name, description, compatibility } }) =>
      `<skill>\n<name>${name}</name>\n<description>${description}</description>\n${
        compatibility === undefined ? '' : `<compatibility>${compatibility}</compatibility>\n`
      }</skill>`,
  );
  return `Skills describe how tasks are done here. Before a task that one describes, call use_skill and follow its text.\n<available_skills>\n${entries.join('\n')}\n</available_skills>`;
}

/** Returns the text of a skill. It allows nothing: what the text asks for is asked as usual. */
export function skillTool(skills: readonly SkillOfRun[]): AgentTool {
  const schema = z.object({ name: text('Name of the skill.') });
  return defineTool('use_skill', 'Returns the text of a skill, and the names of its files.', schema, ({ name }) => {
    const found = skills.find(({ skill }) => skill.name === name);
    if (found === undefined) {
      const known = skills.map(({ skill }) => skill.name).join(', ');
      throw new ToolError(`There is no skill ${name}. The skills are: ${known}.`);
    }
    return {
      action: { kind: 'skill', object: found.skill.name },
      run: async () => ({ text: skillText(found, await filesBelow(found.folder)) }),
    };
  });
}

/** @param files their paths in the skill's folder. */
function skillText({ skill: { name, body }, folderPath }: SkillOfRun, files: readonly string[]): string {
  const head = `<skill name="${name}" folder="${folderPath}">\n${body}\n</skill>`;
  if (files.length === 0) return head;
  return `${head}\nFiles in its folder, to be read or run when the text refers to them:\n${files.join('\n')}`;
}

/** The files of a skill except its text, by their paths in its folder. */
async function filesBelow(folder: vscode.Uri, path = '', depth = MAX_DEPTH): Promise<readonly string[]> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, path));
  const found = await Promise.all(
    entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, type]) => {
        const inner = path === '' ? name : `${path}/${name}`;
        if ((type & vscode.FileType.Directory) !== 0) return depth === 0 ? [] : filesBelow(folder, inner, depth - 1);
        return inner === 'SKILL.md' ? [] : [inner];
      }),
  );
  return found.flat().slice(0, MAX_FILES);
}
