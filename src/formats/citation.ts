import type { Citation, PlacedCitation, TextSpan } from './conversation.ts';

/** The members of a source; empty or missing members are ignored. */
type CitationMembers = { readonly [Member in keyof Citation]: string | null | undefined };

/** @returns undefined if there is nothing to show. */
export function citationOf({ url, title, quote }: CitationMembers): Citation | undefined {
  const citation = { ...(url && { url }), ...(title && { title }), ...(quote && { quote }) };
  return Object.keys(citation).length === 0 ? undefined : citation;
}

interface WireSpan {
  readonly start_index?: number | null | undefined;
  readonly end_index?: number | null | undefined;
}

/** Returns the span, which has the same members in two formats. Returns an empty object if it is incomplete. */
export function spanOf({ start_index: start, end_index: end }: WireSpan): { readonly span?: TextSpan } {
  return typeof start === 'number' && typeof end === 'number' ? { span: { start, end } } : {};
}

/**
 * Returns the cited page. Documents and files are identified by their positions in a request or by IDs, which mean
 * nothing to a client of another format, so only pages are translated.
 */
export function citedPage({ citation }: PlacedCitation): PageCitation | undefined {
  const { url, ...rest } = citation;
  return url === undefined ? undefined : { ...rest, url };
}

export interface PageCitation extends Citation {
  readonly url: string;
}
