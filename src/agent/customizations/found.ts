/** The files that were found, and which of them apply. */
import type { FileProblem } from '../../chat/prompts/frontMatter.ts';
import { baseName } from '../../files/paths.ts';
import type { AgentFile } from './agentFile.ts';
import { matchesGlob } from './glob.ts';
import type { InstructionFile, InstructionScope } from './instructionFile.ts';
import type { SkillFile } from './skillFile.ts';

/** A file with instructions, a skill, or an agent. */
export interface FoundFile {
  /** The path that is shown, such as `web/AGENTS.md` or `~/.claude/CLAUDE.md`. It identifies the file. */
  readonly path: string;
  /** Whether it is the user's own, and not the workspace's. */
  readonly isUsers: boolean;
  /** Estimated, of its text. */
  readonly tokens: number;
  readonly problems: readonly FileProblem[];
  /** The path of the file that is used instead, because it says the same or has the same name. */
  readonly twin?: string;
  /** Whether the user has switched it off. */
  readonly isOff: boolean;
}

export interface FoundInstructions extends FoundFile {
  readonly file: InstructionFile;
  /** The start of shown paths in its workspace folder; empty if there is one folder. Undefined for the user's own. */
  readonly root?: string;
}

export interface FoundSkill extends FoundFile {
  readonly skill: SkillFile;
}

export interface FoundAgent extends FoundFile {
  readonly agent: AgentFile;
}

/** What applies in this window. */
export interface CustomizationSet {
  readonly instructions: readonly FoundInstructions[];
  readonly skills: readonly FoundSkill[];
  readonly agents: readonly FoundAgent[];
}

export const NO_CUSTOMIZATIONS: CustomizationSet = { instructions: [], skills: [], agents: [] };

/** The instructions that each request contains, together. */
export interface SentInstructions {
  /** The name of the file, or how many there are. */
  readonly label: string;
  readonly text: string;
  readonly tokens: number;
}

/** Whether a file cannot be used because of one of its problems. */
export function hasError({ problems }: Pick<FoundFile, 'problems'>): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** Whether a file is used: it can be read, is switched on, and is no twin of another one. */
export function isUsed(found: FoundFile): boolean {
  return found.twin === undefined && !found.isOff && !hasError(found);
}

/** The instructions that each request contains. */
export function alwaysSent({ instructions }: CustomizationSet): readonly FoundInstructions[] {
  return instructions.filter((found) => isUsed(found) && found.file.scope.type === 'always');
}

/** The instructions that apply only to some files, of which these are. The nearest to the file are the last. */
export function instructionsFor(
  { instructions }: CustomizationSet,
  paths: readonly string[],
): readonly FoundInstructions[] {
  return instructions.filter((found) => isUsed(found) && paths.some((path) => appliesTo(found, path)));
}

function appliesTo({ file, root }: FoundInstructions, path: string): boolean {
  if (root !== undefined) return path.startsWith(root) && isInScope(file.scope, path.slice(root.length));
  // In a workspace with several folders, paths begin with the name of a folder.
  return isInScope(file.scope, path) || isInScope(file.scope, path.slice(path.indexOf('/') + 1));
}

function isInScope(scope: InstructionScope, path: string): boolean {
  if (scope.type === 'folder') return `${path}/`.startsWith(`${scope.folder}/`);
  return scope.type === 'files' && scope.globs.some((glob) => matchesGlob(glob, path));
}

/** The text for the model. */
export function instructionText({ path, file, isUsers }: FoundInstructions): string {
  const { scope, text } = file;
  const whose = isUsers ? ' of="the user"' : '';
  const applies =
    scope.type === 'folder'
      ? ` apply_to="files below ${scope.folder}"`
      : scope.type === 'files'
        ? ` apply_to="${scope.globs.join(', ')}"`
        : '';
  return `<instructions file="${path}"${whose}${applies}>\n${text}\n</instructions>`;
}

/** The skills that the model knows of. */
export function skillsForModel({ skills }: CustomizationSet): readonly FoundSkill[] {
  return skills.filter((found) => isUsed(found) && found.skill.isForModel);
}

export function agentNamed({ agents }: CustomizationSet, name: string): FoundAgent | undefined {
  return agents.find((found) => isUsed(found) && found.agent.name === name);
}

/** The agent that another file means: by its name, or by that of its file. */
export function agentCalled(agents: readonly FoundAgent[], written: string): FoundAgent | undefined {
  const isCalled = (name: string) => name.toLowerCase() === written.toLowerCase();
  const usable = agents.filter(isUsed);
  const byFile = ({ path }: FoundFile) => isCalled(baseName(path).replace(/(?:\.agent)?\.md$/i, ''));
  return usable.find(({ agent }) => isCalled(agent.name)) ?? usable.find(byFile);
}

/** The agents that another agent can give parts of its task to. */
export function agentsForTasks({ agents }: CustomizationSet): readonly FoundAgent[] {
  return agents.filter((found) => isUsed(found) && found.agent.isForAgents);
}
