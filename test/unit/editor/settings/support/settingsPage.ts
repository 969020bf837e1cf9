import type { Manifest, Setting } from './manifest.ts';

/** Where a user can set it, by the scope in the manifest. */
const PLACES: Readonly<Record<string, string>> = {
  application: 'user',
  machine: 'machine',
  window: 'workspace',
};

const HEAD = `# Settings

This page lists all settings with their defaults and the places where they can be set. To change them, run
**Model Access: Open Settings**.

*User* means the user's settings only, *machine* also those of a remote machine, and *workspace* also those of a workspace. A
workspace cannot change settings that decide where a key or a text is sent, or how much can be spent. Keys are never settings.

This page is generated: \`UPDATE_PAGES=1 npx mocha test/unit/editor/settings/settings.test.ts\`.
`;

/** Generates `docs/settings.md` from the manifest. */
export function settingsPage({ contributes }: Manifest): string {
  const groups = contributes.configuration.map(
    ({ title, properties }) =>
      `## ${title}\n\n${[...TABLE_HEAD, ...Object.entries(properties).filter(isCurrent).map(row)].join('\n')}\n`,
  );
  return [HEAD, ...groups].join('\n');
}

const TABLE_HEAD = ['| Setting | Default | Set by | |', '|---|---|---|---|'];

/** Earlier settings still work, but nobody should look them up. */
function isCurrent([, { markdownDeprecationMessage }]: [string, Setting]): boolean {
  return markdownDeprecationMessage === undefined;
}

function row([name, { default: usual, scope, markdownDescription, enum: values }]: [string, Setting]): string {
  const choices = values === undefined ? [] : [`One of ${values.map(asCode).join(', ')}.`];
  const text = [plain(markdownDescription), ...choices].join(' ').replaceAll('|', '\\|');
  return `| \`${name}\` | ${asCode(usual)} | ${PLACES[scope] ?? scope} | ${text} |`;
}

function asCode(value: unknown): string {
  return value === '' ? 'empty' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** Removes links to commands and settings, which only work in the editor. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(command:[^)]+\)/g, '**$1**').replace(/`#([\w.]+)#`/g, '`$1`');
}
