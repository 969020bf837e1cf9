import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

/** Calls that leave the process or write to a disk. */
const CALLS: Readonly<Record<'network' | 'files', RegExp>> = {
  network:
    /\bfetch\(|\.dispatch\(|\bcreateServer\(|\bcreateConnection\(|openExternal\(|\bnew (?:WebSocket|XMLHttpRequest|EventSource)\b|from 'node:(?:http|https|net|tls|dgram|child_process)'|from '(?:undici|pg)'|\bimport\('(?:node:(?:http|https|net|tls|dgram|child_process)|undici|pg)'\)/,
  files:
    /\b(?:writeFile|appendFile|writeFileSync|appendFileSync|createWriteStream|copyFile|copyFileSync|writePrivateFile|appendPrivateFile|replacePrivateFile|ensurePrivateDatabase|new DatabaseSync)\(|\bfs\.writeFile\(/,
};

/** Each source with such calls, by name, with the page's words that describe them. */
const SAID: Readonly<Record<'network' | 'files', Readonly<Record<string, string>>>> = {
  network: {
    // These compare addresses and make no calls.
    'callers.ts': '',
    'hosts.ts': '',
    'checkCall.ts': 'You connect a tool, or send a test request for it',
    'connectPage.ts': 'You open a link in an answer, the dashboard',
    'connection.ts': 'to PostgreSQL: digests of local keys',
    'connectionManager.ts': 'The service is at the base address that you entered',
    'dispatcher.ts': 'The editor uses a proxy',
    'fetchPage.ts': 'You attach the text of a web page',
    'httpUpstream.ts': 'to the upstream of its model',
    // It asks programs on this machine for their version.
    'installedTools.ts': '',
    'keyActions.ts': 'the key, to check it',
    'keyCheck.ts': 'the key, to check it',
    'otlpExporter.ts': 'sends metrics and traces only to a collector that you name',
    'ownerLink.ts': 'to the other windows of the same user on this machine',
    'readingActions.ts': 'You open a link in an answer, the dashboard',
    'resend.ts': 'You send a request again from the Traffic view',
    'gateway.ts': 'The gateway listens on this machine only',
    'toolChecker.ts': 'You connect a tool, or send a test request for it',
    'transport.ts': 'You send a question in the chat panel',
    // It writes a program that makes calls, but makes none itself.
    'typeScriptSnippet.ts': '',
  },
  files: {
    'codePrompts.ts': 'Prompts, and exports of chats',
    'configurationFile.ts': 'the configuration of a tool that you connect, with a copy of the earlier file',
    'conversationImages.ts': 'Images of chats',
    'conversationStore.ts': 'Chats, including the text of attachments',
    'correctionsFile.ts': 'The accuracy of token estimates',
    'database.ts': 'A record of each request',
    'exchangeActions.ts': 'records, and requests | where you save them',
    'historyIndex.ts': 'The index of the history',
    'presence.ts': "The gateway's port",
    // The others write through this one.
    'privateFiles.ts': 'Only your user can read it',
    'sessionExport.ts': 'exports of chats, sessions, records',
    'sharedSecret.ts': 'a secret shared by the windows of one user',
    'spool.ts': 'records that the database has not taken yet',
    'transfer.ts': 'exports of chats',
    'unsentAttachments.ts': 'Attachments that were not sent',
    'usageExport.ts': 'records, and requests | where you save them',
  },
};

/** Removes type imports and comments, which may contain any name. */
function codeOf(path: string): string {
  const source = readFileSync(join(ROOT, 'src', path), 'utf8');
  return source.replace(/^import type [\s\S]*?;$/gm, '').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
}

describe('the privacy page', () => {
  const page = readFileSync(join(ROOT, 'media', 'privacy.md'), 'utf8');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('/gallery/'));

  for (const kind of ['network', 'files'] as const) {
    it(`covers every source with calls of the kind: ${kind}`, () => {
      const found = sources.filter((path) => CALLS[kind].test(codeOf(path)));
      const names = found.map((path) => path.slice(path.lastIndexOf('/') + 1));
      assert.deepEqual(names.sort(), Object.keys(SAID[kind]).sort());
    });

    it(`has the words that stand for them: ${kind}`, () => {
      const missing = Object.entries(SAID[kind]).filter(([, words]) => !page.includes(words));
      assert.deepEqual(missing, []);
    });
  }
});
