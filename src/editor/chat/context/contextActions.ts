import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { missingInstructions } from '../../../agent/customizations/attachedInstructions.ts';
import { parseWebAddress } from '../../../chat/context/address/webAddress.ts';
import { refuseLarge } from '../../../chat/context/fileSize.ts';
import { attachImage, imageType } from '../../../chat/context/image.ts';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import { tokensThatFit, trimmed } from '../../../chat/context/trim.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { defined } from '../../../formats/json.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ContextChoiceView, PageView } from '../../../pages/chat/protocol.ts';
import { activeEditor } from '../../documents/activeEditor.ts';
import type { ChatSession } from '../chatSession.ts';
import { type Finding, Guard, isAgreed, keysIn } from '../guard/guard.ts';
import { setInstructions } from '../parameters/parameterActions.ts';
import type { WebPages } from './address/webPages.ts';
import { attachDocument, attachSelection } from './attachedDocuments.ts';
import {
  ADDRESS_PREFIX,
  type ContextSource,
  contextChoices,
  INSTRUCTIONS_CHOICE,
  PATH_PREFIX,
  SOURCES,
  sourceChoices,
} from './contextChoices.ts';
import { ContextSizes } from './contextSizes.ts';
import { attachGitDiff } from './gitDiff.ts';
import { openFiles } from './openFiles.ts';
import { attachProblems } from './problems.ts';
import { attachSymbol, WorkspaceSymbols } from './symbols.ts';
import { attachTerminalSelection } from './terminal.ts';
import { attachUri, pickUris } from './uris.ts';
import { OfferedFiles, unsearchedFolders } from './workspaceFiles.ts';

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

/** The attachments that are files of the workspace. */
const OF_FILES: ReadonlySet<Attachment['kind']> = new Set(['selection', 'file', 'folder']);

/** Symbols are between the current file and the files. */
function withSymbols(choices: readonly ContextChoiceView[], symbols: readonly ContextChoiceView[]) {
  const isFirst = ({ group }: ContextChoiceView) => group === 'file';
  return [...choices.filter(isFirst), ...symbols, ...choices.filter((choice) => !isFirst(choice))];
}

/** Attaches items to the question, for the panel and for commands. */
export class ContextActions {
  readonly #session: ChatSession;
  readonly #files = new OfferedFiles();
  readonly #symbols = new WorkspaceSymbols();
  readonly #sizes = new ContextSizes();
  readonly #memory: vscode.Memento;
  #webPages: WebPages | undefined;
  /** The last query. Results of earlier ones are not sent. */
  #listed: string | undefined;

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
        return this.#session.chat.composition.detachImages();
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
  async attachSource(source: ContextSource): Promise<void> {
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
        await this.#attachAddress(await askAddress());
        return;
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
    const found = await new Guard().findingsOf([uri]);
    return (await isAgreed(found)) && this.#attachAsked(attachments, found);
  }

  /** Attaches files and folders. Asks first about those that may not be meant to be shared. */
  async attachUris(uris: readonly vscode.Uri[]): Promise<void> {
    const guard = new Guard();
    const checked = await Promise.all(uris.map((uri) => guard.check(uri)));
    const found = checked.flatMap(({ finding }) => finding ?? []);
    const isAllowed = await isAgreed(found);
    const attachments: Attachment[] = [];
    for (const place of checked) {
      if (place.finding !== undefined && !isAllowed) continue;
      const attachment = await attachUri(place, this.#session.chat.images);
      if (attachment !== undefined) attachments.push(attachment);
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
    this.#listed = query;
    // Files are read to count their tokens, and language servers take time to answer, so both are sent later.
    const counted = await this.#sizes.withTokens(choices, files);
    if (this.#listed !== query) return;
    post(counted);
    const symbols = await this.#symbols.choices(query);
    if (symbols.length > 0 && this.#listed === query) post(withSymbols(counted, symbols));
  }

  async #attachChoice(id: string): Promise<void> {
    const source = SOURCES.find((name) => name === id);
    if (source !== undefined) return this.attachSource(source);
    if (id === INSTRUCTIONS_CHOICE) return setInstructions(this.#session.parameters, true);
    if (id.startsWith(ADDRESS_PREFIX)) return this.#attachChosenAddress(id);
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

  /** Tells the panel which page was read, so that it removes the mention. */
  async #attachChosenAddress(choiceId: string): Promise<void> {
    const page = await this.#attachAddress(choiceId.slice(ADDRESS_PREFIX.length));
    if (page !== undefined) this.#session.panel.post({ type: 'attachedPage', choiceId, page });
  }

  /** Returns undefined if nothing was attached, because the user declined. */
  async #attachAddress(address: string | undefined): Promise<PageView | undefined> {
    if (address === undefined) return undefined;
    const { WebPages } = await import('./address/webPages.ts');
    this.#webPages ??= new WebPages(this.#memory);
    const read = await this.#webPages.read(address);
    return read !== undefined && (await this.#attachAsked([read.attachment])) ? read.view : undefined;
  }

  async #attachContent(message: ContextMessage & { readonly type: 'attachContent' }): Promise<void> {
    const { name, data } = message;
    refuseLarge(name, message.bytes);
    if (data === undefined) throw new Error(l10n.t('Could not read {0}.', name));
    const bytes = Buffer.from(data, 'base64');
    if (imageType(bytes) !== undefined) return this.#attach(attachImage({ name, bytes }, this.#session.chat.images));
    if (bytes.subarray(0, 8000).includes(0)) throw new Error(l10n.t('{0} is neither text nor an image.', name));
    const text = bytes.toString('utf8');
    const found = await new Guard().findingsOf([vscode.Uri.from({ scheme: 'untitled', path: name })]);
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
    if (attached.length > 0) this.#session.chat.attach(...attached, ...(await this.#instructionsFor(attached)));
    return attached.length > 0;
  }

  /** The instructions that apply to the attachments, unless the chat sends none. */
  async #instructionsFor(attached: readonly Attachment[]): Promise<readonly Attachment[]> {
    const { customizations, parameters, chat } = this.#session;
    if (parameters.own.instructions === false) return [];
    const { set } = await customizations.ready();
    const paths = attached.filter(({ kind }) => OF_FILES.has(kind)).map(({ path }) => path);
    return missingInstructions(set, paths, chat.conversation.value.entries, chat.composition.attachments);
  }

  /** Images of helpers, and of branches that were not shown before, are not in memory yet. */
  async #sendPicture(picture: string): Promise<void> {
    const { images, conversation } = this.#session.chat;
    await images.loadFile(conversation.id, picture);
    this.#session.panel.post({ type: 'picture', picture, ...defined({ data: images.lookup(picture) }) });
  }

  #trim(attachmentId: string): void {
    const { composition } = this.#session.chat;
    const attachment = composition.attachments.find(({ id }) => id === attachmentId);
    if (attachment === undefined) return;
    composition.replace(trimmed(attachment, tokensThatFit(this.#session.state, attachment)));
    this.#session.undo.offer({
      isOfChat: true,
      text: l10n.t('{0} trimmed.', attachment.label),
      undo: () => composition.replace(attachment),
    });
  }
}

/** Asks for an address. Returns undefined if the user canceled. */
async function askAddress(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t('Text of Web Page'),
    prompt: l10n.t('The text of the page is attached to your message, without scripts and images.'),
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: (text) => {
      try {
        parseWebAddress(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  });
}
