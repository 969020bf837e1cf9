import type { Manifest, Setting } from './manifest.ts';

/** Where a person may set it, by the scope of the manifest. */
const PLACES: Readonly<Record<string, string>> = {
  application: 'user',
  machine: 'user, or the remote machine',
  window: 'user or workspace',
};

const HEAD = `# Settings

What the settings editor says of each setting, and where it can be set. No workspace sets one that decides where a key or
a text goes, or what may be spent: these are taken from the user's settings alone, or, when the editor works on a remote
machine, from the settings of that machine. Service keys and keys of upstreams are never settings.

This page is made from the manifest: after a change, \`UPDATE_PAGES=1 npx mocha test/unit/editor/settings/settings.test.ts\`.
`;

/** `docs/settings.md`, from the manifest. */
export function settingsPage({ contributes }: Manifest): string {
  const groups = contributes.configuration.map(
    ({ title, properties }) => `## ${title}\n\n${[...TABLE_HEAD, ...Object.entries(properties).map(row)].join('\n')}\n`,
  );
  return [HEAD, ...groups].join('\n');
}

const TABLE_HEAD = ['| Setting | Default | Set by | |', '|---|---|---|---|'];

function row([name, { default: usual, scope, markdownDescription, enum: values }]: [string, Setting]): string {
  const choices = values === undefined ? [] : [`One of ${values.map(asCode).join(', ')}.`];
  const text = [plain(markdownDescription), ...choices].join(' ').replaceAll('|', '\\|');
  return `| \`${name}\` | ${asCode(usual)} | ${PLACES[scope] ?? scope} | ${text} |`;
}

function asCode(value: unknown): string {
  return value === '' ? 'empty' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** Links to commands and settings lead somewhere in the editor alone. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]+)\]\(command:[^)]+\)/g, '**$1**').replace(/`#([\w.]+)#`/g, '`$1`');
}
