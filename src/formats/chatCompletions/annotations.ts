import { citationOf } from '../citation.ts';
import type { ChatEvent } from '../conversation.ts';
import type { WireAnnotation } from './schema.ts';

/** The pages that a chunk names, which some servers send with the last of them. */
export function decodeAnnotations(annotations: readonly WireAnnotation[] | null | undefined): ChatEvent[] {
  return (annotations ?? []).flatMap(({ url_citation: page }) => {
    const citation = page ? citationOf({ url: page.url, title: page.title, quote: page.content }) : undefined;
    return citation === undefined ? [] : [{ type: 'citation', citation }];
  });
}
