import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { agentProblems } from '../../../agent/customizations/agentChecks.ts';
import {
  agentCalled,
  agentNamed,
  alwaysSent,
  type CustomizationSet,
  instructionText,
  isUsed,
  type SentInstructions,
} from '../../../agent/customizations/found.ts';
import { modelNamed } from '../../../agent/customizations/modelNames.ts';
import type { FileProblem } from '../../../chat/prompts/frontMatter.ts';
import { approximately, formatTokens } from '../../../display/tokens.ts';
import { baseName } from '../../../files/paths.ts';
import type { AgentView } from '../../../pages/chat/protocol.ts';
import { DelayedCall } from '../../../rules/delayedCall.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { onDidCreateFolder } from '../../createdFolders.ts';
import type { Log } from '../../log/log.ts';
import type { ModelList } from '../../models/modelList.ts';
import { WATCHED } from './places.ts';
import { type ReadCustomizations, readCustomizations } from './reader.ts';

/** The files that the user has switched off in this workspace, by their shown paths. */
const OFF_KEY = 'modelAccess.agent.switchedOff';
/** What the file of an agent can name besides the agents of files: modes, and roles of helpers. */
const BUILT_IN: ReadonlySet<string> = new Set(['ask', 'agent', 'reader', 'editor']);
/** Several files are often changed together, such as by Git. In milliseconds. */
const QUIET_MS = 100;
/** The name of the extension beside each problem. */
const SOURCE = 'Model Access';

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
  readonly #readingSoon = new DelayedCall(() => this.#readNow(), QUIET_MS);
  /** Ends with the latest reading. */
  #reading: Promise<void> = Promise.resolve();
  /** Whether something has changed since the latest reading began. */
  #isStale = false;
  /** Whether a reading waits for the one before it. */
  #isReadingNext = false;

  /** Starts to read the files. Until they are read, there are none. */
  constructor(options: CustomizationFilesOptions) {
    this.#options = options;
    this.#read = { instructions: [], skills: [], agents: [], uris: new Map(), realFolders: new Map() };
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
      onDidCreateFolder(changed),
      // The watcher is told of what the editor itself creates only seconds later.
      workspace.onDidCreateFiles(({ files }) => files.some(({ path }) => /\.md$/i.test(path)) && changed()),
      workspace.onDidChangeWorkspaceFolders(changed),
      workspace.onDidGrantWorkspaceTrust(changed),
      workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('chat') && changed()),
      // Files of the user's own, and those that are imported, are not watched.
      workspace.onDidSaveTextDocument(({ uri }) => this.#mayBeRead(uri) && changed()),
      this.#options.models.onDidChange(changed),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && changed()),
    ];
    this.#readNow();
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
    return agentCalled(this.#read.agents, written)?.agent.name;
  }

  /** The first model of an agent's file that exists. Undefined for the model of the chat. */
  modelOf(agentName: string): string | undefined {
    return this.modelCalled(agentNamed(this.#read, agentName)?.agent.models ?? []);
  }

  /** The first of these models that exists. */
  modelCalled(names: readonly string[]): string | undefined {
    const models = this.#options.models.state.models.map(({ id }) => id);
    return names.map((name) => modelNamed(name, models)).find((model) => model !== undefined);
  }

  /** Resolves when the files are read as they are now. */
  get settled(): Promise<void> {
    if (this.#isStale) this.#readNow();
    return this.#reading;
  }

  uriOf(path: string): vscode.Uri | undefined {
    return this.#read.uris.get(path);
  }

  /** The folder of a skill. */
  realFolderOf(path: string): string | undefined {
    return this.#read.realFolders.get(path);
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
    this.#readingSoon.dispose();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #off(): readonly string[] {
    return this.#options.memory.get<readonly string[]>(OFF_KEY, []);
  }

  #mayBeRead(uri: vscode.Uri): boolean {
    const isOwn = /\.md$/i.test(uri.path) && vscode.workspace.getWorkspaceFolder(uri) === undefined;
    return isOwn || [...this.#read.uris.values()].some((read) => read.toString() === uri.toString());
  }

  #isAbove(path: string): boolean {
    return [...this.#read.uris.values()].some((uri) => `${uri.path}/`.startsWith(`${path}/`));
  }

  #changed(): void {
    this.#isStale = true;
    this.#readingSoon.afterPause();
  }

  #readNow(): void {
    this.#readingSoon.cancel();
    this.#isStale = false;
    // The reading that waits for the one before it also finds what has changed until it begins.
    if (this.#isReadingNext) return;
    this.#isReadingNext = true;
    this.#reading = this.#reading
      .then(() => {
        this.#isReadingNext = false;
        return this.#readAgain();
      })
      .catch((error: unknown) => this.#options.log.error('Could not read instructions, skills, and agents', error));
  }

  /** Names the tools, models, and agents that do not exist here. */
  #checked(read: ReadCustomizations): ReadCustomizations {
    const tools = vscode.lm.tools.map(({ name }) => name);
    const models = this.#options.models.state.models.map(({ id }) => id);
    const hasAgent = (name: string) => BUILT_IN.has(name) || agentCalled(read.agents, name) !== undefined;
    const agents = read.agents.map((found) => ({
      ...found,
      problems: [...found.problems, ...agentProblems(found.agent, { tools, models, hasAgent })],
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

/** The problems of files with instructions, skills, and agents, in the editor's list of problems. */
class FileDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection('modelAccess.customizations');

  show({ instructions, skills, agents, uris }: ReadCustomizations): void {
    this.#collection.clear();
    for (const { path, problems, isOff } of [...instructions, ...skills, ...agents]) {
      const uri = uris.get(path);
      if (uri !== undefined && !isOff && problems.length > 0) this.#collection.set(uri, problems.map(toDiagnostic));
    }
  }

  dispose(): void {
    this.#collection.dispose();
  }
}

function toDiagnostic({ line, message, severity }: FileProblem): vscode.Diagnostic {
  const range = new vscode.Range(line - 1, 0, line, 0);
  const levels = vscode.DiagnosticSeverity;
  const diagnostic = new vscode.Diagnostic(range, message, severity === 'error' ? levels.Error : levels.Warning);
  diagnostic.source = SOURCE;
  return diagnostic;
}
