import * as vscode from 'vscode';
import type { ChatEvent } from '../../formats/answer.ts';
import { isRecord } from '../../formats/json.ts';
import type { Usage } from '../../formats/usage.ts';
import { thinkingPart, usagePart } from './nativeExtras.ts';

interface OpenEditorCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
}

/**
 * Converts one answer of the service to parts of the editor's chat. Several answers run in parallel, and each has its
 * own instance.
 */
export class AnswerParts {
  readonly #model: string;
  readonly #progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly #calls = new Map<number, OpenEditorCall>();
  /** Reasoning texts by index, kept for the seals that follow them. */
  readonly #reasoning = new Map<number, string>();
  #usage: Usage | undefined;

  constructor(model: string, progress: vscode.Progress<vscode.LanguageModelResponsePart>) {
    this.#model = model;
    this.#progress = progress;
  }

  /** @throws an error with the service's message if the answer broke off. */
  push(event: ChatEvent): void {
    switch (event.type) {
      case 'textDelta':
      case 'refusalDelta':
        this.#progress.report(new vscode.LanguageModelTextPart(event.text));
        return;
      case 'reasoningDelta':
        this.#reasoning.set(event.index, (this.#reasoning.get(event.index) ?? '') + event.text);
        this.#report(thinkingPart(event.text));
        return;
      case 'reasoningSeal': {
        const { type: _, index, ...seal } = event;
        const text = this.#reasoning.get(index) ?? '';
        this.#report(thinkingPart('', { type: 'reasoning', text, ...seal, model: this.#model }));
        return;
      }
      case 'toolCallStart':
        this.#calls.set(event.index, { id: event.id, name: event.name, arguments: '' });
        return;
      case 'toolCallDelta': {
        const call = this.#calls.get(event.index);
        if (call !== undefined) call.arguments += event.arguments;
        return;
      }
      case 'toolCallEnd':
        this.#endCall(event.index);
        return;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'error':
        throw new Error(event.error.message);
    }
  }

  /** Called when the answer is complete. */
  end(): void {
    for (const index of [...this.#calls.keys()]) this.#endCall(index);
    if (this.#usage !== undefined) this.#progress.report(usagePart(this.#usage));
  }

  #endCall(index: number): void {
    const call = this.#calls.get(index);
    if (call === undefined) return;
    this.#calls.delete(index);
    this.#progress.report(new vscode.LanguageModelToolCallPart(call.id, call.name, readArguments(call.arguments)));
  }

  #report(part: vscode.LanguageModelResponsePart | undefined): void {
    if (part !== undefined) this.#progress.report(part);
  }
}

/** Wraps input that is not an object in one, so that the tool itself can report the error to the model. */
function readArguments(written: string): object {
  if (written.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(written);
    if (isRecord(value)) return value;
  } catch {
    return { input: written };
  }
  return { input: written };
}
