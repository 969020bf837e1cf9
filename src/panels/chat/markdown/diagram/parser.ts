/**
 * Replaces `@mermaid-js/parser` in the diagram bundle, because that package contains a parser generator of 0.2 MB, and
 * answers use only two of its diagram kinds. The trees have the form that Mermaid reads.
 */

const PARSERS: Readonly<Record<string, (source: string) => object>> = { gitGraph: parseGitGraph, pie: parsePie };

/** @throws Error that names the invalid line or the unknown kind of diagram. */
export async function parse(kind: string, source: string): Promise<object> {
  const parser = PARSERS[kind];
  if (parser === undefined) throw new Error(`Diagrams of the kind ${kind} are not drawn here.`);
  return parser(source);
}

interface PieTree extends DiagramTitles {
  readonly $type: 'Pie';
  readonly showData: boolean;
  readonly sections: readonly PieSection[];
}

interface PieSection {
  readonly label: string;
  readonly value: number;
}

const PIE_HEAD = /^(showData)?\s*(?:title\s+(.+))?$/;
const PIE_SECTION = /^("[^"]*"|'[^']*')\s*:\s*(-?\d+(?:\.\d+)?)$/;

/** @throws Error that names the invalid line. */
function parsePie(source: string): PieTree {
  const { head, statements, titles } = readSource(source, 'pie');
  const [whole, showData, title] = PIE_HEAD.exec(head) ?? [];
  if (whole === undefined) throw notUnderstood({ text: `pie ${head}`, line: 1 });
  return {
    $type: 'Pie',
    showData: showData !== undefined || statements.some(isShowData),
    ...(title !== undefined && { title }),
    ...titles,
    sections: statements.filter((statement) => !isShowData(statement)).map(pieSection),
  };
}

function isShowData({ text }: Statement): boolean {
  return text === 'showData';
}

function pieSection(statement: Statement): PieSection {
  const [, label, value] = PIE_SECTION.exec(statement.text) ?? [];
  if (label === undefined || value === undefined) throw notUnderstood(statement);
  return { label: unquoted(label), value: Number(value) };
}

interface GitGraphTree extends DiagramTitles {
  readonly $type: 'GitGraph';
  readonly dir?: string;
  readonly statements: readonly GitStatement[];
}

type GitStatement =
  | ({ readonly $type: 'Commit' } & GitGraphOptions)
  | ({ readonly $type: 'Merge'; readonly branch: string } & GitGraphOptions)
  | ({ readonly $type: 'CherryPicking' } & GitGraphOptions)
  | { readonly $type: 'Branch'; readonly name: string; readonly order?: number }
  | { readonly $type: 'Checkout'; readonly branch: string };

/** The options of a command, as `name: value`. */
interface GitGraphOptions {
  readonly id?: string;
  readonly message?: string;
  readonly type?: string;
  readonly parent?: string;
  readonly tags?: readonly string[];
}

const GIT_HEAD = /^(LR|TB|BT)?\s*:?$/;
const COMMAND = /^(commit|branch|merge|checkout|switch|cherry-pick)\b\s*(.*)$/;
const NAME = /^("[^"]*"|'[^']*'|[^\s"']+)\s*(.*)$/;
const OPTION = /^(?:(id|msg|tag|type|parent|order)\s*:\s*)?("[^"]*"|'[^']*'|[\w.-]+)\s*/;
const TYPES = ['NORMAL', 'REVERSE', 'HIGHLIGHT'];

/** @throws Error that names the invalid line. */
function parseGitGraph(source: string): GitGraphTree {
  const { head, statements, titles } = readSource(source, 'gitGraph');
  const [whole, dir] = GIT_HEAD.exec(head) ?? [];
  if (whole === undefined) throw notUnderstood({ text: `gitGraph ${head}`, line: 1 });
  return {
    $type: 'GitGraph',
    ...(dir !== undefined && { dir }),
    ...titles,
    statements: statements.map(gitStatement),
  };
}

function gitStatement(statement: Statement): GitStatement {
  const [, command, rest = ''] = COMMAND.exec(statement.text) ?? [];
  if (command === 'commit') return { $type: 'Commit', ...optionsOf(rest, statement) };
  if (command === 'cherry-pick') return { $type: 'CherryPicking', ...optionsOf(rest, statement) };
  const [, written, options = ''] = NAME.exec(rest) ?? [];
  if (written === undefined) throw notUnderstood(statement);
  const name = unquoted(written);
  if (command === 'merge') return { $type: 'Merge', branch: name, ...optionsOf(options, statement) };
  if (command === 'branch') {
    const order = /^order\s*:\s*(\d+)$/.exec(options)?.[1];
    if (options !== '' && order === undefined) throw notUnderstood(statement);
    return { $type: 'Branch', name, ...(order !== undefined && { order: Number(order) }) };
  }
  if (options !== '' || command === undefined) throw notUnderstood(statement);
  return { $type: 'Checkout', branch: name };
}

function optionsOf(text: string, statement: Statement): GitGraphOptions {
  const options: { -readonly [Name in keyof GitGraphOptions]: GitGraphOptions[Name] } = {};
  for (let rest = text; rest !== ''; ) {
    const [matched, name = 'msg', written] = OPTION.exec(rest) ?? [];
    if (matched === undefined || written === undefined) throw notUnderstood(statement);
    const value = unquoted(written);
    if (name === 'tag') options.tags = [...(options.tags ?? []), value];
    else if (name === 'msg') options.message = value;
    else if (name === 'id' || name === 'parent') options[name] = value;
    else if (name === 'type' && TYPES.includes(value)) options.type = value;
    else throw notUnderstood(statement);
    rest = rest.slice(matched.length);
  }
  return options;
}

/** Reads what all kinds of diagrams have in common: a first line, titles, descriptions, and one statement per line. */

interface Statement {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

interface DiagramSource {
  /** The rest of the line after the kind. */
  readonly head: string;
  readonly statements: readonly Statement[];
  readonly titles: DiagramTitles;
}

interface DiagramTitles {
  readonly title?: string;
  readonly accTitle?: string;
  readonly accDescr?: string;
}

const COMMENT = /^\s*%%/;

/** @throws Error if the source is another kind of diagram. */
function readSource(source: string, kind: string): DiagramSource {
  const lines = source
    .replace(/accDescr\s*\{([^}]*)\}/, (_, text: string) => `accDescr: ${text.trim().replaceAll(/\s+/g, ' ')}`)
    .split(/\r?\n/)
    .map((text, index) => ({ text: COMMENT.test(text) ? '' : text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '');
  const [first, ...rest] = lines;
  if (first?.text.startsWith(kind) !== true) throw new Error(`A diagram of this kind begins with “${kind}”.`);
  const titles: { -readonly [Name in keyof DiagramTitles]: DiagramTitles[Name] } = {};
  const statements = rest.filter(({ text }) => !readTitle(text, titles));
  return { head: first.text.slice(kind.length).trim(), statements, titles };
}

/** @returns whether the line was a title or a description. */
function readTitle(text: string, titles: { -readonly [Name in keyof DiagramTitles]: DiagramTitles[Name] }): boolean {
  const [, name, value] = /^(title|accTitle|accDescr)(?:\s*:\s*|\s+)(.+)$/.exec(text) ?? [];
  if (value === undefined || (name !== 'title' && name !== 'accTitle' && name !== 'accDescr')) return false;
  titles[name] = value;
  return true;
}

function notUnderstood({ text, line }: Statement): Error {
  return new Error(`Line ${line} is not understood: ${text}`);
}

/** Returns the text within quotes, or an unquoted word unchanged. */
function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
