import type * as vscode from 'vscode';
import { defined } from '../../../formats/json.ts';
import type { ConnectState } from '../../../pages/connectTool/protocol.ts';
import { checkCost } from '../../../tools/checkCall.ts';
import { shortPath } from '../../../tools/filePreview.ts';
import type { ConnectServices } from '../connectTool.ts';
import { isStale } from '../toolConnections.ts';
import { openingForm } from './connectForm.ts';
import type { CheckServices } from './toolChecker.ts';
import type { FoundTool } from './toolFinder.ts';

export interface ConnectPageServices extends ConnectServices, CheckServices {
  readonly extensionUri: vscode.Uri;
  /** The model of the current chat. */
  readonly chatModel: () => string;
}

/** Returns what the page shows of the found tools. */
export async function connectState(
  { gateway, models, localKeys, toolConnections, chatModel, settings }: ConnectPageServices,
  found: readonly FoundTool[],
): Promise<ConnectState> {
  const { keys } = await localKeys.read();
  const ordered = found.toSorted((a, b) => Number(b.isFound) - Number(a.isFound));
  return {
    chatModel: chatModel(),
    isSample: settings.sandboxEnabled,
    startsWithEditor: settings.gatewayAutoStart,
    isGatewayRunning: gateway.isRunning,
    models: models.state.models.map((model) => {
      const { id, contextWindow, inputPrice, outputPrice, tools, images, reasoning } = model;
      return defined({
        ...{ id, contextWindow, inputPrice, outputPrice, tools, images, reasoning },
        checkCost: checkCost(model),
      });
    }),
    tools: ordered.map(({ tool, isFound, file, program, version }) => {
      const connection = toolConnections.find(tool.id);
      return {
        id: tool.id,
        name: tool.name,
        isFound,
        isInstalled: isFound || (tool.program ?? tool.extension ?? tool.configuration) === undefined,
        documentation: tool.documentation,
        isConnected: connection !== undefined,
        isStale:
          connection !== undefined && gateway.state.state === 'running' && isStale(connection, gateway.state.address),
        form: openingForm(tool, chatModel(), keys, connection),
        ...defined({ version, program: program && tool.program, file: file && shortPath(file) }),
      };
    }),
  };
}
