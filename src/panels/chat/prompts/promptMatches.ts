import type { PromptView } from '../../../editor/chat/protocol.ts';

/** Returns the text after a leading slash if the draft is a single word; otherwise undefined. */
export function promptQuery(draft: string): string | undefined {
  return /^\/(\S*)$/.exec(draft)?.[1];
}

/**
 * Returns matching prompts: first those whose name begins with the query, then those that contain it in the name or
 * description.
 */
export function matchingPrompts(prompts: readonly PromptView[], query: string): readonly PromptView[] {
  const wanted = query.toLowerCase();
  const begins = ({ name }: PromptView) => name.toLowerCase().startsWith(wanted);
  const has = ({ name, description }: PromptView) => `${name} ${description}`.toLowerCase().includes(wanted);
  return [...prompts.filter(begins), ...prompts.filter((prompt) => !begins(prompt) && has(prompt))];
}

export function promptRowId({ id }: PromptView): string {
  return `prompt-${id}`;
}
