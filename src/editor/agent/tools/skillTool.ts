import * as z from 'zod/mini';
import { type AgentTool, defineTool, ToolError, text } from '../../../agent/tools/tool.ts';
import { type FolderOfSkill, skillText } from '../../chat/customizations/skillText.ts';

/** Returns the text of a skill. It allows nothing: what the text asks for is asked as usual. */
export function skillTool(skills: readonly FolderOfSkill[]): AgentTool {
  const schema = z.object({ name: text('Name of the skill.') });
  return defineTool('use_skill', 'Returns the text of a skill, and the names of its files.', schema, ({ name }) => {
    const found = skills.find(({ skill }) => skill.name === name);
    if (found === undefined) {
      const known = skills.map(({ skill }) => skill.name).join(', ');
      throw new ToolError(`There is no skill ${name}. The skills are: ${known}.`);
    }
    return {
      action: { kind: 'skill', object: found.skill.name },
      run: async () => ({ text: await skillText(found) }),
    };
  });
}
