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
  /** The folder of the profile: settings, state, logs. */
  readonly userFolder: string;
  /** The folder with installed extensions. By default inside the profile. */
  readonly extensionsFolder?: string;
  /** Starts with only those built-in extensions that the suites need; `with agent` also with the editor's own agent. */
  readonly fewExtensions?: 'without agent' | 'with agent';
  /** 0 selects any free port. */
  readonly port?: number;
  readonly settings?: Settings;
  /**
   * Lets a page control the workbench, which tests inside the extension host need. It also suppresses notifications.
   */
  readonly driver?: boolean;
  /** Asks whether a folder is trusted, as the desktop editor does. */
  readonly workspaceTrust?: boolean;
  /** Environment variables of the server's process, in addition to those of this one. */
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
      [entry, ...startArguments(options, await ownExtensions(options.fewExtensions))],
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

  /** Kills the extension hosts, like a crash. The editor starts new ones. Not on Windows. */
  async killExtensionHosts(): Promise<void> {
    const listed = await run('ps', ['-A', '-o', 'pid=,pgid=,args=']);
    // The server is the leader of its own process group.
    for (const [, pid, group, args = ''] of listed.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)) {
      if (Number(group) === this.#process.pid && args.includes('--type=extensionHost'))
        process.kill(Number(pid), 'SIGKILL');
    }
  }

  /** All output of the server. */
  get output(): string {
    return this.#output.join('');
  }

  /** Returns the address that opens a folder or a workspace file, with a driver's payload for the workbench. */
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

/** Installs a packaged extension into the folder from which editor hosts load it. */
export async function installExtension(vsix: string, extensionsFolder: string, userFolder: string): Promise<void> {
  const entry = await installEditor();
  const folders = ['--user-data-dir', userFolder, '--extensions-dir', extensionsFolder];
  await runNode([entry, ...configuration(userFolder), ...folders, '--install-extension', vsix, '--force'], {
    env: { ...process.env, ...OFFLINE },
  });
}

/**
 * Disables the extension gallery, and keeps the editor from connecting to the editor that may have started this
 * process.
 */
const OFFLINE = {
  EXTENSIONS_GALLERY: '{}',
  VSCODE_IPC_HOOK_CLI: '',
  // With a token but without an address, the server starts no process for the editor's own agents.
  VSCODE_AGENT_HOST_BRIDGE_CONNECTION_TOKEN: 'none',
};

/** Returns the folder with the editor's own extensions, or undefined for all of them. */
async function ownExtensions(few: EditorHostOptions['fewExtensions']): Promise<string | undefined> {
  if (few === undefined) return undefined;
  return few === 'with agent' ? fewExtensions('copilot') : fewExtensions();
}

function startArguments(options: EditorHostOptions, extensions: string | undefined): string[] {
  const { userFolder, extensionsFolder = join(userFolder, 'extensions'), port = 0 } = options;
  return [
    ...configuration(userFolder),
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--user-data-dir', userFolder, '--extensions-dir', extensionsFolder],
    ...(extensions === undefined ? [] : ['--builtin-extensions-dir', extensions]),
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    // Compressing messages takes more CPU than sending them on one machine.
    ...['--vscode-option', 'disable-websocket-compression'],
    ...(options.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(options.driver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
  ];
}

/** Returns options for a configuration file in the profile. Without them, the server writes one to the home folder. */
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
