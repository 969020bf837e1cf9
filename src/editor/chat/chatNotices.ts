import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Chat } from './chat.ts';
import type { Chats } from './chats.ts';

type Activity = 'running' | 'waiting' | 'ended';

/** Says when something in a chat that is not shown ends, or asks the user. */
export class ChatNotices implements vscode.Disposable {
  readonly #activities = new WeakMap<Chat, Activity>();
  readonly #subscription: vscode.Disposable;

  constructor(chats: Pick<Chats, 'onDidChange'>) {
    this.#subscription = chats.onDidChange((chat) => this.#follow(chat));
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #follow(chat: Chat): void {
    const before = this.#activities.get(chat) ?? 'ended';
    const activity = activityOf(chat);
    if (activity === before) return;
    this.#activities.set(chat, activity);
    if (activity === 'running' || chat.display.isShown) return;
    const text = activity === 'waiting' ? askedText(chat) : endedText(chat);
    if (text !== undefined) void tell(chat.id, text);
  }
}

async function tell(id: string, text: string): Promise<void> {
  const show = l10n.t('Show Chat');
  if ((await vscode.window.showInformationMessage(text, show)) !== show) return;
  await vscode.commands.executeCommand('modelAccess.openConversation', id);
}

function activityOf({ isRunning, isWaiting }: Chat): Activity {
  if (!isRunning) return 'ended';
  return isWaiting ? 'waiting' : 'running';
}

function askedText({ conversation: { title }, runs }: Chat): string {
  switch (runs.view?.question?.type) {
    case 'cap':
      return l10n.t('The chat “{0}” has reached a limit of its run and asks whether to go on.', title);
    case 'form':
      return l10n.t('The agent has a question for you in the chat “{0}”.', title);
    default:
      return l10n.t('The agent asks for your approval in the chat “{0}”.', title);
  }
}

/** Undefined if the user has stopped it. */
function endedText({ conversation: { title, value }, runs }: Chat): string | undefined {
  const last = [...value.entries, ...value.comparison].at(-1);
  if (last?.role !== 'assistant') return undefined;
  const isLooping = last.run !== undefined && runs.view?.loop !== undefined;
  if (isLooping || last.status === 'failed') return l10n.t('The chat “{0}” has stopped before it was finished.', title);
  const isWhole = last.run === undefined ? last.status === 'complete' : runs.view?.state === 'done';
  return isWhole ? l10n.t('The chat “{0}” has finished.', title) : undefined;
}
