import * as l10n from '@vscode/l10n';
import { applyEdits, modify, type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigurationFormat } from './edits.ts';

/** JSON with comments and trailing commas, as editors and agents read it. */
export const json: ConfigurationFormat = {
  parse(text) {
    if (text.trim() === '') return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return value;
    throw new SyntaxError(`Line ${lineAt(text, first.offset)}: ${printParseErrorCode(first.error)}`);
  },
  edit(text, path, value) {
    checkMembers(text, path);
    const formattingOptions = {
      insertSpaces: !/^\t/m.test(text),
      tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    };
    const edited = applyEdits(text, modify(text, [...path], value, { formattingOptions }));
    return text.trim() === '' ? `${edited}\n` : edited;
  },
};

/** @throws {SyntaxError} if a member on the path occurs twice: the first would be edited, and tools read the last. */
function checkMembers(text: string, path: readonly (string | number)[]): void {
  let node = parseTree(text);
  for (const name of path) {
    const named: readonly Node[] = node?.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
    const [first, second] = named;
    if (second !== undefined) {
      const line = lineAt(text, second.offset);
      throw new SyntaxError(l10n.t('Line {0}: "{1}" occurs more than once. Keep only one of them.', line, name));
    }
    node = first?.children?.[1];
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
