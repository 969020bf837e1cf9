import * as vscode from 'vscode';
import type { UsagePeriod } from '../pages/usage/protocol.ts';
import { balanceCommands } from './balance/balanceCommands.ts';
import { chatCommands } from './chat/chatCommands.ts';
import type { ChatSession } from './chat/chatSession.ts';
import type { ChatTabs } from './chat/panel/chatTabs.ts';
import type { ChatView } from './chat/panel/chatView.ts';
import { reviewCommands } from './chat/review/reviewTab.ts';
import { codeCommands } from './codeCommands/codeCommands.ts';
import { type Command, type CommandTable, lazyCommands, registerCommands } from './commands/commands.ts';
import { connectionCommands, offerConnection } from './connection/connectionCommands.ts';
import type { CopyServices } from './copyAs/copyAs.ts';
import { openFirstSteps } from './firstSteps/walkthrough.ts';
import type { KeyActions, KeyCommandServices } from './keys/keyActions.ts';
import { Lazy } from './lazy.ts';
import { localKeyCommands } from './localKeys/localKeyCommands.ts';
import type { Log } from './log/log.ts';
import type { RoutesPageServices } from './routes/routesPage.ts';
import type { Services } from './services.ts';
import { type SessionView, sessionCommands } from './sessions/sessionView.ts';
import type { TerminalEnvironment } from './terminals/terminalEnvironment.ts';
import { toolCommands } from './tools/toolCommands.ts';
import { type TrafficView, trafficCommands } from './traffic/trafficView.ts';
import { type UsageView, usageCommands } from './usage/usageView.ts';

/** The views that commands open, and what the command for terminals switches. */
interface CommandTargets {
  readonly view: ChatView;
  readonly tabs: ChatTabs;
  readonly usage: UsageView;
  readonly traffic: TrafficView;
  readonly sessions: SessionView;
  readonly terminals: Lazy<TerminalEnvironment>;
}

/** Registers all commands. */
export function startCommands(
  context: vscode.ExtensionContext,
  services: Services,
  { view, tabs, usage, traffic, sessions, terminals }: CommandTargets,
): vscode.Disposable {
  const { log, settings, keys, connection, balance, historyActions, prompts, session, selection } = services;
  const { gateway, upstream, chatContext } = services;
  const commands = {
    ...keyCommands({ keys, settings, connection, log }),
    ...connectionCommands(connection, settings, services),
    ...chatCommands({ session, view, tabs, history: historyActions, prompts, context: chatContext }),
    ...codeCommands({ ...services, view }),
    ...copyCommands(services),
    ...reviewCommands(services.reviewTabs),
    ...lazyCommands(['modelAccess.countTokens'], async () => {
      const { tokenCommands } = await import('./tokens/tokenCommands.ts');
      return tokenCommands(selection);
    }),
    ...modelCommandsOf(services),
    ...modelsViewCommandsOf(services),
    ...balanceCommands(balance, settings, services.documents),
    ...gatewayCommandsOf(services),
    ...lazyCommands(['modelAccess.toggleTerminals'], async () => {
      const { terminalCommands } = await import('./terminals/terminalCommands.ts');
      return terminalCommands({ settings, gateway, upstream, terminals });
    }),
    ...toolCommands(
      { ...services, extensionUri: context.extensionUri, chatModel: () => session.parameters.model },
      context.extension.packageJSON.contributes.commands,
    ),
    ...localKeyCommands({ ...services, extensionUri: context.extensionUri }),
    ...routeCommands({
      ...services,
      extensionUri: context.extensionUri,
      known: () => services.upstream.knownNames,
      chatModel: () => session.parameters.model,
      team: () => balance.state.balance?.team?.team?.name,
    }),
    ...rareCommandsOf(services, context.languageModelAccessInformation),
    ...lazyCommands(['modelAccess.configureAgent', 'modelAccess.showAgentApprovals'], async () => {
      const { agentCommands } = await import('./agent/agentCommands.ts');
      const { worker, ledger } = services;
      const { extensionUri, workspaceState: memory } = context;
      const contextLines = (period: UsagePeriod) =>
        worker.rpc.readLedger('usageContext', { ledger, period, ofSandbox: connection.open?.kind === 'sandbox' });
      return agentCommands({ ...services, extensionUri, memory, contextLines }, context.subscriptions);
    }),
    ...suggestionCommandsOf(services),
    ...trafficCommands(traffic),
    ...usageCommands(usage),
    ...sessionCommands(sessions, services),
    ...helpCommands(context.extension, log),
  };
  return registerCommands(commands, { isConnected: () => connection.isOpen(), offerConnection }, log);
}

function suggestionCommandsOf({ suggestions }: Services): CommandTable {
  const names = [
    'toggleInlineSuggestions',
    'snoozeInlineSuggestions',
    'showInlineSuggestionsMenu',
    'chooseInlineSuggestionModel',
    'dismissInlineSuggestion',
    'acceptNextEdit',
    'dismissNextEdit',
  ];
  const ids = names.map((name) => `modelAccess.${name}`);
  return lazyCommands(ids, async () => (await suggestions.get()).commands);
}

function modelCommandsOf({ models, session, documents }: Services): CommandTable {
  const ids = ['modelAccess.showModels', 'modelAccess.chooseModel', 'modelAccess.refreshModels'];
  const load = async () => {
    const { modelCommands } = await import('./models/modelCommands.ts');
    return modelCommands(models, session, documents);
  };
  return lazyCommands(ids, load, { needsConnection: true });
}

function modelsViewCommandsOf(services: Services): CommandTable {
  const ofRows = [
    'modelAccess.useModel',
    'modelAccess.useModelForChat',
    'modelAccess.useModelForExplain',
    'modelAccess.useModelForCommitMessage',
    'modelAccess.addFavouriteModel',
    'modelAccess.removeFavouriteModel',
    'modelAccess.copyModelName',
    'modelAccess.showModelEntry',
    'modelAccess.forgetRefusal',
  ];
  const load = async () => {
    const { modelsViewCommands } = await import('./modelsView/modelsViewCommands.ts');
    return modelsViewCommands(services);
  };
  return {
    ...lazyCommands(ofRows, load),
    ...lazyCommands(['modelAccess.chooseDefaultModel'], load, { needsConnection: true }),
  };
}

function gatewayCommandsOf(services: Services): CommandTable {
  const ofGateway = [
    'modelAccess.startGateway',
    'modelAccess.stopGateway',
    'modelAccess.useAnotherPort',
    'modelAccess.copyGatewayAddress',
    'modelAccess.cancelExchange',
    'modelAccess.showGatewayMenu',
  ];
  return lazyCommands(ofGateway, async () => {
    const { gatewayCommands } = await import('./gatewayView/gatewayCommands.ts');
    return gatewayCommands(services);
  });
}

/** Commands that each open one dialog. */
function rareCommandsOf(services: Services, access: vscode.LanguageModelAccessInformation): CommandTable {
  const names = ['setUpstreamKey', 'allowEditorModels', 'chooseUtilityModel', 'copyBranchCost'];
  const ids = names.map((name) => `modelAccess.${name}`);
  return lazyCommands(ids, async () => {
    const { rareCommands } = await import('./rareCommands.ts');
    return rareCommands(services, access);
  });
}

function copyCommands(services: CopyServices & { readonly session: ChatSession }): CommandTable {
  const run = async () => {
    const { copyConversation } = await import('./copyAs/copyConversation.ts');
    await copyConversation(services.session.chat, services);
  };
  return { 'modelAccess.copyConversationAs': { needsConnection: true, run } };
}

/** The command for routes. Their page is loaded when it is first opened. */
function routeCommands(services: RoutesPageServices): CommandTable {
  const page = new Lazy(async () => {
    const { RoutesPage } = await import('./routes/routesPage.ts');
    return new RoutesPage(services);
  });
  return { 'modelAccess.manageRoutes': { run: async () => (await page.get()).open() } };
}

/** The commands for the service key. Their dialogs are loaded with the first command. */
function keyCommands(services: KeyCommandServices): CommandTable {
  const command = (name: keyof KeyActions): Command => ({
    run: async () => {
      const { keyActions } = await import('./keys/keyActions.ts');
      await keyActions(services)[name]();
    },
  });
  return {
    'modelAccess.setServiceKey': command('set'),
    'modelAccess.showServiceKey': command('show'),
    'modelAccess.removeServiceKey': command('remove'),
    'modelAccess.openDashboard': command('openDashboard'),
  };
}

function helpCommands(extension: vscode.Extension<unknown>, log: Log): CommandTable {
  const open = (...path: string[]) =>
    vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extension.extensionUri, ...path));
  return {
    'modelAccess.openLog': { run: () => log.show() },
    'modelAccess.openSettings': {
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extension.id}`),
    },
    'modelAccess.openFirstSteps': { run: openFirstSteps },
    'modelAccess.openPrivacy': { run: () => open('media', 'privacy.md') },
    // Not in the palette: the Usage view links to it.
    'modelAccess.openCaching': { run: () => open('dist', 'caching.md') },
  };
}
