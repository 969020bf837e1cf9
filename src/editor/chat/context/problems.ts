import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CountedAttachment, textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';

/** Further problems are only counted. */
const MAX_PROBLEMS = 500;

/** In English, because the text is for the model. */
const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'information',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** Returns the number of problems in one file or in all files. */
export function countProblems(uri?: vscode.Uri): number {
  return diagnostics(uri).reduce((sum, [, found]) => sum + found.length, 0);
}

/**
 * Attaches the problems of one file, or of all files, the errors first.
 * @throws if there are none.
 */
export function attachProblems(uri?: vscode.Uri): CountedAttachment {
  const lines = diagnostics(uri)
    .flatMap(([file, found]) => found.map((problem) => ({ file, problem })))
    .sort((a, b) => a.problem.severity - b.problem.severity)
    .map(({ file, problem }) => lineOf(file, problem));
  if (lines.length === 0) throw new Error(l10n.t('The editor reports no problems.'));
  const more = lines.length - MAX_PROBLEMS;
  const label = uri === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', baseName(uri.path));
  return textAttachment({
    kind: 'problems',
    label,
    path: uri === undefined ? 'the workspace' : vscode.workspace.asRelativePath(uri),
    languageId: '',
    text: [...lines.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    note: lines.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', lines.length),
  });
}

/** Describes these problems of a file for the model. */
export function describeProblems(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): Attachment {
  return textAttachment({
    kind: 'problems',
    label: l10n.t('Problems in {0}', baseName(uri.path)),
    path: vscode.workspace.asRelativePath(uri),
    languageId: '',
    text: problems.map((problem) => lineOf(uri, problem)).join('\n'),
  });
}

function diagnostics(uri: vscode.Uri | undefined): [vscode.Uri, readonly vscode.Diagnostic[]][] {
  if (uri !== undefined) return [[uri, vscode.languages.getDiagnostics(uri)]];
  return vscode.languages.getDiagnostics();
}

/** Formats a problem such as `src/a.ts:12:5 error ts(2304): Cannot find name 'x'.` */
function lineOf(uri: vscode.Uri, { range, severity, source, code, message }: vscode.Diagnostic): string {
  const place = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}:${range.start.character + 1}`;
  const number = typeof code === 'object' ? code.value : code;
  const origin = [source, number === undefined ? '' : `(${number})`].join('');
  return `${place} ${[SEVERITIES[severity], origin].filter(Boolean).join(' ')}: ${message}`;
}
