/**
 * Replaces `@mermaid-js/parser` in the diagram bundle, because that package contains a parser generator of 0.2 MB, and
 * answers use only two of its diagram kinds. The trees have the form that Mermaid reads.
 */
import { parseGitGraph } from './gitGraph.ts';
import { parsePie } from './pie.ts';

const PARSERS: Readonly<Record<string, (source: string) => object>> = { gitGraph: parseGitGraph, pie: parsePie };

/** @throws Error that names the invalid line or the unknown kind of diagram. */
export async function parse(kind: string, source: string): Promise<object> {
  const parser = PARSERS[kind];
  if (parser === undefined) throw new Error(`Diagrams of the kind ${kind} are not drawn here.`);
  return parser(source);
}
