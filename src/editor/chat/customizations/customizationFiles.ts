import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { agentProblems } from '../../../agent/customizations/agentChecks.ts';
import {
  agentNamed,
  alwaysSent,
  type CustomizationSet,
  type FoundFile,
  instructionText,
  isUsed,
  type SentInstructions,
} from '../../../agent/customizations/found.ts';
import { modelNamed } from '../../../agent/customizations/modelNames.ts';
import { approximately, formatTokens } from '../../../display/tokens.ts';
import { baseName } from '../../../files/paths.ts';
import type { AgentView } from '../../../pages/chat/protocol.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { Log } from '../../log/log.ts';
import type { ModelList } from '../../models/modelList.ts';
import { FileDiagnostics } from './fileDiagnostics.ts';
import { WATCHED } from './places.ts';
import { type ReadCustomizations, readCustomizations } from './reader.ts';

/** The files that the user has switched off in this workspace, by their shown paths. */
const OFF_KEY = 'modelAccess.agent.switchedOff';
/** Several files are often changed together, such as by Git. In milliseconds. */
const QUIET_MS = 100;

export interface CustomizationFilesOptions {
  readonly memory: vscode.Memento;
  readonly prompts: vscode.Uri;
  readonly log: Log;
  readonly models: Pick<ModelList, 'state' | 'onDidChange'>;
  readonly onDidChange: () => void;
}

/** Reads the files with instructions, skills, and agents, and reads them again when they change. */
export class CustomizationFiles implements vscode.Disposable {
  readonly #options: CustomizationFilesOptions;
  readonly #diagnostics = new FileDiagnostics();
  readonly #subscriptions: vscode.Disposable[];
  #read: ReadCustomizations;
  #sent: SentInstructions | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Ends with the latest reading. */
  #reading: Promise<void> = Promise.resolve();
  /** Whether something has changed since the latest reading began. */
  #isStale = false;

  static async read(options: CustomizationFilesOptions): Promise<CustomizationFiles> {
    const files = new CustomizationFiles(options);
    await files.#readAgain();
    return files;
  }

  private constructor(options: CustomizationFilesOptions) {
    this.#options = options;
    this.#read = { instructions: [], skills: [], agents: [], uris: new Map(), realPaths: new Map() };
    const { workspace } = vscode;
    const watcher = workspace.createFileSystemWatcher(WATCHED, false, false, true);
    // The editor reports a folder that is deleted, but not what was in it.
    const deletions = workspace.createFileSystemWatcher('**', true, true);
    const changed = () => this.#changed();
    this.#subscriptions = [
      this.#diagnostics,
      watcher,
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      deletions,
      deletions.onDidDelete(({ path }) => this.#isAbove(path) && changed()),
      workspace.onDidChangeWorkspaceFolders(changed),
      workspace.onDidGrantWorkspaceTrust(changed),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('chat') && changed()),
      // Files of the user's own are not watched.
      workspace.onDidSaveTextDocument(({ uri }) => /\.md$/i.test(uri.path) && !isInWorkspace(uri) && changed()),
      this.#options.models.onDidChange(changed),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()),
    ];
  }

  get set(): CustomizationSet {
    return this.#read;
  }

  /** What each request contains; undefined for nothing. */
  get sent(): SentInstructions | undefined {
    return this.#sent;
  }

  /** The agents that the person can choose. */
  get agents(): readonly AgentView[] {
    return this.#read.agents
      .filter((found) => isUsed(found) && found.agent.isForPerson)
      .map(({ agent: { name, description } }) => ({ name, description }));
  }

  /** The name of the agent that another file means: by its name, or by that of its file. */
  agentCalled(written: string): string | undefined {
    const isCalled = (name: string) => name.toLowerCase() === written.toLowerCase();
    const usable = this.#read.agents.filter(isUsed);
    const byFile = ({ path }: FoundFile) => isCalled(baseName(path).replace(/(?:\.agent)?\.md$/i, ''));
    return (usable.find(({ agent }) => isCalled(agent.name)) ?? usable.find(byFile))?.agent.name;
  }

  /** The first model of an agent's file that exists. Undefined for the model of the chat. */
  modelOf(agentName: string): string | undefined {
    const models = this.#options.models.state.models.map(({ id }) => id);
    const named = agentNamed(this.#read, agentName)?.agent.models ?? [];
    return named.map((name) => modelNamed(name, models)).find((model) => model !== undefined);
  }

  /** Resolves when the files are read as they are now. */
  get settled(): Promise<void> {
    if (this.#isStale) this.#readNow();
    return this.#reading;
  }

  uriOf(path: string): vscode.Uri | undefined {
    return this.#read.uris.get(path);
  }

  realPathOf(path: string): string | undefined {
    return this.#read.realPaths.get(path);
  }

  /** Opens the file whose instructions each request contains; the user chooses one of several. */
  async openSent(): Promise<void> {
    const files = alwaysSent(this.#read);
    const items = files.map(({ path, tokens }) => ({
      label: path,
      description: l10n.t('{0} tokens', approximately(formatTokens(tokens))),
    }));
    const [first] = items;
    const title = l10n.t('Instructions in each request');
    const chosen = items.length > 1 ? await vscode.window.showQuickPick(items, { title }) : first;
    if (chosen !== undefined) await this.open(chosen.label);
  }

  /** Opens the file if it still exists. */
  async open(path: string): Promise<void> {
    const uri = this.uriOf(path);
    if (uri !== undefined) await vscode.window.showTextDocument(uri);
  }

  async switch(path: string, isOn: boolean): Promise<void> {
    const others = this.#off.filter((one) => one !== path);
    await this.#options.memory.update(OFF_KEY, isOn ? others : [...others, path]);
    this.#isStale = true;
    await this.settled;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #off(): readonly string[] {
    return this.#options.memory.get<readonly string[]>(OFF_KEY, []);
  }

  #isAbove(path: string): boolean {
    return [...this.#read.uris.values()].some((uri) => `${uri.path}/`.startsWith(`${path}/`));
  }

  #changed(): void {
    this.#isStale = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#readNow(), QUIET_MS);
  }

  #readNow(): void {
    clearTimeout(this.#timer);
    this.#isStale = false;
    const before = this.#reading;
    this.#reading = before
      .then(() => this.#readAgain())
      .catch((error: unknown) => this.#options.log.error('Could not read instructions, skills, and agents', error));
  }

  /** Names the tools and models of agents that do not exist here. */
  #checked(read: ReadCustomizations): ReadCustomizations {
    const tools = vscode.lm.tools.map(({ name }) => name);
    const models = this.#options.models.state.models.map(({ id }) => id);
    const agents = read.agents.map((found) => ({
      ...found,
      problems: [...found.problems, ...agentProblems(found.agent, tools, models)],
    }));
    return { ...read, agents };
  }

  async #readAgain(): Promise<void> {
    const off = new Set(this.#off);
    const read = this.#checked(await readCustomizations(this.#options.prompts, (path) => off.has(path)));
    const isSame = JSON.stringify(withoutUris(read)) === JSON.stringify(withoutUris(this.#read));
    this.#read = read;
    if (isSame) return;
    this.#sent = sentOf(read);
    this.#diagnostics.show(read);
    this.#options.onDidChange();
  }
}

function withoutUris({ instructions, skills, agents }: CustomizationSet): CustomizationSet {
  return { instructions, skills, agents };
}

function sentOf(set: CustomizationSet): SentInstructions | undefined {
  const files = alwaysSent(set);
  const [first] = files;
  if (first === undefined) return undefined;
  const text = files.map(instructionText).join('\n\n');
  const label = files.length === 1 ? baseName(first.path) : l10n.t('{0} instruction files', files.length);
  return { label, text, tokens: estimateTokens(text) };
}

function isInWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
