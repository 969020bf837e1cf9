import type { Citation, PlacedCitation, TextSpan } from './conversation.ts';

/** What a wire says of a source; members that are empty or not there say nothing. */
type Said = { readonly [Member in keyof Citation]: string | null | undefined };

/** @returns undefined when nothing is said that could be shown. */
export function citationOf({ url, title, quote }: Said): Citation | undefined {
  const citation = { ...(url && { url }), ...(title && { title }), ...(quote && { quote }) };
  return Object.keys(citation).length === 0 ? undefined : citation;
}

interface SaidSpan {
  readonly start_index?: number | null | undefined;
  readonly end_index?: number | null | undefined;
}

/** The span that annotations of two formats have in the same members; absent when it is not whole. */
export function spanOf({ start_index: start, end_index: end }: SaidSpan): { readonly span?: TextSpan } {
  return typeof start === 'number' && typeof end === 'number' ? { span: { start, end } } : {};
}

/**
 * The page that is cited. Documents and files are named by their places in a request or by ids, which mean nothing to
 * a client of another format, so only pages are carried from one format to another.
 */
export function citedPage({ citation }: PlacedCitation): PageCitation | undefined {
  const { url, ...rest } = citation;
  return url === undefined ? undefined : { ...rest, url };
}

export interface PageCitation extends Citation {
  readonly url: string;
}
