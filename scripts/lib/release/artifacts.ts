import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageGateway } from '../gatewayPackage.ts';
import { DIST, ROOT } from '../paths.ts';
import { runNpm } from '../processes.ts';
import { step } from '../progress.ts';
import { packageExtension } from '../vsix.ts';
import { notesOf, type Release } from './release.ts';

/** The output folder. Everything that is published comes from here, so that it is built once for all registries. */
const RELEASE = join(DIST, 'release');

export interface Artifacts {
  readonly vsix: string;
  readonly gateway: string;
  /** Components of the extension and the gateway, in CycloneDX format. */
  readonly sbom: string;
  readonly notes: string;
  readonly checksums: string;
}

export async function buildArtifacts(release: Release, changelog: string): Promise<Artifacts> {
  const vsix = await packageExtension({ isPreRelease: release.isPreRelease });
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(RELEASE, { recursive: true });
  const [moved, sbom, notes, checksums] = [basename(vsix), 'sbom.cdx.json', 'notes.md', 'SHA256SUMS'].map((name) =>
    join(RELEASE, name),
  ) as [string, string, string, string];
  await rename(vsix, moved);
  const gateway = await step('Packaging the gateway', () => packageGateway(RELEASE));
  await rm(join(RELEASE, 'gateway-package'), { recursive: true });
  const components = ['sbom', '--omit', 'dev', '--sbom-format', 'cyclonedx', '--loglevel', 'error'];
  await writeFile(sbom, await step('Listing components', () => runNpm(components, { cwd: ROOT })));
  await writeFile(notes, `${notesOf(changelog, release.version) ?? notesOf(changelog, 'Unreleased') ?? ''}\n`);
  await writeFile(checksums, (await Promise.all([moved, gateway, sbom].map(checksumOf))).join(''));
  return { vsix: moved, gateway, sbom, notes, checksums };
}

/** Returns a line for `sha256sum --check`. */
async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(file));
  return `${hash.digest('hex')}  ${basename(file)}\n`;
}
