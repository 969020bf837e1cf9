import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/defined.ts';
import { activeEditor } from '../../documents/activeEditor.ts';
import type { ChatSession } from '../chatSession.ts';
import type { Attachment } from '../conversation/record.ts';
import { setInstructions } from '../parameters/parameterActions.ts';
import type { ChatPanelMessage, ContextChoiceView } from '../protocol.ts';
import { askAddress } from './address/askAddress.ts';
import type { WebPages } from './address/webPages.ts';
import {
  ADDRESS_PREFIX,
  contextChoices,
  INSTRUCTIONS_CHOICE,
  PATH_PREFIX,
  SOURCES,
  type Source,
  sourceChoices,
} from './contextChoices.ts';
import { attachDocument, attachSelection } from './documents.ts';
import { refuseLarge } from './fileSize.ts';
import { attachGitDiff } from './gitDiff.ts';
import { type Finding, Guard, isAgreed, keysIn } from './guard.ts';
import { attachImage, imageType } from './image.ts';
import { openFiles } from './openFiles.ts';
import { attachProblems } from './problems.ts';
import { attachSymbol, WorkspaceSymbols } from './symbols.ts';
import { attachTerminalSelection } from './terminal.ts';
import { textAttachment } from './textAttachment.ts';
import { tokensThatFit, trimmed } from './trim.ts';
import { attachUri, pickUris } from './uris.ts';
import { unsearchedFolders, WorkspaceFiles } from './workspaceFiles.ts';

export type ContextMessage = Extract<
  ChatPanelMessage,
  {
    type:
      | 'listContext'
      | 'pickContext'
      | 'attach'
      | 'attachAddresses'
      | 'attachContent'
      | 'trim'
      | 'detachImages'
      | 'loadPicture';
  }
>;

/** Attaches items to the question, for the panel and for commands. */
export class ContextActions {
  readonly #session: ChatSession;
  readonly #files = new WorkspaceFiles();
  readonly #symbols = new WorkspaceSymbols();
  readonly #memory: vscode.Memento;
  #webPages: WebPages | undefined;

  /** @param memory State shared by all windows: whether web pages may be read. */
  constructor(session: ChatSession, memory: vscode.Memento) {
    this.#session = session;
    this.#memory = memory;
  }

  async receive(message: ContextMessage): Promise<void> {
    switch (message.type) {
      case 'listContext':
        return this.#list(message.query);
      case 'pickContext':
        return this.pick();
      case 'attach':
        return this.#attachChoice(message.choiceId);
      case 'attachAddresses':
        return this.attachUris(message.addresses.map((address) => vscode.Uri.parse(address, true)));
      case 'attachContent':
        return this.#attachContent(message);
      case 'trim':
        return this.#trim(message.attachmentId);
      case 'detachImages':
        return this.#session.composition.detachImages();
      case 'loadPicture':
        return this.#sendPicture(message.picture);
    }
  }

  /** Lets the user choose what to attach in a quick pick. */
  async pick(): Promise<void> {
    const items = sourceChoices().map(({ id, label, detail = '' }) => ({ label, description: detail, id }));
    const choice = await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Attach to chat') });
    if (choice !== undefined) await this.attachSource(choice.id);
  }

  /** @throws if there is nothing of that kind. */
  async attachSource(source: Source): Promise<void> {
    switch (source) {
      case 'selection':
        await this.attachSelection();
        return;
      case 'file':
        return this.#attachDocument(activeEditor().document);
      case 'openFiles':
        return this.attachUris(openFiles());
      case 'fileProblems':
        return this.#attach(attachProblems(activeEditor().document.uri));
      case 'problems':
        return this.#attach(attachProblems());
      case 'changes':
      case 'stagedChanges':
        return this.#attach(await attachGitDiff(source === 'stagedChanges'));
      case 'terminal':
        return this.#attach(await attachTerminalSelection());
      case 'address':
        return this.#attachAddress(await askAddress());
      case 'images':
      case 'files':
      case 'folders':
        return this.attachUris(await pickUris(source));
    }
  }

  /**
   * Attaches the selection, or the whole file if nothing is selected.
   * @returns false if the user declined.
   * @throws if no file is open.
   */
  async attachSelection(): Promise<boolean> {
    const editor = activeEditor();
    return this.attachOf(editor.document, attachSelection(editor));
  }

  /** Attaches parts of a document, or all of it. Returns false if the user declined. */
  async attachOf({ uri }: vscode.TextDocument, ...attachments: readonly Attachment[]): Promise<boolean> {
    const { found } = await new Guard().divide([uri]);
    return (await isAgreed(found)) && this.#attachAsked(attachments, found);
  }

  /** Attaches files and folders. Asks first about those that may not be meant to be shared. */
  async attachUris(uris: readonly vscode.Uri[]): Promise<void> {
    const { clear, found } = await new Guard().divide(uris);
    const attachments: Attachment[] = [];
    for (const uri of (await isAgreed(found)) ? uris : clear) {
      attachments.push(await attachUri(uri, this.#session.images));
    }
    await this.#attachAsked(attachments, found);
  }

  async #list(query: string): Promise<void> {
    const files = await this.#files.byPath();
    const unsearched = unsearchedFolders(files.values());
    const { instructions } = this.#session.parameters.view.parameters;
    const choices = contextChoices(query, [...files.keys()], unsearched.length > 0, instructions);
    const post = (all: readonly ContextChoiceView[]) =>
      this.#session.panel.post({ type: 'context', query, choices: all, ...(unsearched.length > 0 && { unsearched }) });
    post(choices);
    // Language servers take time to answer, so the symbols are sent after the files.
    const symbols = await this.#symbols.choices(query);
    if (symbols.length > 0) post([...choices, ...symbols]);
  }

  async #attachChoice(id: string): Promise<void> {
    const source = SOURCES.find((name) => name === id);
    if (source !== undefined) return this.attachSource(source);
    if (id === INSTRUCTIONS_CHOICE) return setInstructions(this.#session, true);
    if (id.startsWith(ADDRESS_PREFIX)) return this.#attachAddress(id.slice(ADDRESS_PREFIX.length));
    const symbol = this.#symbols.find(id);
    if (symbol !== undefined) {
      const document = await vscode.workspace.openTextDocument(symbol.location.uri);
      await this.attachOf(document, await attachSymbol(document, symbol));
      return;
    }
    const uri = id.startsWith(PATH_PREFIX) ? (await this.#files.byPath()).get(id.slice(PATH_PREFIX.length)) : undefined;
    if (uri === undefined) throw new Error(l10n.t('This no longer exists.'));
    await this.attachUris([uri]);
  }

  async #attachDocument(document: vscode.TextDocument): Promise<void> {
    if (document.isUntitled) return this.#attach(attachDocument(document));
    await this.attachUris([document.uri]);
  }

  /** Attaches nothing if the user declined. */
  async #attachAddress(address: string | undefined): Promise<void> {
    if (address === undefined) return;
    const { WebPages } = await import('./address/webPages.ts');
    this.#webPages ??= new WebPages(this.#memory);
    await this.#attach(await this.#webPages.read(address));
  }

  async #attachContent(message: ContextMessage & { readonly type: 'attachContent' }): Promise<void> {
    const { name, data } = message;
    refuseLarge(name, message.bytes);
    if (data === undefined) throw new Error(l10n.t('Could not read {0}.', name));
    const bytes = Buffer.from(data, 'base64');
    if (imageType(bytes) !== undefined) return this.#attach(attachImage({ name, bytes }, this.#session.images));
    if (bytes.subarray(0, 8000).includes(0)) throw new Error(l10n.t('{0} is neither text nor an image.', name));
    const text = bytes.toString('utf8');
    const { found } = await new Guard().divide([vscode.Uri.from({ scheme: 'untitled', path: name })]);
    const attachment = textAttachment({ kind: 'file', label: name, path: name, languageId: '', text });
    if (await isAgreed(found)) await this.#attachAsked([attachment], found);
  }

  async #attach(attachment: Attachment | undefined): Promise<void> {
    if (attachment !== undefined) await this.#attachAsked([attachment]);
  }

  /** Asks about attachments that contain something like a key, except those in `agreed`. */
  async #attachAsked(attachments: readonly Attachment[], agreed: readonly Finding[] = []): Promise<boolean> {
    const keys = (await keysIn(attachments)).filter(({ name }) => !agreed.some((finding) => finding.name === name));
    const refused = (await isAgreed(keys)) ? [] : keys.map(({ name }) => name);
    const attached = attachments.filter(({ path }) => !refused.includes(path));
    if (attached.length > 0) this.#session.attach(...attached);
    return attached.length > 0;
  }

  /** Images of branches that were not shown before are not in memory yet. */
  async #sendPicture(picture: string): Promise<void> {
    const { images, conversation } = this.#session;
    if (images.lookup(picture) === undefined) await images.load(conversation.id, conversation.value.entries);
    this.#session.panel.post({ type: 'picture', picture, ...defined({ data: images.lookup(picture) }) });
  }

  #trim(attachmentId: string): void {
    const { composition, undo } = this.#session;
    const attachment = composition.attachments.find(({ id }) => id === attachmentId);
    if (attachment === undefined) return;
    composition.replace(trimmed(attachment, tokensThatFit(this.#session.state, attachment)));
    undo.offer({
      text: l10n.t('{0} trimmed.', attachment.label),
      undo: () => composition.replace(attachment),
    });
  }
}
