import * as vscode from 'vscode';
import type { Settings } from '../settings/settings.ts';
import {
  STATUS_SECTIONS,
  type StatusHover,
  type StatusPart,
  type StatusSection,
  type StatusSectionName,
} from './statusSection.ts';

/** How often texts with a time are updated, such as the age of a stale balance. In milliseconds. */
const REPAINT_MS = 60_000;

/** The extension's item in the status bar: a short text of each section, and a hover with the details of all. */
export class StatusBar implements vscode.Disposable {
  readonly #settings: Settings;
  readonly #item = vscode.window.createStatusBarItem('modelAccess.status', vscode.StatusBarAlignment.Right, 102);
  readonly #sections = new Map<StatusSectionName, StatusSection>();
  /** The hovers of the sections, as they were when these changed last. */
  readonly #hovers = new Map<StatusSectionName, StatusHover | Promise<StatusHover>>();
  readonly #subscriptions: vscode.Disposable[];
  readonly #repaint: NodeJS.Timeout;
  /** Number of the update whose hover is being put together. */
  #update = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#item.name = 'Model Access';
    this.#subscriptions = [settings.onDidChange(['statusBar'], () => this.#show([]))];
    this.#repaint = setInterval(() => this.#show(this.#inOrder), REPAINT_MS);
  }

  /** @returns a disposable that removes the section. */
  add(section: StatusSection): vscode.Disposable {
    this.#sections.set(section.name, section);
    const subscription = section.onDidChange(() => this.#show([section]));
    this.#show([section]);
    return new vscode.Disposable(() => {
      subscription.dispose();
      this.#sections.delete(section.name);
      this.#hovers.delete(section.name);
      this.#show([]);
    });
  }

  dispose(): void {
    clearInterval(this.#repaint);
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }

  get #inOrder(): readonly StatusSection[] {
    return STATUS_SECTIONS.flatMap((name) => this.#sections.get(name) ?? []);
  }

  /** @param changed the sections whose hovers may have changed. */
  #show(changed: readonly StatusSection[]): void {
    const parts = this.#inOrder.flatMap((section) => {
      const part = section.part();
      const isShown = part?.level !== undefined || this.#settings.statusBar.includes(section.name);
      return part !== undefined && isShown ? [part] : [];
    });
    const level = worstLevel(parts);
    this.#item.text = parts.map(({ text }) => text).join(' ');
    this.#item.accessibilityInformation = { label: ['Model Access', ...parts.map(({ label }) => label)].join('. ') };
    this.#item.backgroundColor = level && new vscode.ThemeColor(`statusBarItem.${level}Background`);
    this.#item.command = commandOf(parts);
    if (parts.length === 0) this.#item.hide();
    else this.#item.show();
    for (const section of changed) this.#hovers.set(section.name, section.hover());
    void this.#showHover();
  }

  /** The hover is seen later than the item, and some sections load the code of theirs only then. */
  async #showHover(): Promise<void> {
    this.#update += 1;
    const update = this.#update;
    const hovers = await Promise.all(this.#inOrder.flatMap(({ name }) => this.#hovers.get(name) ?? []));
    if (update !== this.#update) return;
    const text = new vscode.MarkdownString(hovers.map(({ markdown }) => markdown).join('\n\n---\n\n'), true);
    text.isTrusted = { enabledCommands: hovers.flatMap(({ commands }) => commands) };
    this.#item.tooltip = text;
  }
}

function worstLevel(parts: readonly StatusPart[]): StatusPart['level'] {
  if (parts.some(({ level }) => level === 'error')) return 'error';
  return parts.some(({ level }) => level === 'warning') ? 'warning' : undefined;
}

function commandOf(parts: readonly StatusPart[]): string | undefined {
  const urgent = parts.find(({ level, command }) => level !== undefined && command !== undefined);
  return (urgent ?? parts.find(({ command }) => command !== undefined))?.command;
}
