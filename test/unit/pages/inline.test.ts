import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { inlineScript, inlineStyles } from '../../../src/editor/webviews/panelPage.ts';

/** What a page's parser looks for in a script. */
const MARKS = ['</script', '</SCRIPT>', '<!--'];

const addressOf = (path: string) => `https://resources/${path}`;
const inlined = (code: string) => inlineScript(code, addressOf);

describe('a script inlined into a page', () => {
  it('loads the chunks that it imports from the webview addresses', () => {
    const code = 'import"./chunks/z.js";const a=()=>import("./chunks/x-Y1.js"),b=()=>import("node:fs")';
    assert.equal(inlined(code), code.replaceAll('./chunks', 'https://resources/chunks'));
  });

  it('contains no sequence that is special to the HTML parser', () => {
    const text = inlined(MARKS.map((mark) => JSON.stringify(mark)).join(' + '));
    for (const mark of ['</script', '<!--']) assert.ok(!text.toLowerCase().includes(mark), text);
  });

  it('keeps the values of strings, templates and regular expressions', () => {
    const part = fc.constantFrom(...MARKS, '<', '/', 's', 'script', '!', '--', '>', ' ');
    const texts = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(runInNewContext(inlined(JSON.stringify(text))), text);
        assert.equal(runInNewContext(inlined(`\`${text}\``)), text);
        assert.equal(
          runInNewContext(inlined(`/^${text.replaceAll('/', '\\/')}$/.test(${JSON.stringify(text)})`)),
          true,
        );
      }),
    );
  });

  it('keeps comparisons and regular expressions for other tags unchanged', () => {
    const code = 'i<y;j<scripts;/</.test(z);/<\\/p>/';
    assert.equal(inlined(code), code);
  });
});

describe('styles inlined into a page', () => {
  it('refer to neighboring files by their webview addresses', () => {
    const css =
      '@font-face{src:url(./codicon.ttf) format("truetype")}a{b:url("./fonts/x-y.woff2");c:url(data:image/png;base64,AA)}';
    assert.equal(
      inlineStyles(css, (name) => `https://resources/${name}`),
      '@font-face{src:url("https://resources/codicon.ttf") format("truetype")}' +
        'a{b:url("https://resources/fonts/x-y.woff2");c:url(data:image/png;base64,AA)}',
    );
  });

  it('cannot be closed early', () => {
    assert.ok(!inlineStyles('a::before{content:"</style>"}', (name) => name).includes('</style'));
  });
});
