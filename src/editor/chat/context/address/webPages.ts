import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fetchPage, type Page } from '../../../../chat/context/address/fetchPage.ts';
import { isPrivate, parseWebAddress } from '../../../../chat/context/address/webAddress.ts';
import { textAttachment } from '../../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../../chat/conversation/record.ts';
import type { PageView } from '../../../../pages/chat/protocol.ts';

/** In characters. */
const START_LENGTH = 160;

const AGREED_KEY = 'modelAccess.chat.readsWebPages';

/** Reads web pages as attachments. Asks the user before the first one, and before each one in a local network. */
export class WebPages {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /**
   * @returns undefined if the user declined.
   * @throws with the reason if the page cannot be read or is not text.
   */
  async read(address: string): Promise<ReadPage | undefined> {
    const url = parseWebAddress(address);
    if (!(await this.#isAgreed(url))) return undefined;
    const page = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Reading {0}', url.host), cancellable: true },
      async (_, cancellation) => {
        const canceled = new AbortController();
        cancellation.onCancellationRequested(() => canceled.abort());
        return fetchPage(url, {
          signal: canceled.signal,
          follows: (to, from) => this.#follows(to, from),
          reaches: (local, ip) => this.#isAsked(`${local.host} (${ip})`, true),
        });
      },
    );
    return page && (await readPage(page));
  }

  /** A public page must not lead into a local network unnoticed. */
  async #follows(to: URL, from: URL): Promise<boolean> {
    return !isPrivate(to) || isPrivate(from) || this.#isAgreed(to);
  }

  async #isAgreed(url: URL): Promise<boolean> {
    const isLocal = isPrivate(url);
    if (!isLocal && this.#memory.get(AGREED_KEY, false)) return true;
    const isAgreed = await this.#isAsked(url.host, isLocal);
    if (isAgreed && !isLocal) await this.#memory.update(AGREED_KEY, true);
    return isAgreed;
  }

  async #isAsked(host: string, isLocal: boolean): Promise<boolean> {
    const read = l10n.t('Read Page');
    const detail = isLocal
      ? l10n.t('This address is on this machine or in your local network. Its text is sent to the model.')
      : l10n.t(
          'The editor requests the address with its proxy settings, and without cookies and passwords. The text of the page is sent to the model. You are asked only once.',
        );
    return (await vscode.window.showWarningMessage(l10n.t('Read {0}?', host), { modal: true, detail }, read)) === read;
  }
}

interface ReadPage {
  readonly attachment: Attachment;
  readonly view: PageView;
}

async function readPage({ url, mediaType, text }: Page): Promise<ReadPage> {
  const isHtml = mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
  const { pageText, pageTitle } = await import('../../../../chat/context/address/pageText.ts');
  const plain = isHtml ? pageText(text) : text.trim();
  if (plain === '') throw new Error(l10n.t('{0} contains no text. Pages that scripts build cannot be read.', url.host));
  const label = `${url.host}${url.pathname === '/' ? '' : url.pathname}`;
  const title = isHtml ? pageTitle(text) : '';
  const note = [title, l10n.t('Text only, without scripts')].filter((line) => line !== '').join('\n');
  const attachment = textAttachment({ kind: 'address', label, path: url.href, languageId: '', text: plain, note });
  const view = { label, title, tokens: attachment.tokens, start: startOf(plain) };
  return { attachment, view };
}

/** Returns the first words on one line. */
function startOf(text: string): string {
  const line = text.slice(0, 2 * START_LENGTH).replace(/\s+/g, ' ');
  return line.length <= START_LENGTH ? line : `${line.slice(0, START_LENGTH).replace(/\s\S*$/, '')}…`;
}
