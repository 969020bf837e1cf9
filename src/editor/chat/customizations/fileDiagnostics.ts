import * as vscode from 'vscode';
import type { FileProblem } from '../../../chat/prompts/frontMatter.ts';
import type { ReadCustomizations } from './reader.ts';

/** The name of the extension beside each problem. */
const SOURCE = 'Model Access';

/** The problems of files with instructions, skills, and agents, in the editor's list of problems. */
export class FileDiagnostics implements vscode.Disposable {
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
