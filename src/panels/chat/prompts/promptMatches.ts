import type { PromptView } from '../../../editor/chat/protocol.ts';

/** What is typed after a slash that stands first, as long as it is one word; else undefined. */
export function promptQuery(draft: string): string | undefined {
  return /^\/(\S*)$/.exec(draft)?.[1];
}

/** Those whose name begins with the query first, then those that have it in name or description. */
export function matchingPrompts(prompts: readonly PromptView[], query: string): readonly PromptView[] {
  const wanted = query.toLowerCase();
  const begins = ({ name }: PromptView) => name.toLowerCase().startsWith(wanted);
  const has = ({ name, description }: PromptView) => `${name} ${description}`.toLowerCase().includes(wanted);
  return [...prompts.filter(begins), ...prompts.filter((prompt) => !begins(prompt) && has(prompt))];
}

export function promptRowId({ id }: PromptView): string {
  return `prompt-${id}`;
}
