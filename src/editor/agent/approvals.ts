import type * as vscode from 'vscode';
import { isCovered, patternOf } from '../../agent/commandRules.ts';
import type { ApprovalNeed } from '../../agent/tools/tool.ts';
import type { ApprovalChoice, ApprovalQuestion } from '../../pages/chat/protocol.ts';

const ALLOWED_KEY = 'modelAccess.agent.allowed';

/** What is always allowed in this workspace: patterns of commands, hosts, and names of tools. */
type Allowed = Readonly<Partial<Record<ApprovalNeed['kind'], readonly string[]>>>;

export type ApprovalVerdict =
  | { readonly type: 'allowed' }
  | { readonly type: 'denied'; readonly path: string }
  | { readonly type: 'ask'; readonly choices: ApprovalQuestion['choices']; readonly pattern?: string };

/**
 * What the user has allowed: for a chat, in memory, and always, in the state of the workspace. Only the user's own
 * choices get here; text from a model or a tool does not.
 */
export class Approvals {
  readonly #memory: vscode.Memento;
  readonly #inChats = new Map<string, Set<string>>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /**
   * @param isTainted whether a text that the model has read gave instructions. What was allowed before is not used then.
   */
  verdictOn(need: ApprovalNeed, chatId: string, isTainted: boolean): ApprovalVerdict {
    if (need.deletesOutside !== undefined) return { type: 'denied', path: need.deletesOutside };
    if (need.reason !== undefined || isTainted || need.kind === 'file') return { type: 'ask', choices: [] };
    if (need.kind === 'write')
      return this.#inChat(need, chatId) ? { type: 'allowed' } : { type: 'ask', choices: ['chat'] };
    if (this.#inChat(need, chatId) || this.#isAlways(need)) return { type: 'allowed' };
    const pattern = patternFor(need);
    if (pattern === undefined) return { type: 'ask', choices: ['chat'] };
    return { type: 'ask', choices: ['chat', 'always'], pattern };
  }

  /** Keeps the user's choice, if it is for more than once. */
  async keep(need: ApprovalNeed, chatId: string, choice: ApprovalChoice): Promise<void> {
    if (choice === 'chat') {
      const known = this.#inChats.get(chatId) ?? new Set();
      this.#inChats.set(chatId, known.add(keyOf(need)));
    }
    const pattern = patternFor(need);
    if (choice !== 'always' || pattern === undefined) return;
    const allowed = this.#always;
    const before = allowed[need.kind] ?? [];
    await this.#memory.update(ALLOWED_KEY, { ...allowed, [need.kind]: [...new Set([...before, pattern])] });
  }

  /** What is always allowed, as lines for the user. */
  get list(): readonly { readonly kind: ApprovalNeed['kind']; readonly pattern: string }[] {
    return Object.entries(this.#always).flatMap(([kind, patterns]) =>
      patterns.map((pattern) => ({ kind: kind as ApprovalNeed['kind'], pattern })),
    );
  }

  async forget(kind: ApprovalNeed['kind'], pattern: string): Promise<void> {
    const allowed = this.#always;
    const left = (allowed[kind] ?? []).filter((one) => one !== pattern);
    await this.#memory.update(ALLOWED_KEY, { ...allowed, [kind]: left });
  }

  #inChat(need: ApprovalNeed, chatId: string): boolean {
    return this.#inChats.get(chatId)?.has(keyOf(need)) === true;
  }

  #isAlways({ kind, subject }: ApprovalNeed): boolean {
    return (this.#always[kind] ?? []).some((pattern) =>
      kind === 'command' ? isCovered(subject, pattern) : pattern === subject,
    );
  }

  get #always(): Allowed {
    return this.#memory.get<Allowed>(ALLOWED_KEY, {});
  }
}

/** What "always" would cover; undefined if it cannot be allowed in advance. */
function patternFor({ kind, subject }: ApprovalNeed): string | undefined {
  if (kind === 'command') return patternOf(subject);
  return kind === 'address' || kind === 'tool' ? subject : undefined;
}

/** Commands are allowed one by one, in their folder. All edits are allowed together. */
function keyOf({ kind, subject, folder = '' }: ApprovalNeed): string {
  return kind === 'write' ? kind : [kind, folder, subject].join('\0');
}
