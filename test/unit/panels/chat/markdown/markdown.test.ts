import assert from 'node:assert/strict';
import { codeInfo } from '../../../../../src/panels/chat/markdown/codeInfo.ts';
import { GrowingHighlight } from '../../../../../src/panels/chat/markdown/growingHighlight.ts';
import { isMarkup } from '../../../../../src/panels/chat/markdown/htmlTags.ts';
import { safeHref } from '../../../../../src/panels/chat/markdown/links.ts';
import { highlight } from '../../../../../src/panels/shared/highlight.ts';

describe('the label of a code block', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['ts', 'ts', 'TypeScript'],
    ['ts session.ts', 'ts', 'session.ts'],
    ['ts title="session.ts"', 'ts', 'session.ts'],
    ['typescript {file=src/session.ts}', 'typescript', 'session.ts'],
    ['ts:src/auth/session.ts', 'ts', 'session.ts'],
    ['session.ts', 'ts', 'session.ts'],
    ['python', 'python', 'Python'],
    ['C++', 'c++', 'C++'],
    ['brainfuck', 'brainfuck', 'brainfuck'],
    ['', '', ''],
  ];
  for (const [info, language, label] of cases) {
    it(`is "${label}" with the language "${language}" for "${info}"`, () => {
      const read = codeInfo(info);
      assert.deepEqual({ language: read.language, label: read.label }, { language, label });
    });
  }
});

describe('syntax highlighting', () => {
  it('keeps the code unchanged, but escaped', () => {
    const html = highlight('if (a < b) "<script>"', 'ts') ?? '';
    const text = html.replace(/<\/?span[^>]*>/g, '');
    assert.equal(text, 'if (a &lt; b) &quot;&lt;script&gt;&quot;');
  });

  it('distinguishes control flow from other keywords', () => {
    const html = highlight('return function () {}', 'ts') ?? '';
    assert.match(html, /class="hljs-keyword control">return</);
    assert.match(html, /class="hljs-keyword">function</);
  });

  it('supports the usual language names', () => {
    for (const name of ['ts', 'tsx', 'js', 'py', 'sh', 'c', 'c++', 'cs', 'html', 'rs', 'yml', 'toml', 'golang']) {
      assert.notEqual(highlight('x', name), undefined, name);
    }
  });

  it('is omitted for unknown languages and very long code', () => {
    assert.equal(highlight('x', 'brainfuck'), undefined);
    assert.equal(highlight('x'.repeat(100_000), 'ts'), undefined);
  });
});

describe('syntax highlighting of streaming code', () => {
  /** A clock that advances by `cost` each time it is read. */
  function clockOf(cost: number) {
    let time = 0;
    return { now: () => (time += cost), wait: (ms: number) => (time += ms) };
  }

  it('waits ten times its cost before the next update, and shows the rest plain', () => {
    const clock = clockOf(5);
    const growing = new GrowingHighlight(highlight, clock.now);
    assert.equal(growing.next('let a', 'ts', true)?.tail, '');
    assert.equal(growing.next('let a = 1;', 'ts', true)?.tail, ' = 1;');
    clock.wait(100);
    assert.equal(growing.next('let a = 1; ', 'ts', true)?.tail, '');
  });

  it('is updated immediately when the code is complete or replaced', () => {
    const growing = new GrowingHighlight(highlight, clockOf(5).now);
    growing.next('let a', 'ts', true);
    assert.equal(growing.next('const b', 'ts', true)?.tail, '');
    assert.equal(growing.next('const b = 2;', 'ts', false)?.tail, '');
  });
});

describe('HTML in Markdown', () => {
  it('is rendered only for known tags and comments', () => {
    for (const html of ['<kbd>', '</kbd>', '<br/>', '<details open>', '<!-- note -->']) assert.ok(isMarkup(html), html);
    for (const html of ['<Token>', '<script>', '<img src=x>', '<T, U>', '<iframe>']) assert.ok(!isMarkup(html), html);
  });
});

describe('links', () => {
  it('may lead to websites, mail and files', () => {
    for (const href of ['https://example.com', 'HTTP://example.com', 'mailto:a@example.com', 'src/a.ts', '#part']) {
      assert.equal(safeHref(href), href);
    }
  });

  it('must not run scripts, open system files or run commands, however they are written', () => {
    const bad = ['javascript:alert(1)', ' JavaScript:alert(1)', 'java\nscript:x', 'data:text/html,x', 'file:///etc'];
    for (const href of [...bad, 'command:x', 'vscode://x', '//example.com', 'vbscript:x']) {
      assert.equal(safeHref(href), undefined, href);
    }
  });
});
