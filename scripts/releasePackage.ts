/**
 * Builds the artifacts of a release into `dist/release`, once for all registries:
 *
 *     npm run release:package -- --tag v0.2.0
 *
 * Fails if the tag, the repository, or the changelog does not match the manifest. In a workflow it also sets the
 * outputs `pre-release` and `npm-tag`.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './lib/paths.ts';
import { buildArtifacts } from './lib/release/artifacts.ts';
import { problemsOf, type ReleaseManifest, releaseOf } from './lib/release/release.ts';

const { values } = parseArgs({ options: { tag: { type: 'string' } } });
if (values.tag === undefined) throw new Error('Name the tag: --tag v0.2.0');

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as ReleaseManifest;
const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
const { GITHUB_REPOSITORY: repository, GITHUB_OUTPUT: outputs } = process.env;
const problems = problemsOf({ manifest, changelog, tag: values.tag, repository });
if (problems.length > 0) throw new Error(`This cannot be released.\n${problems.join('\n')}`);

const release = releaseOf(manifest.version);
const artifacts = await buildArtifacts(release, changelog);
for (const file of Object.values(artifacts)) console.log(relative(ROOT, file));
if (outputs !== undefined) {
  await appendFile(outputs, `pre-release=${release.isPreRelease}\nnpm-tag=${release.npmTag}\n`);
}
