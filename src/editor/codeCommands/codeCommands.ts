import type { CommandTable } from '../commands/commands.ts';
import type { CodeActionServices, CodeActions } from './codeActions.ts';

/** The commands on code and their prompts, loaded when the first command runs. */
export function codeCommands(services: CodeActionServices): CommandTable {
  let loaded: CodeActions | undefined;
  const actions = async () => {
    const { CodeActions } = await import('./codeActions.ts');
    loaded ??= new CodeActions(services);
    return loaded;
  };
  return {
    'modelAccess.explainSelection': { needsConnection: true, run: async () => (await actions()).explain() },
    'modelAccess.documentSelection': { needsConnection: true, run: async () => (await actions()).document() },
    'modelAccess.writeTests': { needsConnection: true, run: async () => (await actions()).writeTests() },
    'modelAccess.fixProblem': {
      needsConnection: true,
      run: async (uri, range) => (await actions()).fix(uri, range),
    },
    'modelAccess.writeCommitMessage': {
      needsConnection: true,
      run: async (sourceControl) => (await actions()).commitMessage(sourceControl),
    },
    'modelAccess.stopCommitMessage': { run: async () => (await actions()).stopCommitMessage() },
    'modelAccess.editCommandPrompt': { run: async () => (await actions()).editPrompt() },
  };
}
