import type { PromptView } from '../../../editor/chat/protocol.ts';

/** Returns the text after a leading slash if the draft is a single word; otherwise undefined. */
export function promptQuery(draft: string): string | undefined {
  return /^\/(\S*)$/.exec(draft)?.[1];
}

/** Returns the prompts that contain the query in the name or description, in their order. */
export function matchingPrompts(prompts: readonly PromptView[], query: string): readonly PromptView[] {
  const wanted = query.toLowerCase();
  return prompts.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
}

export function beginsWith({ name }: PromptView, query: string): boolean {
  return name.toLowerCase().startsWith(query.toLowerCase());
}
