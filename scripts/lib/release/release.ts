/** Derives a release from the manifest and the changelog. */

/** The manifest's placeholder until the project has an address; see `RELEASING.md`. */
export const PLACEHOLDER = 'https://github.com/OWNER/model-access';

/** The members of `package.json` that a release depends on. */
export interface ReleaseManifest {
  readonly version: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly homepage: string;
  readonly qna: string;
}

export interface Release {
  readonly version: string;
  /** The tag of the commit, such as `v0.2.0`. */
  readonly tag: string;
  /**
   * The extension registries do not support versions such as `1.0.0-beta`. An odd minor version is a pre-release there.
   */
  readonly isPreRelease: boolean;
  /** The dist-tag in npm: `latest` is what `npx` downloads. */
  readonly npmTag: 'latest' | 'next';
}

const VERSION = /^\d+\.(\d+)\.\d+$/;

/** @throws if the extension registries do not accept the version. */
export function releaseOf(version: string): Release {
  const minor = VERSION.exec(version)?.[1];
  if (minor === undefined) throw new Error(`${version} is not a version such as 0.2.0.`);
  const isPreRelease = Number(minor) % 2 === 1;
  return { version, tag: `v${version}`, isPreRelease, npmTag: isPreRelease ? 'next' : 'latest' };
}

/** Returns the address of the repository in a browser. */
export function repositoryOf({ repository }: ReleaseManifest): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Returns the section of a version in the changelog, without its heading; undefined if there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  return section?.slice(section.indexOf('\n')).trim();
}

export interface ReleaseFacts {
  readonly manifest: ReleaseManifest;
  readonly changelog: string;
  /** Tag of the commit to be released. */
  readonly tag?: string | undefined;
  /** Owner and name, as GitHub passes them to workflows. */
  readonly repository?: string | undefined;
}

/** Returns the problems that prevent a release, one sentence each. */
export function problemsOf({ manifest, changelog, tag, repository }: ReleaseFacts): readonly string[] {
  const address = repositoryOf(manifest);
  const release = releaseOf(manifest.version);
  const problems: string[] = [];
  if (address === PLACEHOLDER) problems.push('package.json has no repository yet. See RELEASING.md.');
  const others = [manifest.bugs.url, manifest.homepage, manifest.qna];
  for (const other of others.filter((other) => !other.startsWith(address))) {
    problems.push(`${other} in package.json is not an address below ${address}.`);
  }
  if (repository !== undefined && address !== `https://github.com/${repository}`) {
    problems.push(`package.json names ${address}, and the workflow runs in ${repository}.`);
  }
  if (tag !== undefined && tag !== release.tag) {
    problems.push(`The tag is ${tag}, and the version in package.json is ${manifest.version}.`);
  }
  if (notesOf(changelog, manifest.version) === undefined) {
    problems.push(`CHANGELOG.md has no section "## ${manifest.version}".`);
  }
  return problems;
}
