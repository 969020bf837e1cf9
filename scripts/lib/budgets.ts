import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { DIST, ROOT } from './paths.ts';

/**
 * Size limits of minified files in kilobytes, including everything that they load immediately: the larger they are, the
 * longer it takes to open a view.
 */
interface Budget {
  readonly name: string;
  /** Paths relative to `dist`. */
  readonly entries: readonly string[];
  readonly kilobytes: number;
}

const BUDGETS: readonly Budget[] = [
  // 3 KB of this read the budgets of a team's key, which the status bar shows from the start, and 7 KB are the records of
  // the agent's runs in chats, and what loads the agent. 1 KB drops malformed messages of the panels, 1 KB reads prices of
  // reasoning and fees for requests, 2 KB open long and damaged chats, 3 KB check the settings of upstreams and repair
  // refused requests, 1 KB reads what careless servers send, 1 KB knows the commands and the switch of inline
  // suggestions, 1 KB has the switch and the command for the cost of branches, and 3 KB follow the policy for secrets.
  // The sentence that asks for code that can be applied is in requests from the first one on. 9 KB hold several chats
  // that go on at the same time, in the panel and in tabs, and find the instructions of folders.
  { name: 'extension', entries: ['extension.js'], kilobytes: 280 },
  { name: 'chat panel', entries: ['panels/chat.js', 'panels/chat.css'], kilobytes: 300 },
  // 13 KB of this are what fills the context: its plot, its parts, and what was paid for without use.
  { name: 'session page', entries: ['panels/session.js', 'panels/session.css'], kilobytes: 95 },
  // 12 KB of this are the tree of sessions, the attempts of a request, and why a cache missed. Loading them later would
  // delay the first click on a row. 1 KB are the names beside icons in a narrow view, 1 KB says which secrets were
  // sealed, and 3 KB are what a request consists of.
  { name: 'traffic view', entries: ['panels/traffic.js', 'panels/traffic.css'], kilobytes: 130 },
  // 3 KB of this are what fills contexts.
  { name: 'usage view', entries: ['panels/usage.js', 'panels/usage.css'], kilobytes: 103 },
  { name: 'page that connects a tool', entries: ['panels/connectTool.js', 'panels/connectTool.css'], kilobytes: 65 },
  // 4 KB of this are the card that asks what to restore, with what is not, and the notes about the user's own edits. 3 KB are the cost of
  // answers and the colors of code, whose grammars are loaded later. 2 KB mark changed words.
  { name: 'review of changes', entries: ['panels/agentReview.js', 'panels/agentReview.css'], kilobytes: 62 },
  {
    name: 'page that configures the agent',
    entries: ['panels/configureAgent.js', 'panels/configureAgent.css'],
    kilobytes: 45,
  },
  { name: 'page of a local key', entries: ['panels/localKey.js', 'panels/localKey.css'], kilobytes: 60 },
  // 2 KB of this are the health of targets, the request of Traffic that is tried, and the aliases.
  { name: 'page of routes', entries: ['panels/routes.js', 'panels/routes.css'], kilobytes: 65 },
];

/**
 * Download size of the extension. The tokenizer's vocabulary is a third of it. The page of a session has 30 KB with its
 * caps, the text of web pages 48 KB, chats as pages 20 KB, the pages of a local key and of routes 18 KB each,
 * the page that connects a tool 30 KB, the caches and the budgets of a team in the usage view 12 KB, the page about caches 4 KB, the limit
 * of memory, the checks of opened files, and the patterns of passwords 3 KB, the agent with its part of the chat panel 45 KB, the page that
 * reviews its changes 22 KB, the checks of messages of the panels 4 KB, and the fees of searches, the turns between streams,
 * and other limits against floods 12 KB. The settings, repairs, and further endpoints of upstreams, with their texts in
 * three languages, are 30 KB. Inline suggestions are 18 KB, responses over WebSocket with their library 14 KB, and the
 * second version of the messages format and the prepared answers of the sandbox 12 KB. What restores the changes of commands,
 * and reads parts of files and of diffs, is 10 KB.
 * What merges the code of answers into files, and the parts of the review for it, are 35 KB. The replacement of secrets and
 * the measure of contexts, with their parts of the pages and their texts, are 30 KB. Instructions, skills, agents of files,
 * helpers, and commands that go on, with the page that configures them, are 75 KB.
 */
const PACKAGE_KILOBYTES = 3275;
/** Size of the command line's unpacked npm package, which `npx` downloads before the first start. */
const UNPACKED_KILOBYTES = 3000;

/**
 * Prints the sizes of the production build.
 *
 * @throws Error if one exceeds its limit.
 */
export function checkBuild(metafiles: readonly Metafile[]): void {
  const outputs: Metafile['outputs'] = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
  for (const { name, entries, kilobytes } of BUDGETS) {
    const files = new Set<string>();
    for (const entry of entries) gather(relative(ROOT, join(DIST, entry)), outputs, files);
    check(
      name,
      [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0),
      kilobytes,
    );
  }
}

/** Collects a file and the files that it loads immediately. Dynamic imports do not count. */
function gather(file: string, outputs: Metafile['outputs'], found: Set<string>): void {
  const output = outputs[file];
  if (output === undefined) throw new Error(`The build wrote no ${file}.`);
  if (found.has(file)) return;
  found.add(file);
  for (const { path, kind, external } of output.imports) {
    if (kind === 'import-statement' && external !== true) gather(path, outputs, found);
  }
}

export async function checkPackage(vsix: string): Promise<void> {
  check(relative(ROOT, vsix), (await stat(vsix)).size, PACKAGE_KILOBYTES);
}

/** @throws Error if the npm package exceeds its limit. */
export function checkUnpacked(archive: string, bytes: number): void {
  check(`${archive}, unpacked`, bytes, UNPACKED_KILOBYTES);
}

function check(name: string, bytes: number, budget: number): void {
  const line = `${name}: ${(bytes / 1000).toFixed(0)} KB of ${budget} KB`;
  if (bytes > budget * 1000) throw new Error(`${line}. The budget is exceeded.`);
  console.log(`  ${line}`);
}
