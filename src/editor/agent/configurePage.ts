import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type FoundFile, type FoundInstructions, hasError, skillsForModel } from '../../agent/customizations/found.ts';
import { skillList } from '../../agent/customizations/skillList.ts';
import { listOfTools } from '../../agent/tools/toolsOnDemand.ts';
import { dayOf } from '../../display/day.ts';
import { baseName } from '../../files/paths.ts';
import { defined } from '../../formats/json.ts';
import type { ContextLine } from '../../ledger/contextSums.ts';
import type { ConfigureAgentMessage } from '../../pages/configureAgent/configureMessages.ts';
import type {
  ConfigureAgentHostMessage,
  ConfigureAgentState,
  ConfiguredItem,
} from '../../pages/configureAgent/protocol.ts';
import type { UsagePeriod } from '../../pages/usage/protocol.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { inputCost } from '../../tokens/price.ts';
import type { BaseServices } from '../baseServices.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { CustomizationFiles } from '../chat/customizations/customizationFiles.ts';
import { newAgent } from '../chat/customizations/newAgent.ts';
import { folderOfSkill } from '../chat/customizations/skillText.ts';
import { followed, WebviewTab } from '../webviews/webviewTab.ts';
import { AgentUses } from './agentUses.ts';
import { ChosenTools } from './chosenTools.ts';
import { tokensOf } from './toolbox.ts';
import { definitionOf, knownTools } from './tools/editorTools.ts';

/** The period before which the ledger keeps nothing. */
const FIRST_DAY = '2020-01-01';

export interface ConfigurePageServices extends Pick<BaseServices, 'log' | 'models' | 'settings'> {
  readonly extensionUri: vscode.Uri;
  readonly session: ChatSession;
  /** Workspace state. */
  readonly memory: vscode.Memento;
  /** What the parts of requests have cost in a period, by the ledger. */
  readonly contextLines: (period: UsagePeriod) => Promise<readonly ContextLine[]>;
}

/** The tab that shows what the agent's requests contain, and switches parts of it off. */
export class ConfigurePage implements vscode.Disposable {
  readonly #services: ConfigurePageServices;
  readonly #tab: WebviewTab<ConfigureAgentHostMessage, ConfigureAgentMessage>;
  readonly #chosen: ChosenTools;
  readonly #uses: AgentUses;

  constructor(services: ConfigurePageServices) {
    const { extensionUri, log, session, memory, models, settings } = services;
    this.#services = services;
    this.#chosen = new ChosenTools(memory);
    this.#uses = new AgentUses(memory);
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.configureAgent',
      title: l10n.t('Configure Agent'),
      icon: 'robot',
      page: 'configureAgent',
      isKept: false,
      log,
      reader: async () => (await import('../../pages/configureAgent/configureMessages.ts')).readConfigureMessage,
      load: () => {
        const update = () => void this.#update();
        return followed(
          (message) => this.#receive(message),
          session.customizations.onDidChange(update),
          models.onDidChange(update),
          settings.onDidChange(['agent', 'chat'], update),
          session.chat.runs.onDidChange((run) => run?.state === 'done' && update()),
        );
      },
    });
  }

  async open(): Promise<void> {
    await this.#tab.reveal();
  }

  dispose(): void {
    this.#tab.dispose();
  }

  async #receive(message: ConfigureAgentMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'switch':
        return this.#switch(message);
      case 'open':
        return (await this.#files()).open(message.path);
      case 'newAgent':
        return newAgent();
      case 'openSettings':
        await vscode.commands.executeCommand('workbench.action.openSettings', 'modelAccess.agent.maxToolTokens');
    }
  }

  async #switch({ kind, id, isOn }: ConfigureAgentMessage & { readonly type: 'switch' }): Promise<void> {
    if (kind !== 'tools') return (await this.#files()).switch(id, isOn);
    const others = this.#chosen.names.filter((name) => name !== id);
    await this.#chosen.choose(isOn ? [...others, id] : others);
    await this.#update();
  }

  #files(): Promise<CustomizationFiles> {
    return this.#services.session.customizations.ready();
  }

  async #update(): Promise<void> {
    if (!this.#tab.isVisible) return;
    const files = await this.#files();
    const lines = await this.#lines();
    this.#tab.post({
      type: 'state',
      state: this.#state(
        files,
        lines.filter(({ client }) => client === ''),
      ),
    });
  }

  /** The page is useful without the ledger, too. */
  async #lines(): Promise<readonly ContextLine[]> {
    try {
      return await this.#services.contextLines({ first: FIRST_DAY, last: dayOf(Date.now()) });
    } catch (error) {
      this.#services.log.error('The costs of what requests contain could not be read', error);
      return [];
    }
  }

  #state(files: CustomizationFiles, lines: readonly ContextLine[]): ConfigureAgentState {
    const { session, models, settings } = this.#services;
    const { model } = session.parameters;
    const priced = models.find(model);
    const { items, savedTokens } = this.#tools(lines);
    const skills = this.#skills(files, lines);
    const { instructions, agents } = files.set;
    const note = (found: FoundFile) => ({ ...ofFile(found), ...this.#unused(found.path) });
    return {
      isTrusted: vscode.workspace.isTrusted,
      model,
      savedTokens,
      maxToolTokens: settings.maxToolTokens,
      ...defined({
        tokenPrice: priced && inputCost(1, priced),
        countedSteps: this.#uses.counted,
        keptDescription: skills.kept,
      }),
      sections: [
        {
          kind: 'instructions',
          items: instructions.map((found) => ({
            ...ofFile(found),
            ...scopeOf(found),
            ...(found.file.scope.type === 'always' ? {} : this.#unused(found.path)),
            ...spentOn(lines, 'instructions', baseName(found.path)),
          })),
        },
        { kind: 'skills', items: skills.items },
        {
          kind: 'agents',
          items: agents.map((found) => ({
            ...note(found),
            name: found.agent.name,
            detail: found.agent.description,
            usedTokens: found.tokens,
          })),
        },
        { kind: 'tools', items },
      ],
    };
  }

  #skills(files: CustomizationFiles, lines: readonly ContextLine[]) {
    const listed = skillsForModel(files.set).filter((found) => folderOfSkill(found, files) !== undefined);
    const { entries, kept } = skillList(listed.map(({ skill }) => skill));
    const items = files.set.skills.map((found) => {
      const { name, description, isForModel } = found.skill;
      const isKnown = isForModel && folderOfSkill(found, files) !== undefined;
      // One that is off counts as what it would add.
      const entry = entries[listed.indexOf(found)] ?? skillList([found.skill]).entries[0] ?? '';
      return {
        ...ofFile(found),
        ...this.#unused(name, found.path),
        name,
        detail: description,
        stepTokens: isKnown ? estimateTokens(entry) : 0,
        usedTokens: found.tokens,
        ...spentOn(lines, 'instructions', `skill ${name}`),
      };
    });
    return { items, kept };
  }

  #tools(lines: readonly ContextLine[]) {
    const { maxToolTokens } = this.#services.settings;
    const chosen = this.#chosen.names;
    const tools = knownTools().map((tool) => ({ definition: definitionOf(tool), isOn: chosen.includes(tool.name) }));
    const on = tools.filter(({ isOn }) => isOn);
    const all = tokensOf(on);
    const isOnDemand = all > maxToolTokens;
    const listed = isOnDemand ? estimateTokens(listOfTools(on)) : all;
    const items = tools.map(({ definition, isOn }): ConfiguredItem => {
      const tokens = tokensOf([{ definition }]);
      const line = estimateTokens(`- ${definition.name}: ${definition.description.split('\n', 1)[0] ?? ''}`);
      return {
        id: definition.name,
        name: definition.name,
        detail: definition.description,
        isOn,
        stepTokens: isOnDemand ? line : tokens,
        ...(isOnDemand && { usedTokens: tokens }),
        ...this.#unused(definition.name),
        ...spentOn(lines, 'tools', definition.name),
      };
    });
    return { items, savedTokens: all - listed };
  }

  #unused(...names: readonly string[]): Pick<ConfiguredItem, 'isUnused'> {
    return names.every((name) => this.#uses.isUnused(name)) ? { isUnused: true } : {};
  }
}

function ofFile(file: FoundFile) {
  const { path, isOff, problems, twin } = file;
  const error = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  const said = error && l10n.t('Line {0}: {1}', error.line, error.message);
  const same = twin === undefined ? undefined : l10n.t('{0} is used instead.', twin);
  return {
    id: path,
    path,
    name: baseName(path),
    detail: '',
    isOn: !isOff,
    stepTokens: 0,
    ...defined({ problem: hasError(file) ? said : (same ?? said) }),
  };
}

/** When instructions apply, and their tokens then. */
function scopeOf({ file: { scope, name }, tokens }: FoundInstructions): Partial<ConfiguredItem> {
  switch (scope.type) {
    case 'always':
      return { name, detail: l10n.t('Every request'), stepTokens: tokens };
    case 'folder':
      return { name, detail: l10n.t('Files below {0}', scope.folder), usedTokens: tokens };
    case 'files':
      return { name, detail: l10n.t('Files that match {0}', scope.globs.join(', ')), usedTokens: tokens };
    case 'manual':
      return { name, detail: l10n.t('Only when attached'), usedTokens: tokens };
  }
}

/** The cost of the definitions of a tool, or of all files with this name. Undefined if the ledger has none. */
function spentOn(
  lines: readonly ContextLine[],
  kind: ContextLine['kind'],
  name: string,
): Pick<ConfiguredItem, 'spent'> {
  const found = lines.filter((line) => line.kind === kind && line.name === name);
  return found.length === 0 ? {} : { spent: found.reduce((sum, { cost }) => sum + cost, 0) };
}
