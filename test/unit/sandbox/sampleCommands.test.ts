import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../../src/chat/codeCommands/answerCode.ts';
import { testFileName } from '../../../src/chat/codeCommands/testFile.ts';
import { builtInPrompt, type CodePromptName } from '../../../src/chat/prompts/codePromptTexts.ts';
import { describeAttachment } from '../../../src/chat/request.ts';
import { answerSampleCommand } from '../../../src/sandbox/sampleCommands.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/workspace');
const FILES = ['src/quote.ts', 'src/parcel.ts', 'src/session.ts', 'test/quote.test.ts'] as const;

interface Asked {
  readonly path: string;
  readonly text?: string;
  readonly problems?: string;
}

const textOf = (path: string) => readFileSync(join(SAMPLE, path), 'utf8').trimEnd();
const attachment = { id: 'a', languageId: 'typescript' } as const;

function answerTo(name: CodePromptName, { path, text = textOf(path), problems }: Asked): string | undefined {
  const selection = { ...attachment, kind: 'selection', label: `${path}:1–9`, path, text } as const;
  const reported = { ...attachment, kind: 'problems', label: '', path, text: problems ?? '' } as const;
  const question = builtInPrompt(name).replaceAll(/\$\{selection\}|\{0\}/g, `\`${path}:1–9\``);
  const texts = [selection, ...(problems === undefined ? [] : [reported])].map((each) => describeAttachment(each));
  const parts = [...texts, question].map((each) => ({ type: 'text', text: each }) as const);
  return answerSampleCommand({ model: 'm', system: [], messages: [{ role: 'user', parts }] }, question);
}

const commit = (diff: string) => {
  const question = builtInPrompt('commit-message');
  const changes = { ...attachment, kind: 'diff', label: '', path: 'staged', languageId: 'diff', text: diff } as const;
  const parts = [describeAttachment(changes), question].map((text) => ({ type: 'text', text }) as const);
  return answerSampleCommand({ model: 'm', system: [], messages: [{ role: 'user', parts }] }, question);
};

describe('a command on code of the sample folder', () => {
  for (const path of FILES) {
    it(`documents ${path} with comments of its own and no other change, once`, () => {
      const code = codeOf(answerTo('document', { path }) ?? '') ?? '';
      const lines = (text: string) => text.split('\n').filter((line) => !/^\s*(?:\/\*\*|\*|\/\/)/.test(line));
      assert.deepEqual(lines(code), lines(textOf(path)));
      assert.ok(code.length > textOf(path).length);
      assert.doesNotMatch(code, /sandbox|sample/i);
      assert.equal(codeOf(answerTo('document', { path, text: code }) ?? ''), code);
    });
  }

  it('writes tests that pass, under the name that the command gives their file', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'sample-'));
    try {
      cpSync(SAMPLE, folder, { recursive: true });
      const written = FILES.map((path) => {
        const name = testFileName(path) ?? path;
        writeFileSync(join(folder, name), codeOf(answerTo('tests', { path }) ?? '') ?? '');
        return name;
      });
      const { status, stdout } = spawnSync(process.execPath, ['--test', ...written], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('fixes the names that the editor corrects, and says nothing about other problems', () => {
    const text = 'const price = MINPRICE[zone];\nconst unused = 1;\nreturn price;';
    const problems = [
      "src/quote.ts:1:15 error ts(2552): Cannot find name 'MINPRICE'. Did you mean 'MIN_PRICE'?",
      "src/quote.ts:2:7 hint ts(6133): 'unused' is declared but its value is never read.",
    ].join('\n');
    const code = codeOf(answerTo('fix', { path: 'src/quote.ts', text, problems }) ?? '');
    assert.equal(code, 'const price = MIN_PRICE[zone];\nreturn price;');
    assert.equal(answerTo('fix', { path: 'src/quote.ts', text, problems: '1:1 error: Unexpected token.' }), undefined);
  });

  it('explains each part of the selection', () => {
    const text = answerTo('explain', { path: 'src/session.ts' }) ?? '';
    for (const part of ['`Sessions`', '`add`', '`basket`', '`#touch`']) assert.ok(text.includes(part), part);
    assert.match(text, /Prepared answer/);
  });

  it('writes a message about the changes that can be tried there', () => {
    const diff = 'diff --git a/src/quote.ts b/src/quote.ts\n+export class ParcelError extends RangeError {}';
    assert.equal(commit(diff), 'Reject parcels that weigh nothing');
    const readme = 'diff --git a/README.md b/README.md\n+| `src/parcel.ts` | describes';
    assert.equal(
      commit(`${diff}\n${readme}`),
      'Reject parcels that weigh nothing\n\n- List the files and the tests in the README.',
    );
    assert.equal(
      commit('diff --git a/src/parcel.ts b/src/parcel.ts\n+/** A parcel. */'),
      'Document what the code does',
    );
    assert.equal(commit('diff --git a/main.go b/main.go\n+// x'), undefined);
  });

  it('is answered as elsewhere in other folders', () => {
    for (const name of ['document', 'tests', 'explain'] as const)
      assert.equal(answerTo(name, { path: 'lib/other.ts', text: 'export const one = 1;' }), undefined);
    assert.equal(answerTo('document', { path: 'src/session.ts', text: 'let login = true;' }), undefined);
  });
});
