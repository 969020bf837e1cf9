import * as vscode from 'vscode';
import type { ApiError } from '../../formats/apiError.ts';
import { isRecord } from '../../formats/json.ts';

/** Converts an error of an editor's model for the gateway's caller. In English, like all errors of the gateway. */
export function modelError(error: unknown, name: string): ApiError {
  const reason = reasonOf(error);
  switch (error instanceof vscode.LanguageModelError ? error.code : undefined) {
    case 'NoPermissions':
      return notAllowed(name);
    case 'Blocked':
      return {
        kind: 'permission',
        status: 403,
        code: 'model_blocked',
        message: `The editor's model "${name}" currently refuses requests: ${reason}`,
      };
    case 'NotFound':
      return unknownModel(name);
    default:
      return {
        kind: 'server',
        status: 502,
        message: `The editor's model "${name}" failed: ${reason}`,
      };
  }
}

/** Errors of other extensions are serialized between processes, and are not always `Error` objects. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  const message = isRecord(error) ? error.message : error;
  return typeof message === 'string' ? message : 'it gave no reason';
}

/** The user cannot be asked during a tool's request. The message explains where to allow the model. */
export function notAllowed(name: string): ApiError {
  return {
    kind: 'permission',
    status: 403,
    code: 'model_not_allowed',
    message: `Model Access does not have permission to use the editor's model "${name}" yet. Allow it in the dialog that the editor shows, or run the command "Model Access: Allow Editor Models for Gateway…", and then retry.`,
  };
}

export function unknownModel(name: string): ApiError {
  return {
    kind: 'notFound',
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: `No extension of the editor offers the model "${name}". GET /models lists the available models.`,
  };
}
