import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { fewExtensions, installEditor } from './editorInstallation.ts';
import { type Settings, writeSettings } from './editorSettings.ts';
import { run, runNode, startTree, stopTree } from './processes.ts';

const CONFIGURATION = 'server.yaml';
const START_MS = 60_000;
const ADDRESS = /HTTP server listening on (http:\/\/\S+)/;

export interface EditorHostOptions {
  /** Holds the profile: settings, state, logs. */
  readonly userFolder: string;
  /** Where extensions are installed; inside the profile without it. */
  readonly extensionsFolder?: string;
  /** Starts with those of the editor's own extensions alone that suites need. */
  readonly hasFewExtensions?: boolean;
  /** 0 takes any free port. */
  readonly port?: number;
  readonly settings?: Settings;
  /** Lets a page drive the workbench, which tests inside the extension host need. It also silences notifications. */
  readonly driver?: boolean;
  /** Asks whether a folder is trusted, as the desktop does. */
  readonly workspaceTrust?: boolean;
  /** What the server's process sees beside the variables of this one. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A running editor, served to browsers on this machine. */
export class EditorHost {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly userFolder: string;
  readonly #process: ChildProcess;
  readonly #output: string[];

  private constructor(origin: string, userFolder: string, process: ChildProcess, output: string[]) {
    this.origin = origin;
    this.userFolder = userFolder;
    this.#process = process;
    this.#output = output;
  }

  static async start(options: EditorHostOptions): Promise<EditorHost> {
    const entry = await installEditor();
    const { userFolder, workspaceTrust = false, settings } = options;
    await writeSettings(userFolder, { 'security.workspace.trust.enabled': workspaceTrust, ...settings });
    await writeFile(join(userFolder, CONFIGURATION), 'auth: none\n');
    const child = startTree(
      process.execPath,
      [entry, ...startArguments(options, options.hasFewExtensions ? await fewExtensions() : undefined)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...OFFLINE, ...options.env },
      },
    );
    const output: string[] = [];
    try {
      const address = await printedAddress(child, output);
      return new EditorHost(new URL(address).origin, userFolder, child, output);
    } catch (error) {
      await stopTree(child);
      throw error;
    }
  }

  /** Ends the extension hosts at once, as a crash does; the editor starts others. Not on Windows. */
  async killExtensionHosts(): Promise<void> {
    const listed = await run('ps', ['-A', '-o', 'pid=,pgid=,args=']);
    // The server leads a process group of its own.
    for (const [, pid, group, args = ''] of listed.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)) {
      if (Number(group) === this.#process.pid && args.includes('--type=extensionHost'))
        process.kill(Number(pid), 'SIGKILL');
    }
  }

  /** Everything that the server has printed. */
  get output(): string {
    return this.#output.join('');
  }

  /** The address that opens a folder or a file of a workspace, with what a driver wants to tell the workbench. */
  address(path: string, payload: readonly (readonly [string, string])[] = []): string {
    const address = new URL('/', this.origin);
    address.searchParams.set(path.endsWith('.code-workspace') ? 'workspace' : 'folder', path);
    if (payload.length > 0) address.searchParams.set('payload', JSON.stringify(payload));
    return address.href;
  }

  stop(): Promise<void> {
    return stopTree(this.#process);
  }
}

/** Installs a packaged extension into the folder from which editor hosts will load it. */
export async function installExtension(vsix: string, extensionsFolder: string, userFolder: string): Promise<void> {
  const entry = await installEditor();
  const folders = ['--user-data-dir', userFolder, '--extensions-dir', extensionsFolder];
  await runNode([entry, ...configuration(userFolder), ...folders, '--install-extension', vsix, '--force'], {
    env: { ...process.env, ...OFFLINE },
  });
}

/** No gallery is asked for anything, and the editor does not take this process for its own parent. */
const OFFLINE = { EXTENSIONS_GALLERY: '{}', VSCODE_IPC_HOOK_CLI: '' };

function startArguments(options: EditorHostOptions, ownExtensions: string | undefined): string[] {
  const { userFolder, extensionsFolder = join(userFolder, 'extensions'), port = 0 } = options;
  return [
    ...configuration(userFolder),
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--user-data-dir', userFolder, '--extensions-dir', extensionsFolder],
    ...(ownExtensions === undefined ? [] : ['--builtin-extensions-dir', ownExtensions]),
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(options.driver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
}

/** Without this the server writes a configuration file into the home folder. */
function configuration(userFolder: string): string[] {
  return ['--config', join(userFolder, CONFIGURATION)];
}

function printedAddress(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`The editor did not start: ${why}\n${output.join('')}`));
    const timer = setTimeout(() => fail(`no address after ${START_MS / 1000} s.`), START_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`it ended with ${code}.`);
    });
    const read = (text: string): void => {
      output.push(text);
      const address = ADDRESS.exec(stripVTControlCharacters(output.join('')))?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
  });
}
