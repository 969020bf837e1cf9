import { type DiagramTitles, notUnderstood, readSource, type Statement, unquoted } from './statements.ts';

export interface GitGraphTree extends DiagramTitles {
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

const HEAD = /^(LR|TB|BT)?\s*:?$/;
const COMMAND = /^(commit|branch|merge|checkout|switch|cherry-pick)\b\s*(.*)$/;
const NAME = /^("[^"]*"|'[^']*'|[^\s"']+)\s*(.*)$/;
const OPTION = /^(?:(id|msg|tag|type|parent|order)\s*:\s*)?("[^"]*"|'[^']*'|[\w.-]+)\s*/;
const TYPES = ['NORMAL', 'REVERSE', 'HIGHLIGHT'];

/** @throws Error that names the invalid line. */
export function parseGitGraph(source: string): GitGraphTree {
  const { head, statements, titles } = readSource(source, 'gitGraph');
  const [whole, dir] = HEAD.exec(head) ?? [];
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
