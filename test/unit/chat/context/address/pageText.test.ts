import assert from 'node:assert/strict';
import { pageText, pageTitle } from '../../../../../src/chat/context/address/pageText.ts';

describe('the text of a web page', () => {
  it('is that of its main part, without scripts, styles and navigation', () => {
    const html = `<html><head><title>T</title><style>p{}</style></head><body><nav>Home</nav>
      <main><h1>Delivery rates</h1><p>Up to 2&nbsp;kg: <a href="https://example.com/x">3.50</a>, caf&eacute;.</p>
      <script>track()</script><noscript>Turn scripts on</noscript></main><footer>Imprint</footer></body></html>`;
    assert.equal(pageText(html), 'Delivery rates\n\nUp to 2\u00a0kg: 3.50, café.');
  });

  it('keeps the lines of code, and the cells of a table row on one line', () => {
    const html =
      '<pre>if (a) {\n  b();\n}</pre><table><tr><th>Zone</th><th>Price</th></tr><tr><td>1</td><td>3.50</td></tr></table>';
    assert.match(pageText(html), /if \(a\) \{\n {2}b\(\);\n\}/);
    assert.match(pageText(html), /ZONE +PRICE|Zone +Price/);
  });

  it('is that of the whole body if there is no main part', () => {
    assert.equal(pageText('<p>One<p>Two'), 'One\n\nTwo');
  });

  it('comes with the title of the page, if there is one', () => {
    assert.equal(pageTitle('<head><title lang="en">\n Rates &amp;  zones\n</title></head>'), 'Rates & zones');
    assert.equal(pageTitle('<p>no title</p>'), '');
  });

  it('is empty for a page that is built by scripts', () => {
    assert.equal(pageText('<div id="root"></div><script>render()</script>'), '');
  });
});
