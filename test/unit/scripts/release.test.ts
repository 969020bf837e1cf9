import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/lib/paths.ts';
import {
  notesOf,
  PLACEHOLDER,
  problemsOf,
  type ReleaseManifest,
  releaseOf,
} from '../../../scripts/lib/release/release.ts';

const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as ReleaseManifest;
const WORKFLOWS = join(ROOT, '.github', 'workflows');

const ADDRESS = 'https://github.com/someone/something';
const READY: ReleaseManifest = {
  version: '0.2.0',
  repository: { url: `${ADDRESS}.git` },
  bugs: { url: `${ADDRESS}/issues` },
  homepage: `${ADDRESS}#readme`,
  qna: `${ADDRESS}/discussions`,
};
const CHANGELOG = `# Changelog

## Unreleased

- Later.

## [0.2.0] - 2026-11-22

### Added

- Something.

## 0.1.0

- The first.
`;

describe('a release', () => {
  it('is a pre-release with the npm tag next if its minor version is odd', () => {
    assert.deepEqual(releaseOf('1.3.7'), { version: '1.3.7', tag: 'v1.3.7', isPreRelease: true, npmTag: 'next' });
    assert.deepEqual(releaseOf('1.4.0'), { version: '1.4.0', tag: 'v1.4.0', isPreRelease: false, npmTag: 'latest' });
  });

  it('has no version that the extension registries reject', () => {
    assert.throws(() => releaseOf('1.0.0-beta.1'), /is not a version such as/);
  });

  it('has the notes from its section in the changelog', () => {
    assert.equal(notesOf(CHANGELOG, '0.2.0'), '### Added\n\n- Something.');
    assert.equal(notesOf(CHANGELOG, '0.1.0'), '- The first.');
    assert.equal(notesOf(CHANGELOG, '0.2'), undefined);
  });

  it('is ready if tag, repository and changelog match the manifest', () => {
    const facts = { manifest: READY, changelog: CHANGELOG, tag: 'v0.2.0', repository: 'someone/something' };
    assert.deepEqual(problemsOf(facts), []);
  });

  for (const [what, change, problem] of [
    ['another tag', { tag: 'v0.3.0' }, /tag is v0\.3\.0, and the version in package\.json is 0\.2\.0/],
    ['another repository', { repository: 'someone/else' }, /the workflow runs in someone\/else/],
    ['no section in the changelog', { changelog: '# Changelog\n' }, /no section "## 0\.2\.0"/],
    ['links to another project', { manifest: { ...READY, qna: 'https://github.com/else' } }, /not an address below/],
    ['the placeholder', { manifest: { ...READY, repository: { url: `${PLACEHOLDER}.git` } } }, /no repository yet/],
  ] as const) {
    it(`is rejected with ${what}`, () => {
      assert.match(problemsOf({ manifest: READY, changelog: CHANGELOG, ...change }).join('\n'), problem);
    });
  }
});

describe('the release manifest', () => {
  it('names the same repository in all its fields', () => {
    const problems = problemsOf({ manifest: MANIFEST, changelog: CHANGELOG });
    assert.doesNotMatch(problems.join('\n'), /not an address below/);
  });
});

describe('the release workflows', () => {
  for (const name of readdirSync(WORKFLOWS)) {
    const text = readFileSync(join(WORKFLOWS, name), 'utf8');

    it(`pin third-party actions to commits in ${name}`, () => {
      const used = [...text.matchAll(/^\s*-? ?uses: (\S+)(.*)$/gm)].filter(
        ([, action = '']) => !action.startsWith('./'),
      );
      for (const [, action = '', comment] of used) {
        assert.match(action, /@[\da-f]{40}$/, action);
        assert.match(comment ?? '', /^ # v\d+\.\d+\.\d+$/, action);
      }
    });

    it(`run only scripts that exist in ${name}`, () => {
      const { scripts } = MANIFEST as unknown as { scripts: Record<string, string> };
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) assert.ok(scripts[script], script);
    });
  }
});
