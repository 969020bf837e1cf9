/**
 * Runs the suites of `test/host` inside the extension host of the served editor.
 *
 *     npm run test:host -- [--grep PATTERN]
 */
import { createWriteStream } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { FOR_TESTS, launchChromium } from './lib/chromium.ts';
import { DIRECT_MESSAGES } from './lib/directMessages.ts';
import { EditorHost } from './lib/editorHost.ts';
import { bundleHostTests } from './lib/hostTests.ts';
import { ROOT, TEST_RESULTS } from './lib/paths.ts';
import { copySampleWorkspace } from './lib/sampleWorkspace.ts';
import { makeSeveralFolders } from './lib/severalFolders.ts';
import { temporaryFolder } from './lib/temporaryFolder.ts';
import { buildForProduction } from './lib/vsix.ts';

/** On a busy machine, the tests take several times as long. */
const LIMIT_MS = 20 * 60_000;
const MARK = '[report]';
const LOG = join(TEST_RESULTS, 'logs', 'host-tests.log');

const { values } = parseArgs({ options: { grep: { type: 'string' } } });

await buildForProduction();
const tests = await bundleHostTests();
const profile = await temporaryFolder();
// The models that `test/host/editorModels.test.ts` uses, and the virtual folder of `severalFolders`.
await install('modelExtension', 'acme.acme-models-1.0.0');
await install('memoryFiles', 'acme.memory-files-1.0.0');
const browser = await launchChromium(FOR_TESTS);
await mkdir(dirname(LOG), { recursive: true });
const log = createWriteStream(LOG);
try {
  const host = await EditorHost.start({
    userFolder: join(profile.path, 'user'),
    driver: true,
    fewExtensions: 'without agent',
    settings: {
      // A browser's editor saves after a second, in which a slow test would not be done with what is unsaved.
      'files.autoSave': 'off',
      // The tests talk to the host of the chat panel, which need not be drawn: see `test/host/index.ts`.
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      // Otherwise, the editor colors all lines of a file of 2 MB before it shows a suggestion at the end.
      'editor.maxTokenizationLineLength': 1,
    },
    env: {
      MODEL_ACCESS_TEST_MARK: MARK,
      // Whether a developer has Codex changes what terminals receive.
      CODEX_HOME: join(profile.path, 'codex'),
      // The system's certificates for `test/host/network.test.ts`.
      SSL_CERT_FILE: join(ROOT, 'test', 'unit', 'gateway', 'support', 'certificates', 'authority.pem'),
      ...(values.grep !== undefined && { MODEL_ACCESS_TEST_GREP: values.grep }),
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    },
  });
  try {
    process.exitCode = await runTests(browser, host, await makeWorkspace(profile.path));
  } finally {
    await host.stop();
  }
} finally {
  await browser.close();
  await profile.remove();
  log.end();
  console.log(`The editor's own log of this run is in ${relative(ROOT, LOG)}.`);
}

async function install(fixture: string, name: string): Promise<void> {
  const folder = join(profile.path, 'user', 'extensions', name);
  await cp(join(ROOT, 'test', 'fixtures', fixture), folder, { recursive: true });
}

/** Returns the path of a workspace file with one folder. A suite can add others, which restarts no extensions. */
async function makeWorkspace(parent: string): Promise<string> {
  await makeSeveralFolders(parent);
  const file = join(parent, 'host.code-workspace');
  await writeFile(file, JSON.stringify({ folders: [{ path: basename(await copySampleWorkspace(parent)) }] }));
  return file;
}

/** @returns the exit code of the tests: 0 if all have passed. */
async function runTests(browser: Browser, host: EditorHost, workspace: string): Promise<number> {
  const page = await browser.newPage({
    // What the workbench draws is not tested.
    viewport: { width: 800, height: 480 },
    reducedMotion: 'reduce',
    // Compressing the workbench's 19 MB takes more CPU than sending them.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  });
  await page.addInitScript(DIRECT_MESSAGES);
  const ended = Promise.withResolvers<number>();
  const limit = setTimeout(() => ended.reject(new Error(`No end after ${LIMIT_MS / 60_000} minutes.`)), LIMIT_MS);
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => print(type, args));
  await page.exposeFunction('codeAutomationExit', (code: number) => ended.resolve(code));
  page.once('crash', () => ended.reject(new Error('The page has crashed.')));
  try {
    await page.goto(
      host.address(workspace, [
        ['extensionDevelopmentPath', remoteAddress(host, ROOT)],
        ['extensionTestsPath', remoteAddress(host, tests)],
        ['skipWelcome', 'true'],
      ]),
    );
    return await ended.promise;
  } catch (error) {
    await page.screenshot({ path: join(TEST_RESULTS, 'host-tests.png') });
    throw error;
  } finally {
    clearTimeout(limit);
    await page.close();
  }
}

/** Returns the URI with which the workbench refers to a file on the machine of its server. */
function remoteAddress(host: EditorHost, path: string): string {
  return `vscode-remote://${new URL(host.origin).host}${pathToFileURL(path).pathname}`;
}

/** Prints the report of the tests; all other output of the editor goes to the log. */
function print(type: string, args: readonly unknown[]): void {
  const [first] = args;
  if (typeof first === 'string' && first.startsWith(MARK)) console.log(first.slice(MARK.length));
  else log.write(`${type} ${format(...args)}\n`);
}
