import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { ConfigurationFormat } from './edits.ts';

/** JSON with comments and trailing commas, as editors and agents read it. */
export const json: ConfigurationFormat = {
  parse(text) {
    if (text.trim() === '') return {};
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first === undefined) return value;
    const line = text.slice(0, first.offset).split('\n').length;
    throw new SyntaxError(`Line ${line}: ${printParseErrorCode(first.error)}`);
  },
  edit(text, path, value) {
    const formattingOptions = {
      insertSpaces: !/^\t/m.test(text),
      tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
      eol: text.includes('\r\n') ? '\r\n' : '\n',
    };
    const edited = applyEdits(text, modify(text, [...path], value, { formattingOptions }));
    return text.trim() === '' ? `${edited}\n` : edited;
  },
};
