/** Finds the items of a file with tree-sitter or a parser of YAML, independently of how Apply finds them. */
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';

/** A function, type, statement, or key, with the comments before it. The lines are counted from 0, and ranges are half-open. */
export interface ParsedItem {
  /** What it is and how it is named. */
  readonly key: string;
  readonly isImport: boolean;
  readonly start: number;
  readonly end: number;
  /** What is within it and can be shown alone. */
  readonly items: readonly ParsedItem[];
}

interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly hasError: boolean;
  readonly startPosition: { readonly row: number };
  readonly endPosition: { readonly row: number; readonly column: number };
  readonly namedChildren: readonly SyntaxNode[];
  childForFieldName(name: string): SyntaxNode | null;
}

interface GrammarParser {
  setLanguage(language: unknown): void;
  parse(text: string): { readonly rootNode: SyntaxNode; delete(): void };
}

interface TreeSitter {
  readonly Parser: { new (): GrammarParser; init(): Promise<void> };
  readonly Language: { load(path: string): Promise<unknown> };
}

interface YamlNode {
  readonly range?: readonly [number, number, number];
  readonly items?: readonly { readonly key?: YamlNode & { readonly value: unknown }; readonly value?: YamlNode }[];
}

interface YamlParser {
  parseDocument(text: string): { readonly contents: YamlNode | null; readonly errors: readonly Error[] };
}

const GRAMMARS: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.tsx': 'tsx',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascript',
  '.py': 'python',
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  '.cs': 'c-sharp',
  '.php': 'php',
  '.rb': 'ruby',
  '.css': 'css',
  '.sh': 'bash',
};
const YAML = new Set(['.yml', '.yaml', '.json']);

/** Blocks whose parts people show alone. */
const BODIES = new Set(['class_body', 'declaration_list', 'interface_body', 'enum_body', 'body_statement']);
/** What a block belongs to of which others have none that is shown in parts. */
const OWNERS = /^(?:class_definition|internal_module|media_statement|supports_statement|at_rule)$/;
const BLOCKS = new Set(['block', 'statement_block']);
/** What is around the declaration that it contains. */
const WRAPPERS = /^(?:export_statement|decorated_definition|expression_statement|ambient_declaration)$/;
const SUITE = /^(?:describe|suite|context)\b/;
const LEADS = /comment|^attribute_item$|^decorator$/;
const IMPORTS = /^(?:import_|use_declaration|using_|namespace_use|preproc_include|future_import)/;

export class ItemParser {
  readonly #treeSitter: TreeSitter;
  readonly #yaml: YamlParser;
  readonly #folder: string;
  readonly #parsers = new Map<string, GrammarParser>();
  readonly extensions: ReadonlySet<string> = new Set([...Object.keys(GRAMMARS), ...YAML, '.md']);

  private constructor(treeSitter: TreeSitter, yaml: YamlParser, folder: string) {
    this.#treeSitter = treeSitter;
    this.#yaml = yaml;
    this.#folder = folder;
  }

  /** @param folder where `@vscode/tree-sitter-wasm` and `yaml` are installed. */
  static async load(folder: string): Promise<ItemParser> {
    const load = createRequire(join(resolve(folder), 'package.json'));
    const wasm = resolve(folder, 'node_modules/@vscode/tree-sitter-wasm/wasm');
    const treeSitter = load(join(wasm, 'tree-sitter.js')) as TreeSitter;
    await treeSitter.Parser.init();
    const parser = new ItemParser(treeSitter, load('yaml') as YamlParser, wasm);
    for (const grammar of new Set(Object.values(GRAMMARS))) await parser.#loadGrammar(grammar);
    return parser;
  }

  async #loadGrammar(grammar: string): Promise<void> {
    const parser = new this.#treeSitter.Parser();
    parser.setLanguage(await this.#treeSitter.Language.load(join(this.#folder, `tree-sitter-${grammar}.wasm`)));
    this.#parsers.set(grammar, parser);
  }

  /** Undefined if the text has errors of syntax. */
  parse(path: string, text: string): readonly ParsedItem[] | undefined {
    const extension = extname(path);
    if (extension === '.md') return sectionsOf(text);
    if (YAML.has(extension)) return this.#keysOf(text);
    const tree = this.#parsers.get(GRAMMARS[extension] ?? '')?.parse(text);
    if (tree === undefined || tree.rootNode.hasError) return undefined;
    const items = itemsOf(tree.rootNode.namedChildren);
    tree.delete();
    return items;
  }

  #keysOf(text: string): readonly ParsedItem[] | undefined {
    const { contents, errors } = this.#yaml.parseDocument(text);
    if (contents === null || errors.length > 0) return undefined;
    const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
    const keys = ({ items = [] }: YamlNode, depth: number): readonly ParsedItem[] =>
      depth === 0
        ? []
        : joinedBySharedLines(
            items.flatMap(({ key, value }) => {
              if (key?.range === undefined) return [];
              const start = lineAt(key.range[0]);
              const end = lineAt(value?.range?.[1] ?? key.range[1]);
              const isLineEnd = text[(value?.range?.[1] ?? 1) - 1] === '\n';
              const inner = value === undefined || value === null ? [] : keys(value, depth - 1);
              return [{ key: String(key.value), isImport: false, start, end: isLineEnd ? end : end + 1, items: inner }];
            }),
          );
    return keys(contents, 2);
  }
}

function itemsOf(nodes: readonly SyntaxNode[]): readonly ParsedItem[] {
  const items: ParsedItem[] = [];
  let lead: number | undefined;
  let leadEnd = 0;
  for (const node of nodes) {
    const [start, end] = [node.startPosition.row, endOf(node)];
    if (LEADS.test(node.type)) {
      if (start < (items.at(-1)?.end ?? 0)) continue;
      if (lead !== undefined && start > leadEnd) items.push(leadItem(lead, leadEnd));
      if (lead === undefined || start > leadEnd) lead = start;
      leadEnd = end;
      continue;
    }
    if (lead !== undefined && start > leadEnd) {
      items.push(leadItem(lead, leadEnd));
      lead = undefined;
    }
    items.push({
      key: keyOf(node),
      isImport: IMPORTS.test(node.type),
      start: lead ?? start,
      end,
      items: itemsWithin(node, 3),
    });
    lead = undefined;
  }
  if (lead !== undefined) items.push(leadItem(lead, leadEnd));
  return joinedBySharedLines(items);
}

function leadItem(start: number, end: number): ParsedItem {
  return { key: 'comment', isImport: false, start, end, items: [] };
}

function endOf({ startPosition, endPosition }: SyntaxNode): number {
  return Math.max(startPosition.row + 1, endPosition.column === 0 ? endPosition.row : endPosition.row + 1);
}

function keyOf(node: SyntaxNode): string {
  const first = node.namedChildren.filter(({ type }) => !LEADS.test(type))[0];
  if (WRAPPERS.test(node.type) && first !== undefined) return keyOf(node.childForFieldName('declaration') ?? first);
  const named = node.childForFieldName('name') ?? node.childForFieldName('left') ?? node.childForFieldName('selectors');
  const receiver = node.childForFieldName('receiver')?.text ?? '';
  const declared = /declarator$|_spec$/.test(first?.type ?? '') ? first?.childForFieldName('name') : undefined;
  const name = named?.text ?? declared?.text ?? node.text.split('\n', 1)[0]?.trim() ?? '';
  return `${node.type} ${receiver}${name}`;
}

/** The items of the block of this node, which is beside its head and end. */
function itemsWithin(node: SyntaxNode, depth: number): readonly ParsedItem[] {
  const isSuite = node.type === 'arguments' || (node.type === 'arrow_function' && depth < 3);
  for (const child of node.namedChildren) {
    const isBody = BODIES.has(child.type) || (BLOCKS.has(child.type) && (OWNERS.test(node.type) || isSuite));
    const ends = [child.namedChildren[0]?.startPosition.row, child.namedChildren.at(-1)?.endPosition.row];
    const isApart = ends[0] !== node.startPosition.row && (ends[1] !== node.endPosition.row || child.type === 'block');
    if (isBody) return isApart ? itemsOf(child.namedChildren) : [];
    const isAround = WRAPPERS.test(node.type) || (node.type === 'call_expression' && SUITE.test(node.text)) || isSuite;
    if (isAround && depth > 0) {
      const inner = itemsWithin(child, depth - (isSuite || child.type !== 'arguments' ? 1 : 0));
      if (inner.length > 0) return inner;
    }
  }
  return [];
}

/** Items that begin on the line where another one ends are shown together. */
function joinedBySharedLines(items: readonly ParsedItem[]): readonly ParsedItem[] {
  const joined: ParsedItem[] = [];
  for (const item of items) {
    const last = joined.at(-1);
    if (last === undefined || item.start >= last.end) joined.push(item);
    else joined[joined.length - 1] = { ...last, end: Math.max(last.end, item.end), items: [] };
  }
  return joined;
}

function sectionsOf(text: string): readonly ParsedItem[] {
  const lines = text.split('\n');
  const starts: number[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    else if (fence === undefined && /^#{1,6} /.test(line)) starts.push(at);
  }
  const first = starts[0] ?? lines.length;
  const begin = lines.slice(0, first).some((line) => line.trim() !== '') ? [0, ...starts] : starts;
  return begin.map((start, index) => {
    const next = begin[index + 1] ?? lines.length;
    const end = lines.slice(0, next).findLastIndex((line) => line.trim() !== '') + 1;
    const key = start === 0 && first !== 0 ? 'beginning' : (lines[start] ?? '');
    return { key, isImport: false, start, end, items: [] };
  });
}
