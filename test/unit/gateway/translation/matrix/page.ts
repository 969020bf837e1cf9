/** The generated part of `docs/formats.md`. */
import { FORMAT_NAMES, type FormatName } from '../../../../../src/formats/conversation.ts';
import type { Verdict } from './laboratory.ts';

export interface Row {
  readonly name: string;
  readonly verdict: (caller: FormatName, upstream: FormatName) => Verdict;
}

export interface Chapter {
  readonly title: string;
  readonly rows: readonly Row[];
}

const BEGIN = '<!-- made by the tests: begin -->';
const END = '<!-- made by the tests: end -->';

/** The page with its generated part made anew. */
export function withMatrix(page: string, chapters: readonly Chapter[]): string {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`The page must hold ${BEGIN} and ${END}.`);
  const tables = FORMAT_NAMES.flatMap((caller) => [
    `### ${caller} in front`,
    ...chapters.map((each) => table(each, caller)),
  ]);
  return `${page.slice(0, before + BEGIN.length)}\n\n${tables.join('\n\n')}\n\n${page.slice(after)}`;
}

/** Rows without anything to say are left out, and so is the same verdict for all. */
function table({ title, rows }: Chapter, caller: FormatName): string {
  const cells = rows.map(({ name, verdict }) => [name, ...FORMAT_NAMES.map((upstream) => verdict(caller, upstream))]);
  const telling = cells.filter(([, ...verdicts]) => verdicts.some((each) => each !== '—'));
  const head = [title, ...FORMAT_NAMES.map((upstream) => `on ${upstream}`)];
  return [head, head.map(() => '---'), ...telling].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
