import type { Citation } from './conversation.ts';

/** What a wire says of a source; members that are empty or not there say nothing. */
type Said = { readonly [Member in keyof Citation]: string | null | undefined };

/** @returns undefined when nothing is said that could be shown. */
export function citationOf({ url, title, quote }: Said): Citation | undefined {
  const citation = { ...(url && { url }), ...(title && { title }), ...(quote && { quote }) };
  return Object.keys(citation).length === 0 ? undefined : citation;
}
