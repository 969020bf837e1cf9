/** Which skill a prompt stands for, and which one a command uses. */
import type { PromptView } from '../../pages/chat/protocol.ts';
import { type CustomizationSet, isUsed } from './found.ts';

const PREFIX = 'skill:';

/** The skills that the person can use with a slash. */
export function skillPrompts({ skills }: CustomizationSet): readonly PromptView[] {
  return skills
    .filter((found) => isUsed(found) && found.skill.isForPerson)
    .map(({ skill: { name, description }, tokens }) => ({
      id: PREFIX + name,
      name,
      description,
      source: 'skill',
      tokens,
    }));
}

/** The name of the skill that a prompt stands for. */
export function skillOfPrompt(promptId: string): string | undefined {
  return promptId.startsWith(PREFIX) ? promptId.slice(PREFIX.length) : undefined;
}

/** A skill and where it is. */
interface PlacedSkill {
  readonly skill: { readonly name: string };
  readonly folder: { readonly path: string };
  /** The folder as a path that the agent's tools accept. */
  readonly folderPath: string;
}

/** The name of the skill whose script a command runs, or whose folder or other files it names. */
export function skillOfCommand(command: string, skills: readonly PlacedSkill[]): string | undefined {
  // A backslash separates folders on Windows, and escapes a space elsewhere.
  const read = [command.replaceAll('\\', '/'), command.replace(/\\(.)/g, '$1')];
  const found = skills.find(({ folder, folderPath }) =>
    [folderPath.replaceAll('\\', '/'), folder.path].some((path) => read.some((text) => isNamed(path, text))),
  );
  return found?.skill.name;
}

/** Whether a text names a folder or something in it, and not only a folder whose name begins like it. */
function isNamed(path: string, text: string): boolean {
  return text.split(path).some((after, number) => number > 0 && /^(?:$|[/\s"'`;&|)])/.test(after));
}
