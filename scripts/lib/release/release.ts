/** What a release is, by the manifest and the changelog alone. */

/** The manifest's placeholder until the project has an address; see `docs/releasing.md`. */
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
  /** Of the commit, such as `v0.2.0`. */
  readonly tag: string;
  /** The registries of extensions know no versions such as `1.0.0-beta`: there an odd minor is a pre-release. */
  readonly isPreRelease: boolean;
  /** The tag under which npm lists it: `latest` is what `npx` fetches. */
  readonly npmTag: 'latest' | 'next';
}

const VERSION = /^\d+\.(\d+)\.\d+$/;

/** @throws when the version is none that the registries of extensions take. */
export function releaseOf(version: string): Release {
  const minor = VERSION.exec(version)?.[1];
  if (minor === undefined) throw new Error(`${version} is not a version such as 0.2.0.`);
  const isPreRelease = Number(minor) % 2 === 1;
  return { version, tag: `v${version}`, isPreRelease, npmTag: isPreRelease ? 'next' : 'latest' };
}

/** The address of the repository as a browser opens it. */
export function repositoryOf({ repository }: ReleaseManifest): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** The section of a version in the changelog, without its heading; `undefined` when there is none. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  return section?.slice(section.indexOf('\n')).trim();
}

export interface ReleaseFacts {
  readonly manifest: ReleaseManifest;
  readonly changelog: string;
  /** Of the commit that is to be released. */
  readonly tag?: string | undefined;
  /** Owner and name, as GitHub tells its workflows. */
  readonly repository?: string | undefined;
}

/** What keeps the project from being released, a sentence each. */
export function problemsOf({ manifest, changelog, tag, repository }: ReleaseFacts): readonly string[] {
  const address = repositoryOf(manifest);
  const release = releaseOf(manifest.version);
  const problems: string[] = [];
  if (address === PLACEHOLDER) problems.push('package.json has no repository yet. See docs/releasing.md.');
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
