import * as vscode from 'vscode';

/** What a tool tells the model. */
export function jsonResult(value: object): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(value))]);
}
