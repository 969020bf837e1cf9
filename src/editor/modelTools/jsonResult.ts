import * as vscode from 'vscode';

/** Returns a tool result with the value as JSON. */
export function jsonResult(value: object): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(JSON.stringify(value))]);
}
