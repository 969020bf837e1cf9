import { type DiagramTitles, notUnderstood, readSource, type Statement, unquoted } from './statements.ts';

export interface PieTree extends DiagramTitles {
  readonly $type: 'Pie';
  readonly showData: boolean;
  readonly sections: readonly PieSection[];
}

interface PieSection {
  readonly label: string;
  readonly value: number;
}

const HEAD = /^(showData)?\s*(?:title\s+(.+))?$/;
const SECTION = /^("[^"]*"|'[^']*')\s*:\s*(-?\d+(?:\.\d+)?)$/;

/** @throws Error that names the invalid line. */
export function parsePie(source: string): PieTree {
  const { head, statements, titles } = readSource(source, 'pie');
  const [whole, showData, title] = HEAD.exec(head) ?? [];
  if (whole === undefined) throw notUnderstood({ text: `pie ${head}`, line: 1 });
  return {
    $type: 'Pie',
    showData: showData !== undefined || statements.some(isShowData),
    ...(title !== undefined && { title }),
    ...titles,
    sections: statements.filter((statement) => !isShowData(statement)).map(sectionOf),
  };
}

function isShowData({ text }: Statement): boolean {
  return text === 'showData';
}

function sectionOf(statement: Statement): PieSection {
  const [, label, value] = SECTION.exec(statement.text) ?? [];
  if (label === undefined || value === undefined) throw notUnderstood(statement);
  return { label: unquoted(label), value: Number(value) };
}
