import * as vscode from 'vscode';
import type { Command, CommandTable } from '../commands/commands.ts';
import type { Lazy } from '../lazy.ts';
import type { ContextActions } from './context/contextActions.ts';
import type { ContextSource } from './context/contextChoices.ts';
import type { ChatView } from './panel/chatView.ts';

export interface AttachServices {
  readonly view: ChatView;
  readonly context: Lazy<ContextActions>;
}

/** The commands that attach something to the next question. */
export function attachCommands(services: AttachServices): CommandTable {
  return {
    'modelAccess.askAboutSelection': { run: () => askAboutSelection(services) },
    'modelAccess.attach': { run: () => attachPicked(services) },
    'modelAccess.attachFile': { run: (uri, uris) => attachFiles(services, uri, uris) },
    'modelAccess.attachSelection': attachCommand(services, 'selection'),
    'modelAccess.attachFileProblems': attachCommand(services, 'fileProblems'),
    'modelAccess.attachChanges': attachCommand(services, 'changes'),
    'modelAccess.attachStagedChanges': attachCommand(services, 'stagedChanges'),
    'modelAccess.attachTerminalSelection': attachCommand(services, 'terminal'),
  };
}

/** Attaches the selection and focuses the message for the question. */
async function askAboutSelection({ context, view }: AttachServices): Promise<void> {
  const actions = await context.get();
  if (await actions.attachSelection()) await view.reveal();
}

function attachCommand({ context, view }: AttachServices, source: ContextSource): Command {
  const run = async () => {
    const actions = await context.get();
    await actions.attachSource(source);
    await view.reveal();
  };
  return { run };
}

async function attachPicked({ context, view }: AttachServices): Promise<void> {
  const actions = await context.get();
  await actions.pick();
  await view.reveal();
}

/** The Explorer passes the clicked item and all selected ones; the Command Palette passes nothing. */
async function attachFiles({ context, view }: AttachServices, uri: unknown, uris: unknown): Promise<void> {
  const actions = await context.get();
  const given = (Array.isArray(uris) && uris.length > 0 ? uris : [uri]).filter((one) => one instanceof vscode.Uri);
  if (given.length > 0) await actions.attachUris(given);
  else await actions.attachSource('file');
  await view.reveal();
}
