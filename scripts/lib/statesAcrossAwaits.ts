/** Finds methods that read a private field, await something, and then write the field as if nothing had happened. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './paths.ts';

/** A field that is read before an `await` and written after it, without another read in between. */
export interface StateAcrossAwait {
  /** File, class, method, and field, such as `src/a.ts Store.load #items`. */
  readonly name: string;
  /** The line of the write, counted from 1. */
  readonly line: number;
}

type Event = { readonly kind: 'read' | 'write' | 'await'; readonly field: string; readonly at: number };

/** Methods of collections that look at what they contain, and those that add to it. */
const LOOKS: ReadonlySet<string> = new Set(
  'at entries every filter find findLast get has includes keys length map size slice some toSorted values'.split(' '),
);
const ADDS: ReadonlySet<string> = new Set(['set', 'add', 'push', 'unshift']);

export async function statesAcrossAwaits(): Promise<readonly StateAcrossAwait[]> {
  const paths = await Array.fromAsync(glob('{src,packages/gateway/src}/**/*.{ts,tsx}', { cwd: ROOT }));
  const found = await Promise.all(
    paths.sort().map(async (path) => statesIn(path, await readFile(join(ROOT, path), 'utf8'))),
  );
  return found.flat();
}

/** @param path the file's path, for the names. */
export function statesIn(path: string, source: string): readonly StateAcrossAwait[] {
  // Parsing is slow, and most files have no state that anything is awaited in.
  if (!source.includes('await ') || !source.includes('this.#')) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: StateAcrossAwait[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) for (const member of node.members) found.push(...statesOf(member, node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function statesOf(member: ts.ClassElement, type: ts.ClassLikeDeclaration, file: ts.SourceFile): StateAcrossAwait[] {
  const fields = fieldsOf(type);
  return functionsIn(member).flatMap((body) => {
    const owner = `${file.fileName} ${type.name?.text ?? 'class'}.${member.name?.getText(file) ?? 'constructor'}`;
    return staleWrites(eventsIn(body, fields)).map(({ field, at }) => ({
      name: `${owner} ${field}`,
      line: file.getLineAndCharacterOfPosition(at).line + 1,
    }));
  });
}

/** The private fields of a class, without its methods and accessors. */
function fieldsOf({ members }: ts.ClassLikeDeclaration): ReadonlySet<string> {
  const names = members.flatMap((member) =>
    ts.isPropertyDeclaration(member) && ts.isPrivateIdentifier(member.name) ? [member.name.text] : [],
  );
  return new Set(names);
}

/** A function of a class, and those in it: each runs at a time of its own. */
function functionsIn(member: ts.Node): ts.Node[] {
  const bodies: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isClassLike(node)) return;
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) bodies.push(node.body as ts.Node);
    ts.forEachChild(node, visit);
  };
  visit(member);
  return bodies;
}

/** What a function does with the fields, in the order in which it does it. */
function eventsIn(body: ts.Node, fields: ReadonlySet<string>): readonly Event[] {
  const events: Event[] = [];
  const add = (kind: Event['kind'], field: string, node: ts.Node) => events.push({ kind, field, at: node.getStart() });
  const visit = (node: ts.Node): void => {
    if (node !== body && (ts.isFunctionLike(node) || ts.isClassLike(node))) return;
    if (isAssignment(node) && fieldOf(node.left, fields) !== undefined) {
      const field = fieldOf(node.left, fields) ?? '';
      // `#a ??= b` and `#a += b` read the field at the moment in which they write it.
      if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) add('read', field, node);
      visit(node.right);
      add('write', field, node);
      return;
    }
    const added = addedTo(node, fields);
    if (added !== undefined && ts.isCallExpression(node)) {
      for (const argument of node.arguments) visit(argument);
      add('write', added, node);
      return;
    }
    const field = fieldOf(node, fields);
    if (field !== undefined && isRead(node)) add('read', field, node);
    ts.forEachChild(node, visit);
    const isAwaited = ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
    if (isAwaited) add('await', '', node);
  };
  visit(body);
  return events;
}

function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  );
}

function fieldOf(node: ts.Node, fields: ReadonlySet<string>): string | undefined {
  if (!ts.isPropertyAccessExpression(node) || !ts.isPrivateIdentifier(node.name)) return undefined;
  return fields.has(node.name.text) ? node.name.text : undefined;
}

/** The collection that a call adds to. Its arguments are evaluated first. */
function addedTo(node: ts.Node, fields: ReadonlySet<string>): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  return ADDS.has(name.text) ? fieldOf(expression, fields) : undefined;
}

/** Calls of an object that the field holds do not read the field, unless it is a collection. */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  const isMember = ts.isPropertyAccessExpression(parent) && parent.expression === node;
  return !isMember || LOOKS.has(parent.name.text);
}

/** The writes that follow an `await` since the last read of their field. */
function staleWrites(events: readonly Event[]): readonly Event[] {
  return events.filter(({ kind, field }, index) => {
    if (kind !== 'write') return false;
    const read = events.findLastIndex((event, at) => at < index && event.kind === 'read' && event.field === field);
    const since = events.slice(read, index);
    if (read === -1 || !since.some((event) => event.kind === 'await')) return false;
    // A claim: the field was already written between the read and the `await`.
    const awaited = since.findIndex((event) => event.kind === 'await');
    return !since.slice(0, awaited).some((event) => event.kind === 'write' && event.field === field);
  });
}
