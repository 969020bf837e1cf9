/** The chat panel in a plain browser, through its gallery: no editor, but a real engine, real keys, and real layout. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { longConversation } from '../../bench/panel/conversation.ts';
import { answer, user } from '../gallery/chat/samples.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { GalleryPage } from '../support/panels/galleryPage.ts';

/** The kinds of diagrams that are rendered, each with texts that it must show. */
const DIAGRAMS: Readonly<Record<string, { readonly source: string; readonly words: readonly string[] }>> = {
  flowchart: { source: 'flowchart LR\n  Tab --> Server', words: ['Tab', 'Server'] },
  'sequence diagram': { source: 'sequenceDiagram\n  Tab->>Server: refresh', words: ['Tab', 'refresh'] },
  'class diagram': { source: 'classDiagram\n  class Parcel {\n    +weight\n  }', words: ['Parcel', '+weight'] },
  'state diagram': { source: 'stateDiagram-v2\n  [*] --> Open\n  Open --> Closed', words: ['Open', 'Closed'] },
  'entity diagram': { source: 'erDiagram\n  USER ||--o{ ORDER : places', words: ['USER', 'places'] },
  'gantt chart': { source: 'gantt\n  title Plan\n  section One\n  Build :a, 2026-01-01, 3d', words: ['Plan', 'Build'] },
  timeline: { source: 'timeline\n  title Releases\n  2025 : First\n  2026 : Second', words: ['Releases', 'Second'] },
  'chart with axes': { source: 'xychart-beta\n  title "Sales"\n  x-axis [a, b]\n  bar [1, 2]', words: ['Sales'] },
  'pie chart': { source: 'pie title Time\n  "Reading" : 30\n  "Writing" : 70', words: ['Time', 'Writing', '70%'] },
  'user journey': { source: 'journey\n  title Day\n  section Work\n    Write: 4: Me', words: ['Day', 'Write'] },
  'quadrant chart': { source: 'quadrantChart\n  title Reach\n  A: [0.3, 0.6]', words: ['Reach', 'A'] },
  'commit graph': {
    source: 'gitGraph\n  commit id: "one"\n  branch next\n  commit id: "two"\n  checkout main\n  merge next',
    words: ['one', 'two', 'next'],
  },
  'mind map': {
    source: 'mindmap\n  root((Plan))\n    Build\n    Test\n      Units',
    words: ['Plan', 'Build', 'Units'],
  },
};

describe('the chat panel in a plain browser', () => {
  let gallery: GalleryPage;
  let page: Page;

  beforeEach(async () => {
    // Without the page's content security policy, so that the panel itself must prevent scripts from running.
    gallery = await GalleryPage.open({ bypassCSP: true });
    ({ page } = gallery);
  });
  afterEach(() => gallery.close());

  const composer = () => page.getByRole('textbox', { name: 'Message' });
  const focusedName = () =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.className');
  const focusOn = (name: string) => eventually(`the focus on “${name}”`, async () => (await focusedName()) === name);

  describe('with the keyboard', () => {
    it('focuses the composer first, then the tools, Send, and the meter', async () => {
      await gallery.show('conversation');
      await focusOn('Message');
      const names: string[] = [];
      for (let step = 0; step < 6; step += 1) {
        await page.keyboard.press('Tab');
        names.push(await focusedName());
      }
      assert.deepEqual(names.slice(0, 5), ['Attach', 'Mode: Ask', 'Model: familya-sonnet-4.6', 'Parameters', 'Send']);
      assert.match(names[5] ?? '', /meter-text/);
    });

    it('sends with Enter, adds a line with Shift+Enter, and stops with Escape', async () => {
      await gallery.show('stream');
      await composer().fill('one');
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.type('two');
      await page.keyboard.press('Enter');
      assert.deepEqual(await gallery.awaitPosted('send'), { type: 'send', text: 'one\ntwo' });
      assert.equal(await composer().inputValue(), '');
      await page.keyboard.press('Escape');
      await page.getByText('Stopped', { exact: true }).waitFor();
    });

    it('moves from the composer to the answers side by side, one of which is kept', async () => {
      await gallery.show('comparison');
      await composer().fill('And then?');
      await page.keyboard.press('Enter');
      const first = page
        .locator('.columns')
        .getByRole('button', { name: /^Keep / })
        .first();
      await first.and(page.locator(':focus')).waitFor();
      assert.equal(await gallery.lastPosted('send'), undefined);
      await page.keyboard.press('Escape');
      await focusOn('Message');
      assert.equal(await composer().inputValue(), 'And then?');
      await page.keyboard.press('Enter');
      await first.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await eventually('the choice', async () => (await gallery.lastPosted('keep')) !== undefined);
      await focusOn('Message');
    });

    it('does not send on Enter during IME composition', async () => {
      await gallery.show('stream');
      await composer().dispatchEvent('keydown', { key: 'Enter', isComposing: true });
      assert.equal(await gallery.lastPosted('send'), undefined);
    });

    it('selects the last chip with Backspace at the start and removes it with a second Backspace', async () => {
      await gallery.show('conversation');
      await page.keyboard.press('Home');
      await page.keyboard.press('Backspace');
      await page.locator('.chip.selected', { hasText: 'auth.test.ts' }).waitFor();
      await page.keyboard.press('Backspace');
      assert.deepEqual(await gallery.awaitPosted('detach'), { type: 'detach', attachmentId: 'a2' });
      await page.locator('.composer .chip').nth(1).waitFor({ state: 'detached' });
      assert.equal(await composer().inputValue(), 'Then write a test that fails without the fix');
    });

    it('selects a model by filtering and returns the focus', async () => {
      await gallery.show('conversation');
      await page.getByRole('button', { name: /^Model:/ }).press('Enter');
      const filter = page.getByRole('combobox', { name: 'Choose a model' });
      await filter.pressSequentially('familyc');
      await page.getByRole('option').nth(2).waitFor({ state: 'detached' });
      await filter.press('ArrowDown');
      await filter.press('Enter');
      assert.deepEqual(await gallery.awaitPosted('chooseModel'), { type: 'chooseModel', model: 'familyc-5.4' });
      await page.getByRole('button', { name: 'Model: familyc-5.4' }).waitFor();
      await focusOn('Message');
    });

    it('exposes the active model to assistive technology and closes the list with Escape', async () => {
      await gallery.show('models');
      const filter = page.getByRole('combobox', { name: 'Choose a model' });
      await filter.press('ArrowDown');
      const id = await filter.getAttribute('aria-activedescendant');
      assert.match((await page.locator(`[id="${id}"]`).textContent()) ?? '', /familyb-3-flash-preview/);
      await filter.press('Escape');
      await filter.waitFor({ state: 'detached' });
      await focusOn('Message');
    });

    it('has loaded the popovers that the keyboard operates before they are opened', async () => {
      await gallery.show('conversation');
      const loaded = () =>
        page.evaluate<string>(`performance.getEntriesByType('resource').map(({ name }) => name).join()`);
      const isComplete = async () => {
        const names = await loaded();
        return ['modePicker', 'formatPicker', 'parametersBox'].every((name) => names.includes(name));
      };
      await eventually('the popovers', isComplete);
      await page.getByRole('button', { name: /^Mode:/ }).press('Enter');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.deepEqual(await gallery.awaitPosted('setMode'), { type: 'setMode', mode: 'agent' });
    });

    it('selects a format', async () => {
      await gallery.show('conversation');
      await page.getByRole('button', { name: 'Parameters' }).press('Enter');
      await page.getByRole('button', { name: 'Format: messages' }).press('Enter');
      await page.getByRole('listbox', { name: 'Request format' }).press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.deepEqual(await gallery.awaitPosted('chooseFormat'), { type: 'chooseFormat', format: 'responses' });
    });

    it('moves between turns with Up and Down', async () => {
      await gallery.show('conversation');
      await page.getByRole('article').last().focus();
      await page.keyboard.press('ArrowUp');
      await focusOn('You');
      await page.keyboard.press('End');
      await focusOn('familya-sonnet-4.6');
    });

    it('opens the breakdown from the meter and closes it with Escape', async () => {
      await gallery.show('conversation');
      const meter = page.getByTitle('Request breakdown');
      await meter.press('Enter');
      await page.getByRole('heading', { name: 'This request' }).waitFor();
      await meter.press('Escape');
      await page.getByRole('heading', { name: 'This request' }).waitFor({ state: 'detached' });
    });
  });

  describe('while an answer streams', () => {
    const metrics = (thread: Locator) =>
      thread.evaluate((element) => {
        const { scrollTop, clientHeight, scrollHeight } = element as unknown as Readonly<Record<string, number>>;
        return { top: scrollTop ?? 0, distance: (scrollHeight ?? 0) - (clientHeight ?? 0) - (scrollTop ?? 0) };
      });

    async function startStream(): Promise<Locator> {
      await gallery.show('stream');
      await page.setViewportSize({ width: 340, height: 420 });
      await composer().press('Enter');
      return page.getByRole('log');
    }

    it('stays scrolled to the end and announces the start and end of the answer', async () => {
      const thread = await startStream();
      await page.getByRole('status').getByText('Answering.').waitFor();
      await page
        .getByRole('status')
        .getByText(/^Answer complete\. \d+ tokens, .*cent/)
        .waitFor();
      // The end of the answer is drawn in a frame of its own.
      await eventually('the end of the thread', async () => (await metrics(thread)).distance < 2);
    });

    it('keeps the position of a reader who scrolls up and offers to jump to the latest text', async () => {
      const thread = await startStream();
      await page.getByRole('heading', { name: 'Steps' }).waitFor();
      await thread.hover();
      await page.mouse.wheel(0, -120);
      const jump = page.getByRole('button', { name: 'Jump to latest' });
      await jump.waitFor();
      const { top } = await metrics(thread);
      await page.getByText('nothing to undo').waitFor();
      assert.ok(Math.abs((await metrics(thread)).top - top) < 2);
      await jump.click();
      await jump.waitFor({ state: 'detached' });
      assert.ok((await metrics(thread)).distance < 2);
    });

    it('stays at the end when what is shown changes its height after a click, which is not a scroll', async () => {
      await gallery.show('conversation');
      await page.setViewportSize({ width: 340, height: 420 });
      const thread = page.getByRole('log');
      // A scroll is told at the next frame.
      const told = () =>
        page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      await eventually('the end of the thread', async () => (await metrics(thread)).distance < 2);
      await told();
      await thread.getByText('702 out').click();
      // A part disappears, which moves the thread, and a longer one takes its place before the thread is told so.
      await page.evaluate(`(() => {
        const thread = document.querySelector('.thread');
        const last = document.querySelector('.turns > :last-child');
        last.style.display = 'none';
        thread.dataset.moved = String(thread.scrollTop);
        const longer = document.createElement('div');
        longer.style.height = '900px';
        last.before(longer);
      })()`);
      await eventually('the end of the thread', async () => (await metrics(thread)).distance < 2);
      await told();
      assert.ok((await metrics(thread)).distance < 2);
      assert.equal(await page.getByRole('button', { name: 'Jump to latest' }).count(), 0);
      gallery.unload();
    });

    it('does not rerender finished blocks', async () => {
      await startStream();
      await page.locator('.markdown table').waitFor();
      await page.evaluate('document.querySelector(".markdown h2").dataset.kept = "yes"');
      await page.locator('.answer.complete').waitFor();
      assert.equal(await page.locator('.markdown h2').first().getAttribute('data-kept'), 'yes');
    });

    it('counts down to a retry, which can be sent immediately or canceled', async () => {
      await gallery.show('retrying', { clock: 'live' });
      await page.getByText('Retrying in 6 s').waitFor();
      await page.getByRole('button', { name: 'Try now' }).click();
      assert.deepEqual(await gallery.awaitPosted('retryNow'), { type: 'retryNow', turnId: 'b1' });
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.deepEqual(await gallery.awaitPosted('stop'), { type: 'stop' });
    });
  });

  describe('with a chat of 100,000 tokens', () => {
    const openLong = async () => {
      await gallery.show('empty', { clock: 'live' });
      const long = longConversation(100_000);
      await gallery.tell({ type: 'state', state: long });
      return long.turns.length / 2;
    };

    it('renders the end first, and eventually everything', async () => {
      const answers = await openLong();
      const count = page.locator('.answer-body .markdown');
      assert.ok((await count.count()) < answers);
      await page.getByRole('heading', { name: `Part ${answers - 1}.2` }).waitFor();
      await eventually('all answers', async () => (await count.count()) >= answers);
    });

    it('renders the part that the reader jumps to and keeps the focus there', async () => {
      await openLong();
      await page.getByRole('article').last().focus();
      await page.keyboard.press('Home');
      await page.getByRole('heading', { name: 'Part 0.0' }).waitFor();
      await focusOn('You');
    });
  });

  describe('with different answer content', () => {
    async function showAnswer(text: string): Promise<Locator> {
      await gallery.show('empty');
      await gallery.tell({ type: 'turnAdded', turn: user('u', 'Show me') });
      await gallery.tell({ type: 'turnAdded', turn: answer('b', text) });
      const shown = page.locator('.answer .markdown');
      await shown.waitFor();
      return shown;
    }

    for (const [kind, { source, words }] of Object.entries(DIAGRAMS)) {
      it(`renders a ${kind} as an image with its text`, async () => {
        await showAnswer(`\`\`\`mermaid\n${source}\n\`\`\``);
        const picture = page.getByRole('img', { name: /^Diagram with: / });
        await picture.waitFor();
        for (const word of words) assert.ok((await picture.getAttribute('alt'))?.includes(word), word);
      });
    }

    it('shows the source of an unsupported diagram and reports that it is not rendered', async () => {
      const shown = await showAnswer('```mermaid\narchitecture-beta\n  group api(cloud)[API]\n```');
      await shown.getByText('Could not draw the diagram: Diagrams of this kind are not drawn here.').waitFor();
      await shown.getByText('group api(cloud)[API]').waitFor();
    });

    const LONG = {
      'long diagram': `sequenceDiagram\n${Array.from({ length: 300 }, (_, step) => `  A${step}->>B${step}: x`).join('\n')}`,
      'Gantt chart that excludes too many days': `gantt\n  excludes monday\n  section One\n${Array.from({ length: 150 }, (_, task) => `  T${task} :a${task}, 2020-01-01, 9999d`).join('\n')}`,
    };
    for (const [what, source] of Object.entries(LONG)) {
      it(`shows the source of a ${what} instead of blocking the panel`, async () => {
        const shown = await showAnswer(`\`\`\`mermaid\n${source}\n\`\`\``);
        await shown.getByRole('button', { name: 'Draw Diagram' }).click();
        await shown
          .getByText(/^Could not draw the diagram: It (?:is too long to draw|has too many excluded days)\.$/)
          .waitFor();
      });
    }

    it('renders a large diagram on request', async () => {
      const steps = Array.from({ length: 60 }, (_, step) => `  S${step} --> S${step + 1}`);
      await showAnswer(`\`\`\`mermaid\nflowchart TD\n${steps.join('\n')}\n\`\`\``);
      const button = page.getByRole('button', { name: 'Draw Diagram' });
      await button.waitFor();
      const picture = page.getByRole('img', { name: /^Diagram with: / });
      assert.equal(await picture.count(), 0);
      await button.click();
      await picture.waitFor();
    });

    it('shows the first lines of a large diagram, and all on request', async () => {
      const steps = Array.from({ length: 60 }, (_, step) => `  S${step} --> S${step + 1}`);
      const shown = await showAnswer(`\`\`\`mermaid\nflowchart TD\n${steps.join('\n')}\n\`\`\``);
      const lines = async () => (await shown.locator('pre').textContent())?.split('\n').length;
      assert.equal(await lines(), 40);
      await shown.getByRole('button', { name: 'Show all 61 lines' }).click();
      assert.equal(await lines(), 61);
    });

    it('reads the colors of the theme once for all diagrams', async () => {
      gallery.unload();
      await gallery.show('empty');
      await page.evaluate(() => {
        const original = window.getComputedStyle;
        const counted = Object.assign(window, { reads: 0 });
        window.getComputedStyle = (element, pseudo) => {
          if (element.localName === 'span') counted.reads += 1;
          return original(element, pseudo);
        };
      });
      const reads = () => page.evaluate(() => (window as unknown as { reads: number }).reads);
      const show = async (id: string, count: number) => {
        const text = '```mermaid\nflowchart TD\n  A --> B\n```\n\n'.repeat(count);
        await gallery.tell({ type: 'turnAdded', turn: answer(id, text) });
      };
      const pictures = page.getByRole('img', { name: /^Diagram with: / });
      await show('one', 1);
      await pictures.waitFor();
      const first = await reads();
      assert.ok(first > 0);
      await show('more', 5);
      await pictures.nth(5).waitFor();
      assert.equal(await reads(), first);
    });

    it('shows thousands of tags as text', async () => {
      const block = await showAnswer('<div>'.repeat(1200));
      assert.ok((await block.textContent())?.includes('<div><div>'));
      const line = await showAnswer(`a ${'<b>x</b>'.repeat(600)}`);
      assert.ok((await line.textContent())?.includes('<b>x</b><b>x</b>'));
      assert.equal(await line.locator('b').count(), 0);
    });

    it('shows the end of long code while it grows', async () => {
      await gallery.show('empty');
      const code = Array.from({ length: 30_000 }, (_, line) => `line ${line}`).join('\n');
      const turn = answer('b', `\`\`\`text\n${code}`, { status: 'streaming' });
      await gallery.tell({ type: 'turnAdded', turn });
      const shown = (await page.locator('.answer pre').textContent()) ?? '';
      assert.ok(
        shown.startsWith('…\nline ') && shown.endsWith('line 29999'),
        `${shown.slice(0, 20)} ${shown.slice(-20)}`,
      );
      assert.ok(shown.length <= 100_002, `${shown.length} characters`);
    });

    it('renders a diagram without its embedded HTML, styles, and fonts', async () => {
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const config = {
        securityLevel: 'loose',
        htmlLabels: true,
        flowchart: { htmlLabels: true },
        themeCSS: '.node rect { fill: url(https://example.com/theme.svg) } .marked-by-theme {}',
        fontFamily: 'marked-by-font',
        secure: [],
      };
      await showAnswer(
        [
          '```mermaid',
          `%%{init: ${JSON.stringify(config)}}%%`,
          'flowchart TD',
          '  A["<img src=https://example.com/label.png> first"] --> B[second]',
          '  click A "https://example.com/click"',
          '  click B href "javascript:alert(1)"',
          '```',
        ].join('\n'),
      );
      const picture = page.getByRole('img', { name: /^Diagram with: / });
      await picture.waitFor();
      const svg = decodeURIComponent((await picture.getAttribute('src')) ?? '');
      assert.match(svg, /<svg/);
      assert.doesNotMatch(
        svg,
        /foreignObject|marked-by-theme|marked-by-font|<img|example\.com\/(?:theme|click)|javascript/,
      );
      assert.deepEqual(
        requests.filter((url) => url.includes('example.com')),
        [],
      );
    });

    it('runs no scripts and loads no resources, whatever the markup', async () => {
      const requests: string[] = [];
      const shown = await showAnswer(
        [
          '<script>posted.length = 0</script>',
          '<img src="https://example.com/a.png" onerror="posted.length = 0">',
          '<details open ontoggle="posted.length = 0"><summary>x</summary><iframe src="https://example.com"></iframe></details>',
          '[a](javascript:alert(1)) <a href="javascript:alert(1)">b</a> <b style="position:fixed" id="root">c</b>',
          '![picture](https://example.com/b.png) <kbd><img src=x onerror=alert(1)></kbd>',
          '```html\n</code></pre><img src=x onerror=alert(1)>\n```',
        ].join('\n\n'),
      );
      page.on('request', (request) => requests.push(request.url()));
      assert.equal(
        await shown
          .locator('.section')
          .locator(':is(script, img, iframe, [style], [id], [onerror], [ontoggle]):not(.code-head *)')
          .count(),
        0,
      );
      assert.equal(await shown.locator('a[href^="javascript"]').count(), 0);
      assert.equal(await shown.getByRole('link', { name: 'picture' }).count(), 1);
      assert.notEqual((await gallery.posted()).length, 0);
      // The panel loads its own code for highlighting, at a time that depends on the machine.
      assert.deepEqual(
        requests.filter((url) => !/\/chunks\/chunk-\w+\.js$/.test(url)),
        [],
      );
    });

    it('shows angle brackets in prose as text and renders known tags', async () => {
      const shown = await showAnswer('A Promise<Token> &amp; `&lt;` and <kbd>Ctrl</kbd>, a &copy;');
      assert.equal(await shown.textContent(), 'A Promise<Token> & &lt; and Ctrl, a ©');
      assert.equal(await shown.locator('kbd').textContent(), 'Ctrl');
    });

    it('passes links to the extension host', async () => {
      const shown = await showAnswer('See [the guide](https://example.com/guide).');
      const address = page.url();
      await shown.getByRole('link', { name: 'the guide' }).click();
      assert.deepEqual(await gallery.awaitPosted('openLink'), { type: 'openLink', href: 'https://example.com/guide' });
      assert.equal(page.url(), address);
    });

    it('passes code unchanged to the clipboard and the editor', async () => {
      const code = 'if (a < b) {\n\treturn "&amp;";\n}';
      const shown = await showAnswer(`\`\`\`ts\n${code}\n\`\`\``);
      await shown.getByRole('button', { name: 'Copy code' }).click();
      await page.getByRole('status').getByText('Copied.').waitFor();
      await shown.getByRole('button', { name: 'Insert', exact: true }).click();
      assert.deepEqual(await gallery.awaitPosted('copy'), { type: 'copy', text: code });
      assert.deepEqual(await gallery.awaitPosted('insertAtCursor'), { type: 'insertAtCursor', text: code });
      assert.equal(await shown.locator('code').textContent(), code);
    });
  });

  describe('with suggested actions', () => {
    it('shows the setup actions and posts them', async () => {
      await gallery.show('first-run');
      for (const name of ['Set Service Key', 'Get a key', 'What is sent, and where']) {
        await page.getByRole('button', { name }).click();
      }
      await page.getByRole('button', { name: /^Try the Sandbox/ }).click();
      const posted = async () => (await gallery.posted()).map(({ type }) => type).filter((type) => type !== 'starter');
      await eventuallyEqual<unknown>(posted, ['ready', 'enterKey', 'getKey', 'openPrivacy', 'trySandbox']);
      await composer().waitFor();
    });

    it('shows a failure as an alert with its actions, including the picker for a cheaper model', async () => {
      await gallery.show('failed-credit');
      await page.getByRole('alert').getByText('Nothing was charged.').waitFor();
      await page.getByRole('button', { name: 'Add credit' }).click();
      assert.deepEqual(await gallery.awaitPosted('step'), { type: 'step', step: 'addCredit', turnId: 'b1' });
      await page.getByRole('button', { name: 'Use a cheaper model' }).click();
      await page.getByRole('combobox', { name: 'Choose a model' }).waitFor();
    });

    it('continues a stopped answer', async () => {
      await gallery.show('stopped');
      await page.getByRole('button', { name: 'Continue' }).click();
      assert.deepEqual(await gallery.awaitPosted('step'), { type: 'step', step: 'continue', turnId: 'b1' });
    });

    it('blocks sending a request that does not fit and offers to trim its largest part', async () => {
      await gallery.show('over-window');
      const reason = page.getByRole('region', { name: 'Your message' }).getByRole('alert');
      assert.equal(await reason.count(), 0);
      await composer().press('Enter');
      assert.equal(await gallery.lastPosted('send'), undefined);
      assert.equal(await reason.textContent(), 'Not sent: the message does not fit the context window.');
      await composer().pressSequentially(' Or the second?');
      await reason.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Trim server.log' }).click();
      assert.deepEqual(await gallery.awaitPosted('trim'), { type: 'trim', attachmentId: 'a4' });
    });
  });
});
