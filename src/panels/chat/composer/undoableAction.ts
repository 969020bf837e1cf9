import { signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { NoticeView } from '../../../pages/chat/protocol.ts';

/** What the undoable action needs from the panel. */
export interface UndoHost {
  post(message: ChatPanelMessage): void;
  announce(text: string): void;
  takeFocus(): void;
}

/** The user's last action, as long as the panel offers to undo it. */
export class UndoableAction {
  /** Undefined if there is none. */
  readonly notice = signal<NoticeView | undefined>(undefined);
  readonly #panel: UndoHost;

  constructor(panel: UndoHost) {
    this.#panel = panel;
  }

  show(notice: NoticeView): void {
    this.notice.value = notice;
    this.#panel.announce(`${notice.text} ${l10n.t('You can undo this above the message.')}`);
  }

  /** Called when an action can no longer be undone. */
  withdraw(noticeId: string): void {
    if (noticeId === this.notice.value?.id) this.hide();
  }

  undo(): void {
    const notice = this.notice.value;
    if (notice !== undefined) this.#panel.post({ type: 'undo', noticeId: notice.id });
    this.#close();
  }

  dismiss(): void {
    if (this.notice.value?.lasts) this.#panel.post({ type: 'dismissNotice' });
    this.#close();
  }

  /** Hides the notice without moving the focus. */
  hide(): void {
    this.notice.value = undefined;
  }

  /** Its button had the focus. */
  #close(): void {
    this.hide();
    this.#panel.takeFocus();
  }
}
