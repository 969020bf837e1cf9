import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import ts from 'typescript';
import { parse as parseYaml } from 'yaml';
import { SuggestionReader } from '../../../../src/suggestions/text/suggestion.ts';

const FOLDER = join(import.meta.dirname, '../../../fixtures/holes');
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.json': 'json',
  '.yaml': 'yaml',
  '.toml': 'toml',
  '.py': 'python',
};

interface Hole {
  readonly name: string;
  readonly languageId: string;
  readonly before: string;
  readonly middle: string;
  readonly after: string;
}

const holes: readonly Hole[] = readdirSync(FOLDER).map((file) => {
  const name = file.replace(/\.hole$/, '');
  const [before = '', middle = '', after = ''] = readFileSync(join(FOLDER, file), 'utf8').split(/[⟦⟧]/);
  return { name, languageId: LANGUAGES[extname(name)] ?? '', before, middle, after };
});

const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);
const following = (hole: Hole) => hole.after.split('\n').slice(0, 4).join('\n');
const fence = (hole: Hole, text: string) => `\`\`\`${hole.languageId}\n${text}\n\`\`\``;
const unitOf = ({ languageId }: Hole) => ' '.repeat(languageId === 'python' ? 4 : 2);

/** Changes the indentation of all lines but the first one. */
const inOtherUnit = (hole: Hole, unit: string) => {
  const [first, ...rest] = hole.middle.split('\n');
  const changed = rest.map((line) => line.replace(/^ +/, (indent) => unit.repeat(indent.length / unitOf(hole).length)));
  return `<insert>${[first, ...changed].join('\n')}</insert>`;
};

/** How models answer, although they are asked for the text between two tags. */
const MANNERS: Readonly<Record<string, (hole: Hole) => string>> = {
  'as asked': ({ middle }) => `<insert>${middle}</insert>`,
  'with line breaks of Windows': ({ middle }) => `<insert>${middle.replaceAll('\n', '\r\n')}</insert>`,
  'without tags': ({ middle }) => middle,
  'in a fence': (hole) => fence(hole, hole.middle),
  'in a fence between the tags': (hole) => `<insert>\n${fence(hole, hole.middle)}\n</insert>`,
  'behind an explanation': (hole) => `Here is the code that fits at the cursor:\n\n${fence(hole, hole.middle)}`,
  'with an explanation behind it': (hole) =>
    `${fence(hole, hole.middle)}\n\nThis code fits between the two parts of your file.`,
  'after reasoning': ({ middle }) => `<think>The user wants { code.</think>\n<insert>${middle}</insert>`,
  'with the line before the cursor': ({ before, middle }) => `<insert>${lastLine(before)}${middle}</insert>`,
  'with three lines before the cursor': ({ before, middle }) =>
    `<insert>${before.split('\n').slice(-3).join('\n')}${middle}</insert>`,
  'with what follows the cursor': (hole) => `<insert>${hole.middle}${following(hole)}</insert>`,
  'with other spaces in what follows the cursor': (hole) =>
    `<insert>${hole.middle}${following(hole).replaceAll(/ (=|=>|\+|:|\{) /g, '$1')}</insert>`,
  'in four spaces instead of two': (hole) => inOtherUnit(hole, '    '),
  'in tabs': (hole) => inOtherUnit(hole, '\t'),
  'with a mark at its end': ({ middle }) => `<insert>${middle}<|endoftext|></insert>`,
  'with the rest of the file, and more': (hole) =>
    `<insert>${hole.middle}${hole.after}\n\nexport function more() {\n  return {`,
};

/** Answers of which only a beginning can be shown, or nothing. */
const PARTS: Readonly<Record<string, (hole: Hole) => string>> = {
  'that are cut off': ({ middle }) => `<insert>${middle.slice(0, Math.ceil(middle.length * 0.6))}`,
  'that are cut off early': ({ middle }) => `<insert>${middle.slice(0, Math.ceil(middle.length * 0.3))}`,
  'that are empty': () => '',
  'that are empty tags': () => '<insert></insert>',
  'that only explain': () => 'There is nothing that belongs at the cursor, as the code is complete.',
  'that apologize': () => "I'm sorry, but I can't see enough of the file to write this.",
};

/** Returns what is in the document after the suggestion was accepted. */
function accepted(hole: Hole, answer: string, pieceLength: number): { text: string; document: string } {
  const { name: path, languageId, before, after } = hole;
  const reader = new SuggestionReader({ path, languageId, before, after, indentUnit: unitOf(hole) });
  for (let at = 0; at < answer.length; at += pieceLength) {
    if (reader.push(answer.slice(at, at + pieceLength))) break;
  }
  const { text = '', replaced = 0 } = reader.end() ?? {};
  return { text, document: before + text + after.slice(replaced) };
}

/** Returns what is wrong with the text; undefined if it can be parsed, or has no parser here. */
function problemOf({ name, languageId }: Hole, text: string): string | undefined {
  if (languageId === 'toml') return undefined;
  if (languageId === 'python') return /:\n(?!\s)/.test(text) ? 'An empty block.' : undefined;
  try {
    if (languageId === 'json') JSON.parse(text);
    else if (languageId === 'yaml') parseYaml(text);
    else return syntaxError(name, text);
  } catch (error) {
    return String(error);
  }
  return undefined;
}

function syntaxError(fileName: string, text: string): string | undefined {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext, allowJs: true },
  });
  const [first] = diagnostics;
  return first && ts.flattenDiagnosticMessageText(first.messageText, ' ');
}

/** The file with nothing at the cursor can be wrong, such as `if () {`. */
function staysAsItWas(hole: Hole, document: string): boolean {
  return document === hole.before + hole.after;
}

describe('a suggestion in each of twenty files', () => {
  it('are twenty', () => assert.equal(holes.length, 20));

  for (const [manner, answer] of Object.entries(MANNERS)) {
    for (const pieceLength of [1, 7, 10_000]) {
      it(`is the missing text when a model answers ${manner}, in pieces of ${pieceLength}`, () => {
        for (const hole of holes) {
          const { document } = accepted(hole, answer(hole), pieceLength);
          assert.equal(document, hole.before + hole.middle + hole.after, hole.name);
        }
      });
    }
  }

  for (const [manner, answer] of Object.entries(PARTS)) {
    it(`leaves text that can be parsed for answers ${manner}`, () => {
      for (const hole of holes) {
        const { document } = accepted(hole, answer(hole), 3);
        if (staysAsItWas(hole, document)) continue;
        assert.equal(problemOf(hole, document), undefined, `${hole.name}:\n${document}`);
      }
    });
  }

  it('is never shown for an answer without code', () => {
    for (const hole of holes.filter(({ languageId }) => languageId !== 'markdown')) {
      for (const manner of ['that are empty', 'that are empty tags', 'that only explain', 'that apologize']) {
        assert.equal(accepted(hole, PARTS[manner]?.(hole) ?? '', 4).text, '', `${hole.name}, ${manner}`);
      }
    }
  });
});
