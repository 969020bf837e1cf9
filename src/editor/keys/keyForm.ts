import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiKey } from '../../service/apiKey.ts';
import { normalizeBaseAddress } from '../../service/baseAddress.ts';
import { parseKey } from '../../service/pastedKey.ts';
import type { KeyField } from './keyCheck.ts';

/** The entered texts, each in a valid form. */
export interface KeyEntry {
  readonly key: ApiKey;
  readonly address: string;
}

interface InputStep {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly password: boolean;
  /** Returns the problem with a text; undefined if it is valid. */
  readonly problem: (text: string) => string | undefined;
}

/** The input boxes for the key and the base address. The form keeps the entered texts. */
export class ServiceKeyForm {
  readonly #texts: Record<KeyField, string>;

  /** @param address Empty if it is unknown. */
  constructor(address: string) {
    this.#texts = { key: '', address };
  }

  /** The fields without a text, in order. */
  get missing(): readonly KeyField[] {
    return (['key', 'address'] as const).filter((field) => this.#texts[field] === '');
  }

  /** Asks for these fields in order, with a Back button. Returns undefined if the user canceled. */
  async ask(fields: readonly KeyField[]): Promise<KeyEntry | undefined> {
    let position = 0;
    for (let field = fields[0]; field !== undefined; field = fields[position]) {
      const text = await showInputBox(stepOf(field), this.#texts[field], position + 1, fields.length);
      if (text === undefined) return undefined;
      if (text !== BACK) this.#texts[field] = text;
      position += text === BACK ? -1 : 1;
    }
    const parsed = parseKey(this.#texts.key);
    return parsed.ok ? { key: parsed.key, address: this.#texts.address } : undefined;
  }
}

function stepOf(field: KeyField): InputStep {
  if (field === 'key') {
    return {
      title: l10n.t('Service key'),
      prompt: l10n.t('Starts with key_. It is stored in the editor’s secret storage.'),
      placeholder: 'key_…',
      password: true,
      problem: (text) => problemOf(parseKey(text)),
    };
  }
  return {
    title: l10n.t('Service base address'),
    prompt: l10n.t('Shown in your dashboard. It usually ends with /api/v1.'),
    placeholder: 'https://…/api/v1',
    password: false,
    problem: (text) => problemOf(normalizeBaseAddress(text)),
  };
}

function problemOf(parsed: { readonly ok: true } | { readonly ok: false; readonly problem: string }) {
  return parsed.ok ? undefined : parsed.problem;
}

const BACK = Symbol('back');

/** Returns `BACK` for the Back button, or undefined if the box was closed. */
function showInputBox(step: InputStep, value: string, position: number, total: number) {
  const { problem, ...shown } = step;
  const box = vscode.window.createInputBox();
  Object.assign(box, shown, { value, ignoreFocusOut: true });
  if (total > 1) Object.assign(box, { step: position, totalSteps: total });
  const dashboard = { iconPath: new vscode.ThemeIcon('link-external'), tooltip: l10n.t('Open Dashboard') };
  box.buttons = [...(position > 1 ? [vscode.QuickInputButtons.Back] : []), dashboard];
  return new Promise<string | typeof BACK | undefined>((resolve) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = text === '' ? undefined : problem(text);
    });
    box.onDidAccept(() => {
      box.validationMessage = problem(box.value);
      if (box.validationMessage === undefined) resolve(box.value);
    });
    box.onDidTriggerButton((button) => {
      if (button === dashboard) void vscode.commands.executeCommand('modelAccess.openDashboard');
      else resolve(BACK);
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}
