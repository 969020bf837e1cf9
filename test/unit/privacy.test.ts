import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.ts';

/** Calls that leave the process or write to a disk. */
const NETWORK_MODULES = '(?:node:)?(?:http|https|http2|net|tls|dgram|child_process)|undici|pg';
const NETWORK = [
  String.raw`\bfetch\(`,
  // A function that is kept under another name.
  String.raw`(?<!typeof )\b(?:globalThis|window|self)\.fetch\b`,
  String.raw`\.dispatch\(|\bcreateServer\(|\bcreateConnection\(|openExternal\(|\bsendBeacon\(`,
  String.raw`\bnew (?:WebSocket|XMLHttpRequest|EventSource|RTCPeerConnection|WebTransport)\b`,
  `from '(?:${NETWORK_MODULES})'`,
  String.raw`\b(?:import|require|getBuiltinModule)\('(?:${NETWORK_MODULES})'\)`,
];
const FILES = [
  String.raw`\b(?:writeFile|appendFile|writeFileSync|appendFileSync|createWriteStream|copyFile|copyFileSync)\(`,
  String.raw`\b(?:writePrivateFile|appendPrivateFile|replacePrivateFile(?:Sync)?|ensurePrivateDatabase|new DatabaseSync)\(`,
  // A file handle, which can be written to.
  String.raw`\bopenSync\(|\bawait open\([^)]|\(open\([^)]`,
  String.raw`\bfs\.(?:writeFile|copy|rename)\(|\bsecrets\.store\(`,
];
const CALLS: Readonly<Record<'network' | 'files', RegExp>> = {
  network: new RegExp(NETWORK.join('|')),
  files: new RegExp(FILES.join('|')),
};

/** Each source with such calls, by name, with the page's words that describe them. */
const SAID: Readonly<Record<'network' | 'files', Readonly<Record<string, string>>>> = {
  network: {
    // These compare addresses and make no calls.
    'access.ts': '',
    'callers.ts': '',
    // It asks whether a port of this machine is open, and sends nothing.
    'commandProcess.ts': '',
    // Commands run because the user allowed them.
    'shellCommand.ts': 'The agent of the chat runs the commands that you allowed',
    'checkCall.ts': 'You connect a tool, or send a test request for it',
    'compatible.ts': 'to the upstream of its model',
    'connectPage.ts': 'You open a link in an answer, the dashboard',
    'connection.ts': 'in PostgreSQL: digests of local keys',
    'connectionManager.ts': 'The service is at the base address that you entered',
    'dispatcher.ts': 'The editor uses a proxy',
    // It compares addresses and makes no calls.
    'localAddress.ts': '',
    // It answers callers.
    'upgrades.ts': '',
    'pageRequest.ts': 'You attach the text of a web page',
    'httpUpstream.ts': 'to the upstream of its model',
    'openSocket.ts': 'to the upstream of its model',
    // It reads what a program on this machine writes.
    'outputPipe.ts': '',
    // It asks programs on this machine for their version.
    'installedTools.ts': '',
    'keyActions.ts': 'the key, to check it',
    'keyCheck.ts': 'the key, to check it',
    'otlpExporter.ts': 'sends metrics and traces only to a collector that you configure',
    'ownerLink.ts': 'to the other windows of the same user on this machine',
    'readingActions.ts': 'You open a link in an answer, the dashboard',
    // Its connections are in memory.
    'sampleSession.ts': '',
    // They send what others send, without its secrets.
    'requestSealing.ts': 'requests have stand-ins instead of them',
    'sealedFetch.ts': 'requests have stand-ins instead of them',
    'resend.ts': 'You send a request again from the Traffic view',
    // It asks Git on this machine.
    'folderListing.ts': '',
    'gateway.ts': 'The gateway listens on this machine only',
    'suggestionSource.ts': 'You type with inline suggestions switched on',
    'toolChecker.ts': 'You connect a tool, or send a test request for it',
    'transport.ts': 'You send a question in the chat panel',
    // It writes a program that makes calls, but makes none itself.
    'typeScriptSnippet.ts': '',
    // It proposes a command that asks a server of this machine, which the user allows.
    'demoSteps.ts': '',
    // It compares addresses and makes no calls.
    'webAddress.ts': '',
  },
  files: {
    // It opens a file to read it.
    'checkedFile.ts': '',
    'codePrompts.ts': 'Prompts, and exports of chats',
    'commandEnvironment.ts': 'The variables of a new terminal',
    'configurationFile.ts': 'the configuration of a tool that you connect, with a copy of the earlier file',
    'conversationImages.ts': 'Images of chats',
    'conversationStore.ts': 'Chats, including the text of attachments',
    'correctionsFile.ts': 'The accuracy of token estimates',
    'database.ts': 'A record of each request',
    'exchangeActions.ts': 'records, and requests | where you save them',
    'files.ts': 'Files that the agent writes',
    'historyIndex.ts': 'The index of the history',
    'keptFiles.ts': 'Files that the agent has changed, as they were before',
    'localKeyStore.ts': 'Local keys and the keys of upstreams are also in the secret storage',
    // It opens a pipe, which is not on the disk.
    'outputPipe.ts': '',
    'pendingRows.ts': 'rows that are not written yet',
    'presence.ts': "The gateway's port",
    // The others write through this one.
    'privateFiles.ts': 'Only your user can read it',
    'proposalReview.ts': 'Proposed changes of a review that is open',
    'refusalMemory.ts': 'Which members of requests each model of an upstream refuses',
    'serviceKeys.ts': "stored in the editor's secret storage",
    'sessionExport.ts': 'exports of chats, sessions, records',
    'sharedSecret.ts': 'a secret shared by the windows of one user',
    'spentFile.ts': 'What the sandbox has used of its sample credit',
    'spool.ts': 'records that the database has not taken yet',
    'transfer.ts': 'exports of chats',
    'unsentAttachments.ts': 'Attachments that were not sent',
    'upstreamKeys.ts': 'Local keys and the keys of upstreams are also in the secret storage',
    'usageExport.ts': 'records, and requests | where you save them',
  },
};

/** Removes type imports and comments, which may contain any name. */
function codeOf(path: string): string {
  const source = readFileSync(join(ROOT, path), 'utf8');
  return source.replace(/^import type [\s\S]*?;$/gm, '').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
}

describe('the privacy page', () => {
  // Lines of the page may break anywhere.
  const page = readFileSync(join(ROOT, 'media', 'privacy.md'), 'utf8').replace(/\s+/g, ' ');
  const sources = ['src', 'packages/gateway/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => /\.tsx?$/.test(path)),
  );

  for (const kind of ['network', 'files'] as const) {
    it(`covers every source file with calls of this kind: ${kind}`, () => {
      const found = sources.filter((path) => CALLS[kind].test(codeOf(path)));
      const names = found.map((path) => path.slice(path.lastIndexOf('/') + 1));
      assert.deepEqual(names.sort(), Object.keys(SAID[kind]).sort());
    });

    it(`describes all of them: ${kind}`, () => {
      const missing = Object.entries(SAID[kind]).filter(([, words]) => !page.includes(words));
      assert.deepEqual(missing, []);
    });
  }
});
