/** The environment of the agent's commands. */
import * as vscode from 'vscode';

/** Programs that would wait for a key or a pager print everything instead. */
const WITHOUT_QUESTIONS = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
};
/** The names of operating systems in the editor's settings. All others are `linux`. */
const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'osx' };
/** The variables that such settings usually contain: the folder, or one of the environment. */
const VARIABLE = /\$\{(?:workspaceFolder|env:([^}]*))\}/g;
/** Variables of the editor's own processes. They would make `code` and Electron start as something else. */
const OF_EDITOR = /^(?:VSCODE|ELECTRON)_/;

/** Returns the environment that the editor has from the user's shell, with the user's settings for terminals. */
export function terminalEnvironment(folder: vscode.Uri): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_EDITOR.test(name));
  return { ...Object.fromEntries(inherited), ...changesOfSettings(folder), ...WITHOUT_QUESTIONS };
}

/** Returns what the user's settings change in the environment of terminals. Undefined removes a variable. */
function changesOfSettings(folder: vscode.Uri): NodeJS.ProcessEnv {
  const settings = vscode.workspace.getConfiguration('terminal.integrated.env', folder);
  const changes = settings.get<Record<string, string | null>>(SYSTEMS[process.platform] ?? 'linux') ?? {};
  const resolved = (value: string) =>
    value.replaceAll(VARIABLE, (_, name?: string) => (name === undefined ? folder.fsPath : (process.env[name] ?? '')));
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value === null ? undefined : resolved(value)]),
  );
}
