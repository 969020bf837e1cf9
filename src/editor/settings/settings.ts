import * as vscode from 'vscode';
import { FORMAT_NAMES, type FormatName } from '../../formats/conversation.ts';
import { isRecord } from '../../formats/json.ts';
import type { SpendingLimits } from '../../gateway/budgets/spendingLimits.ts';
import type { ContextMeasuring } from '../../rules/contextPart.ts';
import { REASONING_EFFORTS, type ReasoningEffort } from '../../rules/reasoningEffort.ts';
import { readSecretPolicy, type SecretPolicy } from '../../rules/secretPolicy.ts';
import { type AliasList, readAliasList, readUpstreamList, type UpstreamList } from '../../settings/upstreamList.ts';

const SECTION = 'modelAccess';

/** The settings that the extension changes itself. */
interface ChangedSettings {
  readonly baseAddress: string;
  readonly 'sandbox.enabled': boolean;
  readonly 'traffic.captureBodies': boolean;
  readonly routes: Readonly<Record<string, unknown>>;
  readonly 'gateway.autoStart': boolean;
  readonly 'gateway.aliases': Readonly<Record<string, unknown>>;
  readonly 'terminals.useGateway': boolean;
  readonly 'balance.warnBelow': number;
  readonly 'chat.model': string;
  readonly 'chat.format': FormatName;
  readonly 'chat.presets': Readonly<Record<string, unknown>>;
  readonly 'models.explain': string;
  readonly 'models.commitMessage': string;
  readonly 'models.favourites': readonly string[];
}

/** Typed access to the settings of `package.json`. Each is read when it is used, so that changes apply immediately. */
export class Settings {
  /** The address of the hosted service. Empty until the first key is set. */
  get baseAddress(): string {
    return this.#text('baseAddress');
  }

  get dashboardAddress(): string {
    return this.#text('dashboardAddress');
  }

  get sandboxEnabled(): boolean {
    return this.#read('sandbox.enabled', false);
  }

  /** The pause between the events of the sandbox's streams, in milliseconds. */
  get sandboxDelay(): number {
    return Math.max(0, this.#read('sandbox.delay', 12));
  }

  /** Empty until a model is chosen. */
  get chatModel(): string {
    return this.#text('chat.model');
  }

  get chatFormat(): FormatName {
    const name = this.#text('chat.format');
    return FORMAT_NAMES.find((known) => known === name) ?? 'messages';
  }

  /** Whether a cheap model writes the titles of chats. */
  get writesTitles(): boolean {
    return this.#read('chat.writeTitles', true);
  }

  /** The tokens that definitions of tools of other extensions may have in each step of the agent. */
  get maxToolTokens(): number {
    return Math.max(0, this.#read('agent.maxToolTokens', 4000));
  }

  get systemPrompt(): string {
    return this.#text('chat.systemPrompt');
  }

  /** The maximum number of tokens of an answer. */
  get maxTokens(): number {
    return Math.max(1, Math.floor(this.#read('chat.maxTokens', 4096)));
  }

  /** Undefined leaves it to the service. */
  get temperature(): number | undefined {
    return this.#read<number | null>('chat.temperature', null) ?? undefined;
  }

  /** Undefined leaves it to the model. */
  get reasoningEffort(): ReasoningEffort | undefined {
    const effort = this.#text('chat.reasoningEffort');
    return REASONING_EFFORTS.find((known) => known === effort);
  }

  /** By name, unvalidated, because anything may have been typed into the settings. */
  get presets(): Readonly<Record<string, unknown>> {
    return this.#read<Record<string, unknown>>('chat.presets', {});
  }

  /** Empty if the chat's model is used. */
  modelForUse(use: 'explain' | 'commitMessage'): string {
    return this.#text(`models.${use}`);
  }

  /** Names of models. */
  get favoriteModels(): readonly string[] {
    return this.#read<string[]>('models.favourites', []);
  }

  get gatewayPort(): number {
    return this.#read('gateway.port', 8787);
  }

  get gatewayAutoStart(): boolean {
    return this.#read('gateway.autoStart', false);
  }

  get terminalsUseGateway(): boolean {
    return this.#read('terminals.useGateway', false);
  }

  get gatewayAllowedOrigins(): readonly string[] {
    return this.#read<string[]>('gateway.allowedOrigins', []);
  }

  get gatewayAliases(): AliasList {
    return readAliasList(this.writtenAliases);
  }

  /** The unvalidated value of the setting. */
  get writtenAliases(): unknown {
    return this.#read<unknown>('gateway.aliases', {});
  }

  /** The unvalidated value of the setting, which `routeList.ts` checks. */
  get routes(): unknown {
    return this.#read<unknown>('routes', {});
  }

  get hasRoutes(): boolean {
    const { routes } = this;
    return isRecord(routes) && Object.keys(routes).length > 0;
  }

  isRoute(name: string): boolean {
    const { routes } = this;
    return isRecord(routes) && Object.hasOwn(routes, name);
  }

  /** Whether the gateway also offers models of other extensions. */
  get editorModels(): boolean {
    return this.#read('gateway.editorModels', false);
  }

  /** Whether the gateway keeps bodies in memory for the Traffic view. */
  get captureBodies(): boolean {
    return this.#read('traffic.captureBodies', false);
  }

  /** What happens to secrets in requests of the extension and of tools. */
  get secretPolicy(): SecretPolicy {
    return readSecretPolicy(this.#read<unknown>('secrets.policy', 'off')) ?? 'off';
  }

  /** Whose values are secrets: patterns of files, and environment variables. */
  get secretSources(): { readonly files: readonly string[]; readonly variables: readonly string[] } {
    const sources = texts(this.#read<unknown>('secrets.sources', []));
    const files = sources.filter((each) => !each.startsWith('$'));
    return { files, variables: sources.flatMap((each) => (each.startsWith('$') ? each.slice(1) : [])) };
  }

  /** Whether a session is ended when its agent repeats the same call with the same result. */
  get endLoops(): boolean {
    return this.#read('gateway.endLoops', false);
  }

  /** Whether the ledger gets the repository and branch of the extension's own requests. */
  get recordsBranch(): boolean {
    return this.#read('usage.recordBranch', true);
  }

  /** Whether the ledger gets what the requests of sessions consist of. */
  get measuresContext(): ContextMeasuring {
    const chosen = this.#read<unknown>('usage.measureContext', true);
    return chosen === 'fileNames' ? chosen : chosen !== false;
  }

  /** The gateway's upstreams in addition to the service. */
  get upstreams(): UpstreamList {
    return readUpstreamList(this.#read<unknown>('upstreams', []));
  }

  /** The amount in US dollars below which the balance is shown as low. */
  get balanceWarnBelow(): number {
    return this.#read('balance.warnBelow', 1);
  }

  /** The limits of the service key in US dollars. A limit of 0 is omitted. */
  get spendingLimits(): SpendingLimits {
    const [daily, monthly] = [this.#read('limits.daily', 0), this.#read('limits.monthly', 0)];
    return { ...(daily > 0 && { daily }), ...(monthly > 0 && { monthly }) };
  }

  /** How many chats of this window may run at the same time. */
  get maxRunningChats(): number {
    return Math.max(1, Math.floor(this.#read('chat.maxRunning', 4)));
  }

  /** The cap for each chat of the panel in US dollars; 0 means no cap. */
  get chatCap(): number {
    return Math.max(0, this.#read('limits.chat', 0));
  }

  /** What a run of the agent may cost in US dollars before it asks; 0 for no cap. */
  get agentCap(): number {
    return Math.max(0, this.#read('agent.cap', 1));
  }

  /** The same for one step. */
  get agentStepCap(): number {
    return Math.max(0, this.#read('agent.stepCap', 0));
  }

  /** The number of helpers of a run that work at the same time. */
  get agentMaxHelpers(): number {
    return Math.max(1, this.#read('agent.maxHelpers', 3));
  }

  /** The number of steps after which a run asks. */
  get agentMaxSteps(): number {
    return Math.max(1, this.#read('agent.maxSteps', 50));
  }

  /** The model that summarizes the steps of long runs; empty for the chat's model. */
  get agentSummaryModel(): string {
    return this.#read('agent.summaryModel', '');
  }

  /** Whether the agent's edits are held back until each was seen. */
  get agentReviewsFirst(): boolean {
    return this.#read('agent.reviewBeforeWriting', false);
  }

  /** The expected cost in US dollars above which code commands ask first. */
  get commandsAskAbove(): number {
    return Math.max(0, this.#read('commands.askAbove', 0.1));
  }

  get suggestsInline(): boolean {
    return this.#read('inlineSuggestions.enabled', false);
  }

  /** What the status bar shows: sections of the item, and `selection` for the tokens of the selection. */
  get statusBar(): readonly string[] {
    return this.#read('statusBar', ['balance', 'gateway', 'suggestions', 'selection']);
  }

  /** Changes a setting of the user. Without a value, its default applies. */
  async set<Name extends keyof ChangedSettings>(name: Name, value: ChangedSettings[Name] | undefined): Promise<void> {
    await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
  }

  /** Calls the listener when one of these settings, named without the section, has changed. */
  onDidChange(names: readonly string[], listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidChangeConfiguration((event) => {
      if (names.some((name) => event.affectsConfiguration(`${SECTION}.${name}`))) listener();
    });
  }

  #text(name: string): string {
    return this.#read(name, '').trim();
  }

  #read<T>(name: string, fallback: T): T {
    return vscode.workspace.getConfiguration(SECTION).get<T>(name, fallback);
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
