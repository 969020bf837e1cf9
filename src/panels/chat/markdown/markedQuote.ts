import type { Token, Tokens } from 'marked';

const MARK = /^\[!(note|tip|important|warning|caution)\][^\S\n]*\n?/i;

interface MarkedQuote {
  readonly kind: string;
  /** The blocks after the mark. */
  readonly tokens: readonly Token[];
}

/** Reads a quote that begins with a mark such as `[!NOTE]`, as GitHub writes notes and warnings. */
export function alertOf({ tokens: [first, ...others] }: Tokens.Blockquote): MarkedQuote | undefined {
  if (first?.type !== 'paragraph') return undefined;
  const [beginning, ...inline] = (first as Tokens.Paragraph).tokens;
  const mark = MARK.exec(first.raw);
  if (mark === null || beginning?.type !== 'text') return undefined;
  const rest = (beginning as Tokens.Text).text.slice(mark[0].length);
  const tokens = [...(rest === '' ? [] : [{ ...beginning, text: rest }]), ...inline];
  return {
    kind: (mark[1] ?? '').toLowerCase(),
    tokens: [...(tokens.length > 0 ? [{ ...first, tokens }] : []), ...others],
  };
}
