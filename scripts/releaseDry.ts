/**
 * Runs everything in a release that needs no account: builds the artifacts and publishes them with the real clients to
 * a registry on this machine, and checks that each client uploads what was built. Problems that would prevent a release
 * are listed at the end.
 *
 *     npm run release:dry
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './lib/paths.ts';
import { step } from './lib/progress.ts';
import { type Artifacts, buildArtifacts } from './lib/release/artifacts.ts';
import { publishLocally } from './lib/release/clients.ts';
import { LocalRegistry, type Upload } from './lib/release/localRegistry.ts';
import { problemsOf, type ReleaseManifest, releaseOf } from './lib/release/release.ts';

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as ReleaseManifest;
const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
const release = releaseOf(manifest.version);
const artifacts = await buildArtifacts(release, changelog);
const registry = new LocalRegistry();
const address = await registry.listen();
try {
  await step('Publishing to a registry on this machine', () => publishLocally(artifacts, release, address));
  await checkUploads(registry.uploads, artifacts);
} finally {
  registry.close();
}
console.log(`Published ${release.version} to all three${release.isPreRelease ? ' as a pre-release' : ''}.`);
for (const problem of problemsOf({ manifest, changelog })) console.log(`Not ready to be released: ${problem}`);

async function checkUploads(uploads: readonly Upload[], { vsix, gateway }: Artifacts): Promise<void> {
  const [marketplace, openVsx, npm] = uploads;
  const extension = await readFile(vsix);
  assert.ok(marketplace?.path.startsWith('/_apis/gallery/extensions') && marketplace.body.equals(extension));
  assert.ok(openVsx?.path.startsWith('/api/-/publish') && openVsx.body.equals(extension));
  const { _attachments: attachments, 'dist-tags': tags } = JSON.parse(npm?.body.toString() ?? '{}');
  const [attachment] = Object.values(attachments) as { readonly data: string }[];
  assert.ok(Buffer.from(attachment?.data ?? '', 'base64').equals(await readFile(gateway)));
  assert.deepEqual(tags, { [release.npmTag]: release.version });
  assert.equal(uploads.length, 3);
}
