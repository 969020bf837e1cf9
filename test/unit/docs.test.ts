import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

const ROOT = new URL('../../', import.meta.url);
const MAX_WORDS_OF_GUIDE = 1_200;
const MAX_WORDS = 30_000;
/** Pages to look things up in, mostly tables. All others are guides: what a person does, with pictures. */
const REFERENCES = new Set(
  ['clients', 'formats', 'gateway-reference', 'keyboard', 'ledger', 'performance', 'routing', 'sandbox', 'settings']
    .concat(['telemetry', 'tokens', 'upstreams'])
    .map((name) => `docs/${name}.md`),
);
/** Pages outside of `docs` that link to it. */
const OTHERS = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'RELEASING.md',
  'media/privacy.md',
];

/** Texts by path. */
async function read(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(new URL(path, ROOT), 'utf8')] as const)),
  );
}

/** Counts as `wc -w` does. */
function wordsOf(page: string): number {
  return page.trim().split(/\s+/).length;
}

/** The anchors of headings, as GitHub derives them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...page.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the documentation', () => {
  let pages: ReadonlyMap<string, string>;
  let others: ReadonlyMap<string, string>;

  before(async () => {
    const names = (await readdir(new URL('docs/', ROOT))).filter((name) => name.endsWith('.md'));
    pages = await read(names.map((name) => `docs/${name}`));
    others = await read(OTHERS);
  });

  it('has guides that are read in a few minutes', () => {
    const guides = [...pages].filter(([path]) => !REFERENCES.has(path));
    const long = guides.filter(([, page]) => wordsOf(page) > MAX_WORDS_OF_GUIDE);
    const problems = long.map(
      ([path, page]) => `${path} has ${wordsOf(page)} words. Move details to a reference page.`,
    );
    assert.deepEqual(problems, []);
  });

  it('is not too long as a whole', () => {
    const words = [...pages.values()].reduce((sum, page) => sum + wordsOf(page), 0);
    assert.ok(words <= MAX_WORDS, `docs has ${words} words, at most ${MAX_WORDS}. Shorten a page or use a table.`);
  });

  it('begins each page with what it is for, in two sentences', () => {
    const problems = [...pages].flatMap(([path, page]) => {
      const [title = '', purpose = ''] = page.split('\n\n');
      const sentences = purpose.match(/[.!?](?=\s|$)/g)?.length;
      return title.startsWith('# ') && sentences === 2 ? [] : [`${path} begins with: ${title} ${purpose}`];
    });
    assert.deepEqual(problems, []);
  });

  it('has only links to existing files and headings', () => {
    const problems = [...pages, ...others].flatMap(([path, page]) =>
      [...page.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        const { protocol, pathname, hash } = new URL(target, new URL(path, 'file:///'));
        if (protocol !== 'file:') return [];
        const file = pathname.slice(1);
        if (!existsSync(new URL(file, ROOT))) return [`${path} links to ${file}, which does not exist.`];
        if (hash === '' || anchorsOf(pages.get(file) ?? others.get(file) ?? '').has(hash.slice(1))) return [];
        return [`${path} links to ${target}, which is no heading.`];
      }),
    );
    assert.deepEqual(problems, []);
  });

  it('exists where code and other pages name it', async () => {
    const sources = (await readdir(new URL('src/', ROOT), { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    // The gallery's samples name files of an imagined project.
    const texts = await read(sources.filter((name) => !name.includes('gallery')).map((name) => `src/${name}`));
    const problems = [...texts, ...others].flatMap(([path, text]) =>
      [...text.matchAll(/(?<![\w/.])docs\/[a-z-]+\.md/g)]
        .filter(([page]) => !pages.has(page))
        .map(([page]) => `${path} names ${page}, which does not exist.`),
    );
    assert.deepEqual(problems, []);
  });
});
