import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './paths.ts';
import type { Strings } from './strings.ts';

/** Returns the English texts that the sources in a folder pass to `l10n.t`. They are also the keys in the bundles. */
export async function stringsOfSources(folder = 'src'): Promise<Strings> {
  const paths = await Array.fromAsync(glob(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }));
  const texts = await Promise.all(
    paths.sort().map(async (path) => textsOf(path, await readFile(join(ROOT, path), 'utf8'))),
  );
  return Object.fromEntries(texts.flat().map((text) => [text, text]));
}

function textsOf(path: string, source: string): string[] {
  // Parsing is slow, and most files contain no translatable text.
  if (!source.includes('l10n.t(')) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'l10n.t') texts.push(textOf(node, file));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

/** @throws if the text is not a literal in the call, so that it cannot be found for translation. */
function textOf(call: ts.CallExpression, file: ts.SourceFile): string {
  const [text] = call.arguments;
  if (text !== undefined && ts.isStringLiteralLike(text)) return text.text;
  const { line } = file.getLineAndCharacterOfPosition(call.getStart(file));
  throw new Error(`${file.fileName}:${line + 1}: the text of l10n.t is not a literal.`);
}
