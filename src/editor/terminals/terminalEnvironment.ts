import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { IssuedKey } from '../../gateway/keys/issuedKey.ts';
import { LocalKeyError } from '../../gateway/keys/keyTerms.ts';
import { markedAddress, WINDOW_HEADER, WINDOW_VARIABLE } from '../../rules/windowMark.ts';
import type { BaseServices } from '../baseServices.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import { type GitApi, whenGitStarted } from '../git/gitApi.ts';
import { type WorkBranch, windowBranch } from '../git/workBranch.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';

/** The window's mark stays the same, so that terminals that outlive a reload of the window keep it. */
const MARK_KEY = 'modelAccess.windowMark';
const MARK_BYTES = 12;

export interface TerminalServices extends BranchServices, Pick<BaseServices, 'localKeys' | 'log'> {
  readonly toolConnections: ToolConnections;
}

/**
 * Sets the gateway's address and a local key in new terminals while the gateway runs and the setting is on, and the
 * window's mark for connected tools. A value is written only when it changes, because the editor then marks open
 * terminals as outdated.
 */
export class TerminalEnvironment implements vscode.Disposable {
  readonly #collection: vscode.EnvironmentVariableCollection;
  readonly #services: TerminalServices;
  readonly #memory: vscode.Memento;
  readonly #subscriptions: vscode.Disposable[];
  #reporter: BranchReporter | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param memory of the workspace. */
  constructor(collection: vscode.EnvironmentVariableCollection, memory: vscode.Memento, services: TerminalServices) {
    const { gateway, localKeys, settings, toolConnections } = services;
    this.#collection = collection;
    this.#memory = memory;
    this.#services = services;
    // A persistent collection would be stored in a file of the workspace, with the key. It is set again once the
    // gateway runs.
    collection.persistent = false;
    const follow = () => this.#follow();
    this.#subscriptions = [
      gateway.onDidChange(follow),
      localKeys.onDidChange(follow),
      toolConnections.onDidChange(follow),
      settings.onDidChange(['terminals.useGateway', 'usage.recordBranch'], follow),
    ];
    follow();
  }

  /** Resolves when new terminals get what follows from the current state. */
  get settled(): Promise<void> {
    return this.#last;
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#reporter?.dispose();
  }

  /** Updates run one at a time, so that the latest state is applied last. */
  #follow(): void {
    this.#last = this.#last.then(async () => {
      try {
        await this.#update();
      } catch (error) {
        this.#services.log.error('Could not update the variables of terminals', error);
      }
    });
  }

  async #update(): Promise<void> {
    const { gateway, localKeys, settings, toolConnections } = this.#services;
    // The current values stay until the start has succeeded or failed.
    if (gateway.state.state === 'starting') return;
    const usesGateway = settings.terminalsUseGateway && gateway.isRunning;
    const isConnected = (tool: string) => toolConnections.find(tool) !== undefined;
    const isMarked = settings.recordsBranch && (usesGateway || isConnected('codex') || isConnected('claude-code'));
    const mark = isMarked ? await this.#mark() : undefined;
    const secret = usesGateway ? (await terminalKey(localKeys)).secret : undefined;
    const { state } = gateway;
    this.#write({
      ...(mark !== undefined && windowVariables(mark, isConnected, process.env)),
      ...(secret !== undefined && state.state === 'running' && this.#ofGateway(state.address, mark, secret)),
    });
  }

  /** Returns the window's mark, and begins to report the branch that it stands for. */
  async #mark(): Promise<string> {
    const known = this.#memory.get<string>(MARK_KEY);
    const mark = known ?? randomBytes(MARK_BYTES).toString('base64url');
    if (known === undefined) await this.#memory.update(MARK_KEY, mark);
    if (this.#reporter === undefined) {
      this.#reporter = new BranchReporter(mark, this.#services);
      const { log } = this.#services;
      this.#reporter.start().catch((error) => log.error('The branch of this window could not be read', error));
    }
    return mark;
  }

  #ofGateway(address: string, mark: string | undefined, secret: string): Readonly<Record<string, string>> {
    const base = mark === undefined ? address : markedAddress(address, mark);
    return gatewayVariables(base, secret, !this.#hasUnconnectedCodex());
  }

  #write(variables: Readonly<Record<string, string>>): void {
    const collection = this.#collection;
    const description = descriptionOf(variables);
    collection.description = description && new vscode.MarkdownString(description);
    for (const [name, value] of Object.entries(variables)) {
      if (collection.get(name)?.value !== value) collection.replace(name, value);
    }
    collection.forEach((name) => {
      if (!(name in variables)) collection.delete(name);
    });
  }

  /**
   * Codex would take the key from `OPENAI_API_KEY` and send it to its vendor. If connected, it has a key of its own.
   */
  #hasUnconnectedCodex(): boolean {
    const isConnected = this.#services.toolConnections.find('codex') !== undefined;
    return !isConnected && existsSync(codexFolder(homedir(), process.env));
  }
}

function descriptionOf(variables: Readonly<Record<string, string>>): string | undefined {
  const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL } = variables;
  if (OPENAI_BASE_URL !== undefined) {
    return l10n.t(
      'Claude Code, aider, and the official SDKs find the gateway at {0}, with the local key “Terminals”. Codex does not read these variables: use “Connect a Tool…”.',
      OPENAI_BASE_URL,
    );
  }
  if (ANTHROPIC_BASE_URL !== undefined) {
    return l10n.t(
      'Claude Code and the Anthropic SDKs find the gateway at {0}, with the local key “Terminals”. The OPENAI variables are not set because Codex on this machine would send the key to its vendor. Connect Codex with “Connect a Tool…” to set them.',
      ANTHROPIC_BASE_URL,
    );
  }
  if (Object.keys(variables).length === 0) return undefined;
  return l10n.t('Connected tools name this window to the gateway, so that Usage shows the cost of each branch.');
}

/** Not translated, because it also names the key in the ledger. */
const KEY_NAME = 'Terminals';

/** Returns the terminals' local key, and creates it if needed. Its terms can be changed like those of any other key. */
async function terminalKey(localKeys: LocalKeyStore): Promise<IssuedKey> {
  const known = await findKey(localKeys);
  if (known !== undefined) return known;
  try {
    return await localKeys.create(KEY_NAME, {});
  } catch (error) {
    // Another window may have created it first.
    const made = error instanceof LocalKeyError ? await findKey(localKeys) : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

async function findKey(localKeys: LocalKeyStore): Promise<IssuedKey | undefined> {
  return (await localKeys.read()).keys.find(({ name }) => name === KEY_NAME);
}

/**
 * The variables through which SDKs and command-line tools find the gateway:
 * - The OpenAI SDKs read `OPENAI_BASE_URL` and `OPENAI_API_KEY`; aider and other users of LiteLLM read
 *   `OPENAI_API_BASE`.
 * - The Anthropic SDKs and Claude Code read `ANTHROPIC_BASE_URL` (without the version, which they append) and
 *   `ANTHROPIC_AUTH_TOKEN`. A key in `ANTHROPIC_API_KEY` would be sent instead, so it is set to empty.
 * Codex no longer reads `OPENAI_BASE_URL` and may take `OPENAI_API_KEY`, which it would send to its vendor. It is
 * connected through its own configuration file.
 * @param address The gateway's base address with its prefix, such as `http://127.0.0.1:8787/api/v1`.
 * @param secret The secret of a local key.
 * @param withOpenAi False if Codex could take the key. The variables that it reads are then omitted.
 */
function gatewayVariables(address: string, secret: string, withOpenAi: boolean): Readonly<Record<string, string>> {
  return {
    ...(withOpenAi && { OPENAI_BASE_URL: address, OPENAI_API_BASE: address, OPENAI_API_KEY: secret }),
    ANTHROPIC_BASE_URL: address.replace(/\/v1$/, ''),
    ANTHROPIC_AUTH_TOKEN: secret,
    ANTHROPIC_API_KEY: '',
  };
}

/**
 * The variables with which connected tools, which have the gateway's address in a file for all windows, name the window
 * of their terminal:
 * - The file of Codex has the name of a variable with the value of the header.
 * - Claude Code adds the headers in `ANTHROPIC_CUSTOM_HEADERS`, unless the user has some.
 */
function windowVariables(
  mark: string,
  isConnected: (tool: string) => boolean,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const hasHeaders = Boolean(env.ANTHROPIC_CUSTOM_HEADERS);
  return {
    ...(isConnected('codex') && { [WINDOW_VARIABLE]: mark }),
    ...(isConnected('claude-code') && !hasHeaders && { ANTHROPIC_CUSTOM_HEADERS: `${WINDOW_HEADER}: ${mark}` }),
  };
}

/** The folder that Codex creates when it first runs. */
function codexFolder(home: string, env: Readonly<Record<string, string | undefined>>): string {
  return env.CODEX_HOME ?? join(home, '.codex');
}

type BranchServices = Pick<BaseServices, 'gateway' | 'settings' | 'worker'>;

/**
 * Reports the window's repository and branch to the gateway, in whichever window that runs, after each change. A terminal
 * lives longer than a branch, so the gateway looks it up for each request.
 */
class BranchReporter implements vscode.Disposable {
  readonly #mark: string;
  readonly #services: BranchServices;
  readonly #subscriptions: vscode.Disposable[];
  #ofRepositories: vscode.Disposable | undefined;
  #reported: WorkBranch | undefined;

  constructor(mark: string, services: BranchServices) {
    this.#mark = mark;
    this.#services = services;
    this.#subscriptions = [
      // A gateway that has just started knows nothing.
      services.gateway.onDidChange(() => this.#report()),
      services.settings.onDidChange(['usage.recordBranch'], () => this.#follow()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#follow()),
    ];
    this.#report();
  }

  /** Follows the repositories that the editor opens. Does nothing without the editor's Git extension. */
  async start(): Promise<void> {
    const git = await whenGitStarted();
    if (git === undefined) return;
    const watch = () => this.#watch(git);
    this.#subscriptions.push(git.onDidOpenRepository(watch), git.onDidCloseRepository(watch));
    watch();
  }

  dispose(): void {
    this.#ofRepositories?.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #watch({ repositories }: GitApi): void {
    this.#ofRepositories?.dispose();
    const follow = () => this.#follow();
    this.#ofRepositories = vscode.Disposable.from(...repositories.map(({ state }) => state.onDidChange(follow)));
    this.#follow();
  }

  /** Called after each command of Git, most of which change no branch. */
  #follow(): void {
    if (!isDeepStrictEqual(this.#current, this.#reported)) this.#report();
  }

  get #current(): WorkBranch | undefined {
    return this.#services.settings.recordsBranch ? windowBranch() : undefined;
  }

  #report(): void {
    const { gateway, worker } = this.#services;
    if (!gateway.isRunning) return;
    this.#reported = this.#current;
    worker.send({ type: 'reportBranch', mark: this.#mark, branch: this.#reported });
  }
}
