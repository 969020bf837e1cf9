import assert from 'node:assert/strict';
import { chatPage, type ExportOptions } from '../../../../../src/chat/history/htmlExport/chatPage.ts';
import { Redaction } from '../../../../../src/chat/history/htmlExport/redaction.ts';
import { answered, conversation, question } from '../../conversation/records.ts';

const FOLDERS = new Map([
  ['/home/user/work/parcel', 'parcel'],
  ['/home/user/work/parcel/web', 'web'],
]);
const KEY = `ghp_${'a1'.repeat(20)}`;

function pageOf(text: string, options: Partial<ExportOptions> = {}): string {
  const shown = conversation({ type: 'title', title: 'A <chat>' }, question('q', 'Why <b>?'), answered('a', text));
  return chatPage(shown, {
    redact: (unchanged) => unchanged,
    images: () => undefined,
    withAttachments: true,
    language: 'en',
    ...options,
  });
}

describe('a chat exported to HTML', () => {
  it('renders answers as Markdown, and questions and titles as plain text', () => {
    const page = pageOf('# Zones\n\n- **one**\n\n```ts\nconst a = 1 < 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |');
    for (const part of ['<h1>Zones</h1>', '<strong>one</strong>', 'const a = 1 &lt; 2;', '<td>1</td>']) {
      assert.ok(page.includes(part), part);
    }
    assert.ok(page.includes('<title>A &#60;chat&#62;</title>'));
    assert.ok(page.includes('Why &#60;b&#62;?'));
  });

  it('runs and loads nothing from an answer', () => {
    const page = pageOf(
      [
        '<script>alert(1)</script>',
        'a <img src=x onerror=alert(1)> b',
        '![pixel](https://tracker.example/p.png)',
        '[run](javascript:alert(1)) [data](data:text/html,x) [docs](https://docs.example/?a=1&b="2")',
        '<https://docs.example/x>',
      ].join('\n\n'),
    );
    assert.doesNotMatch(page, /<script|<img|href="(?:javascript|data):/i);
    assert.deepEqual(
      [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      ['https://docs.example/?a=1&#38;b=&#34;2&#34;', 'https://docs.example/x'],
    );
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
  });

  it('contains the attachments, or only their names', () => {
    const file = { id: 'f', kind: 'file', label: 'a.ts', path: 'src/a.ts', languageId: '', text: 'x < 1' } as const;
    const image = { ...file, id: 'i', path: 'shot.png', text: '', image: { file: 'x.png', mediaType: 'image/png' } };
    const asked = { type: 'question', id: 'q', at: 1, text: 'Why?', attachments: [file, image] } as const;
    const shown = conversation({ type: 'title', title: 'A chat' }, asked);
    const options = { redact: (text: string) => text, images: () => 'QUJD', language: 'en' };
    const whole = chatPage(shown, { ...options, withAttachments: true });
    assert.ok(whole.includes('<pre>x &#60; 1</pre>'));
    assert.ok(whole.includes('src="data:image/png;base64,QUJD"'));
    const names = chatPage(shown, { ...options, withAttachments: false });
    assert.ok(names.includes('src/a.ts') && names.includes('shot.png'));
    assert.doesNotMatch(names, /x &#60; 1|base64/);
  });

  it('says once at its top that the amounts are of the sandbox', () => {
    const page = (...sandbox: readonly boolean[]) => {
      const answers = sandbox.map((isSandbox, nth) =>
        answered(`a${nth}`, 'It works.', { cost: 0.0042 }).map((record) =>
          record.type === 'answer' ? { ...record, sandbox: isSandbox } : record,
        ),
      );
      const shown = conversation({ type: 'title', title: 'A chat' }, question('q', 'Why?'), ...answers);
      return chatPage(shown, {
        redact: (text) => text,
        images: () => undefined,
        withAttachments: true,
        language: 'en',
      });
    };
    assert.match(page(true), /<\/h1>\n<p class="note">Sandbox: sample money<\/p>/);
    assert.match(page(true), /<footer>[^<]* · \$0\.0042<\/footer>/);
    assert.doesNotMatch(page(false), /class="note"|[Ss]ample/);
    assert.match(page(false, true), /<p class="note">Answers marked “Sandbox” cost sample money\.<\/p>/);
    assert.equal(page(false, true).split(' · Sandbox</h2>').length, 2);
  });

  it('contains no key and no local path after redaction, wherever they occur', () => {
    const { redact, count } = new Redaction({ keys: true, paths: true }, FOLDERS);
    const page = pageOf(
      `Use ${KEY} in \`/home/user/work/parcel/web/a.ts\`, /home/user/work/parcel/b.ts, C:\\Users\\user\\x and /Users/user/y`,
      { redact },
    );
    assert.doesNotMatch(page, /ghp_|home\/user|Users/);
    for (const part of ['[redacted]', 'web/a.ts', 'parcel/b.ts', '~\\x', '~/y']) assert.ok(page.includes(part), part);
    assert.deepEqual(count, { keys: 1, paths: 4 });
  });

  it('keeps what the user wants to share', () => {
    const { redact } = new Redaction({ keys: false, paths: false }, FOLDERS);
    assert.equal(redact(`${KEY} /home/user/x`), `${KEY} /home/user/x`);
  });

  it('redacts a whole private key', () => {
    const { redact } = new Redaction({ keys: true, paths: false }, FOLDERS);
    const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----';
    assert.equal(redact(`before\n${pem}\nafter`), 'before\n[redacted]\nafter');
  });
});
