/**
 * Opens the editor with the packaged extension in a fresh profile, with the sandbox and a small sample workspace.
 *
 *     npm start -- [--port N] [--no-open] [--desktop]
 *
 * Ctrl+C ends everything that it has started and removes the profile.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDesktopEditor } from './lib/desktopEditor.ts';
import { EditorHost, installExtension } from './lib/editorHost.ts';
import { openAddress } from './lib/openAddress.ts';
import { stopTree } from './lib/processes.ts';
import { step } from './lib/progress.ts';
import { addCustomizations, copySampleWorkspace } from './lib/sampleWorkspace.ts';
import { type TemporaryFolder, temporaryFolder } from './lib/temporaryFolder.ts';
import { aborted, untilSignal } from './lib/untilSignal.ts';
import { packageExtension } from './lib/vsix.ts';

const PLATFORM = { darwin: 'osx', win32: 'windows' }[process.platform as string] ?? 'linux';

/**
 * The second setting lets the editor's own chat answer without an account. The third lets terminals run the tests of the
 * sample workspace, which are in TypeScript, with the Node that runs this script.
 */
const SETTINGS = {
  'modelAccess.sandbox.enabled': true,
  'chat.allowAnonymousAccess': true,
  [`terminal.integrated.env.${PLATFORM}`]: { PATH: `${dirname(process.execPath)}${delimiter}\${env:PATH}` },
};

const { values } = parseArgs({
  options: { desktop: { type: 'boolean' }, port: { type: 'string' }, 'no-open': { type: 'boolean' } },
});
const port = Number(values.port ?? 0);
const problem = await problemOf(port);
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}

const stop = untilSignal();
try {
  await start();
} catch (error) {
  // Ctrl+C also interrupts the programs that are running, whose errors are then expected.
  if (!stop.aborted) throw error;
}

/** Returns why the editor cannot listen on a port, before anything is built for it. */
async function problemOf(wanted: number): Promise<string | undefined> {
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) return `--port ${values.port} is not a port.`;
  const server = createServer();
  try {
    await once(server.listen(wanted, '127.0.0.1'), 'listening');
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') return `The editor cannot listen on port ${wanted}: ${message}`;
    return `Port ${wanted} is already in use. Choose another one, or omit --port for any free port.`;
  } finally {
    server.close();
  }
}

async function start(): Promise<void> {
  const vsix = await packageExtension();
  const profile = await temporaryFolder();
  try {
    const workspace = await copySampleWorkspace(profile.path);
    await addCustomizations(workspace);
    if (values.desktop) await runDesktop(vsix, profile, workspace);
    else await runServed(vsix, profile, workspace);
  } finally {
    await profile.remove();
  }
}

async function runServed(vsix: string, { path }: TemporaryFolder, workspace: string): Promise<void> {
  const userFolder = join(path, 'user');
  const extensionsFolder = join(path, 'extensions');
  await step('Installing the extension', () => installExtension(vsix, extensionsFolder, userFolder));
  if (stop.aborted) return;
  const host = await EditorHost.start({ userFolder, extensionsFolder, port, settings: SETTINGS });
  try {
    const address = host.address(workspace);
    console.log(`\nThe editor is open at\n\n  ${address}\n\nCtrl+C ends it.`);
    if (!values['no-open']) openAddress(address);
    await aborted(stop);
  } finally {
    await host.stop();
  }
}

async function runDesktop(vsix: string, { path }: TemporaryFolder, workspace: string): Promise<void> {
  const editor = await startDesktopEditor({ vsix, userFolder: join(path, 'user'), workspace, settings: SETTINGS });
  console.log('The editor is open. Close its window, or press Ctrl+C here, to end it.');
  await Promise.race([once(editor, 'exit'), aborted(stop)]);
  await stopTree(editor);
}
