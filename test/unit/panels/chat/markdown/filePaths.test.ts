import assert from 'node:assert/strict';
import { codeInfo } from '../../../../../src/panels/chat/markdown/codeInfo.ts';
import { pathOf, pathsIn } from '../../../../../src/panels/chat/markdown/filePaths.ts';

describe('file paths in text', () => {
  const found = (text: string) => pathsIn(text).map(({ raw }) => raw);

  it('are found with their line numbers', () => {
    assert.deepEqual(pathsIn('See src/a.ts:12 and b.ts#L3-L9.'), [
      { path: 'src/a.ts', line: 12, start: 4, raw: 'src/a.ts:12' },
      { path: 'b.ts', line: 3, endLine: 9, start: 20, raw: 'b.ts#L3-L9' },
    ]);
    assert.deepEqual(pathsIn('at ./lib/x.test.tsx:7:3')[0], {
      path: './lib/x.test.tsx',
      line: 7,
      start: 3,
      raw: './lib/x.test.tsx:7:3',
    });
  });

  it('end before a period and within brackets', () => {
    assert.deepEqual(found('(in src/a.ts, or src/b.ts.)'), ['src/a.ts', 'src/b.ts']);
  });

  it('do not include URLs, versions and email addresses', () => {
    assert.deepEqual(found('https://example.com/a.ts, 1.20.3, me@example.com'), []);
  });

  it('are found next to letters of other scripts', () => {
    assert.deepEqual(found('请看 src/a.ts。'), ['src/a.ts']);
  });

  it('match the whole inline code or nothing', () => {
    assert.deepEqual(pathOf('app/(shop)/[id]/page.tsx:4'), { path: 'app/(shop)/[id]/page.tsx', line: 4 });
    assert.deepEqual(pathOf('Dockerfile'), { path: 'Dockerfile' });
    assert.deepEqual(pathOf('src/bin/run'), { path: 'src/bin/run' });
    assert.deepEqual(pathOf('src\\a.ts'), { path: 'src\\a.ts' });
    assert.equal(pathOf('a.b(c)'), undefined);
    assert.equal(pathOf('npm run build.ts'), undefined);
    assert.equal(pathOf('a'.repeat(300)), undefined);
  });

  it('ignore an invalid range that ends before its start', () => {
    assert.deepEqual(pathOf('a.ts:9-3'), { path: 'a.ts', line: 9 });
  });

  it('are read from the info string of a code block, including folders', () => {
    assert.equal(codeInfo('ts:src/session.ts').file, 'src/session.ts');
    assert.equal(codeInfo('ts title="src/session.ts"').file, 'src/session.ts');
    assert.equal(codeInfo('src/session.ts').label, 'session.ts');
    for (const path of ['src/My Folder/a.ts', 'V:\\My Code\\Python - Practice\\a.ts']) {
      for (const info of [`ts ${path}`, `ts:${path}`, `ts title="${path}"`]) {
        assert.deepEqual(codeInfo(info), { language: 'ts', label: 'a.ts', file: path }, info);
      }
    }
    assert.equal(codeInfo('ts a.ts (new file)').file, 'a.ts');
    assert.equal(codeInfo('ts').file, undefined);
  });

  it('are searched only in the first 1000 characters of an info string, which also limit the label', () => {
    assert.equal(codeInfo('a'.repeat(1_000_000)).label.length, 1000);
    assert.deepEqual(codeInfo(`ts ${'a '.repeat(500_000)}src/session.ts`), { language: 'ts', label: 'TypeScript' });
  });
});
