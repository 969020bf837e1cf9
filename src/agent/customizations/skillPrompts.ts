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
