import { createHash, randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { skillOfPrompt, skillPrompts } from '../../../agent/customizations/skillUse.ts';
import type { ConversationStore } from '../../../chat/conversation/conversationStore.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { fillIn, type Prompt, type Variable, variablesIn } from '../../../chat/prompts/prompt.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { PromptView } from '../../../pages/chat/protocol.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { openNamedFile } from '../../documents/newFile.ts';
import type { Lazy } from '../../lazy.ts';
import type { ChatSession } from '../chatSession.ts';
import { attachDocument, attachSelection } from '../context/attachedDocuments.ts';
import type { ContextActions } from '../context/contextActions.ts';
import { attachProblems } from '../context/problems.ts';
import { newAgent } from '../customizations/newAgent.ts';
import { skillAttachment } from '../customizations/skillText.ts';
import { type BuiltInPrompt, builtInOf, builtInPrompts } from './builtInPrompts.ts';
import { type PromptFile, type PromptLibrary, WORKSPACE_FOLDER } from './promptLibrary.ts';
import { Starters } from './starters.ts';

export type PromptMessage = Extract<
  ChatPanelMessage,
  { type: 'listPrompts' | 'usePrompt' | 'newPrompt' | 'newAgent' | 'starter' }
>;

interface PromptItem extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** The actions on the list of prompts, in the panel and as commands. */
export class PromptActions {
  readonly #session: ChatSession;
  readonly #library: PromptLibrary;
  readonly #context: Lazy<ContextActions>;
  readonly #starters: Starters;

  constructor(session: ChatSession, library: PromptLibrary, context: Lazy<ContextActions>, store: ConversationStore) {
    this.#session = session;
    this.#library = library;
    this.#context = context;
    this.#starters = new Starters(session, store);
  }

  async receive(message: PromptMessage): Promise<void> {
    switch (message.type) {
      case 'listPrompts':
        return this.#list();
      case 'usePrompt':
        return this.#use(message.promptId);
      case 'newPrompt':
        return this.#create();
      case 'newAgent':
        return newAgent();
      case 'starter':
        return this.#starters.receive(message);
    }
  }

  /** Asks for a folder and a name, and opens the new file, or an existing one with this name. */
  async #create(): Promise<void> {
    const folder = await this.#pickFolder();
    if (folder === undefined) return;
    const question = {
      title: l10n.t('New prompt'),
      prompt: l10n.t('Prompt name, typed after a slash'),
      placeHolder: 'explain',
    };
    await openNamedFile({ folder, ending: '.md', text: newPrompt, question });
  }

  /** Lets the user choose a prompt, and opens its file, or create one. */
  async open(): Promise<void> {
    const items: PromptItem[] = (await this.#library.read()).map(({ prompt, source, uri }) => ({
      label: prompt.name,
      description: source === 'workspace' ? l10n.t('workspace') : l10n.t('profile'),
      detail: prompt.description,
      run: () => vscode.window.showTextDocument(uri),
    }));
    items.push(
      { label: `$(add) ${l10n.t('New prompt')}`, run: () => this.#create() },
      {
        label: `$(edit) ${l10n.t('Prompts of code commands')}`,
        run: () => vscode.commands.executeCommand('modelAccess.editCommandPrompt'),
      },
    );
    const choice = await vscode.window.showQuickPick(items, {
      placeHolder: l10n.t('Open a prompt'),
      matchOnDetail: true,
    });
    await choice?.run();
  }

  /** Lists the built-in prompts that the user does not replace, then those of the workspace and the profile. */
  async #list(): Promise<void> {
    const own = await this.#library.read();
    const builtIn = builtInPrompts(new Set(own.map(({ prompt }) => prompt.name)));
    const { set } = await this.#session.customizations.ready();
    const prompts = [...builtIn.map(builtInView), ...skillPrompts(set), ...own.map(toView)];
    this.#session.panel.post({ type: 'prompts', prompts });
  }

  async #use(promptId: string): Promise<void> {
    const skill = skillOfPrompt(promptId);
    if (skill !== undefined) return this.#useSkill(skill);
    const builtIn = builtInOf(promptId);
    const prompt =
      builtIn?.prompt ?? (await this.#library.read()).find(({ uri }) => promptIdOf(uri) === promptId)?.prompt;
    if (prompt === undefined) throw new Error(l10n.t('This prompt no longer exists.'));
    const { document, attachments, values } = await valuesFor(prompt);
    const context = await this.#context.get();
    if (document !== undefined && attachments.length > 0 && !(await context.attachOf(document, ...attachments))) return;
    for (const source of builtIn?.sources ?? []) await context.attachSource(source);
    if (prompt.agent !== undefined) await this.#chooseAgent(prompt.agent);
    await this.#chooseModel(prompt);
    this.#limitTools(prompt);
    this.#session.chat.composition.compose(fillIn(prompt.body, values));
  }

  /** It does not become the default of new chats. */
  async #chooseModel({ name, models }: Prompt): Promise<void> {
    if (models.length === 0) return;
    const { parameters, customizations } = this.#session;
    const model = (await customizations.ready()).modelCalled(models);
    if (model !== undefined) return parameters.decide({ ...parameters.own, model });
    const text = l10n.t(
      'The prompt “{0}” is for {1}, which you do not have. {2} answers.',
      name,
      models.join(', '),
      parameters.model,
    );
    void vscode.window.showWarningMessage(text);
  }

  /** The tools of the next run, as an attachment that the person sees and can remove. */
  #limitTools({ tools }: Prompt): void {
    const { composition, parameters } = this.#session.chat;
    const others = composition.attachments.filter(({ kind }) => kind === 'tools');
    for (const { id } of others) composition.detach(id);
    if (tools === undefined || !parameters.acts) return;
    const label = l10n.t('Only the tools {0}', tools.join(', '));
    composition.attach({
      id: randomUUID(),
      kind: 'tools',
      label,
      path: tools.join(', '),
      languageId: '',
      text: '',
      tokens: 0,
    });
  }

  /** Attaches the text of a skill, so that its tokens are seen before it is sent. */
  async #useSkill(name: string): Promise<void> {
    const files = await this.#session.customizations.ready();
    const attachment = await skillAttachment(files, name);
    if (attachment === undefined) throw new Error(l10n.t('This skill no longer exists.'));
    const { composition } = this.#session.chat;
    if (composition.attachments.every(({ path }) => path !== attachment.path)) composition.attach(attachment);
    composition.compose('');
  }

  /** The mode of the chat, or an agent, that a prompt names. */
  async #chooseAgent(name: string): Promise<void> {
    const { chat, customizations } = this.#session;
    const { runs, parameters } = chat;
    if (name !== 'ask' && !runs.canAct) return;
    // The editor once had a mode for edits without other tools.
    if (name === 'ask' || name === 'agent' || name === 'edit') {
      const isSame = name === 'ask' ? !parameters.acts : parameters.acts && parameters.own.agent === undefined;
      return isSame ? undefined : chat.chooseMode(name === 'ask' ? 'ask' : 'agent');
    }
    const known = (await customizations.ready()).agentCalled(name);
    if (known !== undefined) return chat.chooseMode('agent', known);
    // The prompt is for another editor's agent, but its text is of use without that.
    void vscode.window.showWarningMessage(l10n.t('There is no agent “{0}”.', name));
  }

  async #pickFolder(): Promise<vscode.Uri | undefined> {
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    if (folders.length === 0) return this.#library.folder;
    const choice = await vscode.window.showQuickPick(
      [
        {
          label: `$(account) ${l10n.t('My prompts')}`,
          description: l10n.t('in every workspace'),
          uri: this.#library.folder,
        },
        ...folders.map(({ name, uri }) => ({
          label: `$(folder) ${name}`,
          description: WORKSPACE_FOLDER,
          uri: vscode.Uri.joinPath(uri, WORKSPACE_FOLDER),
        })),
      ],
      { placeHolder: l10n.t('Where do you want to save the prompt?') },
    );
    return choice?.uri;
  }
}

function newPrompt(): string {
  const description = l10n.t('What this prompt does');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the variable is for the prompt
  const body = l10n.t('Explain {0} to someone who is new to this project.', '${selection}');
  return `---\ndescription: ${description}\n---\n${body}\n`;
}

interface PromptValues {
  /** The document of the attachments. */
  readonly document: vscode.TextDocument | undefined;
  /** The question's attachments, which its text names. */
  readonly attachments: readonly Attachment[];
  readonly values: Readonly<Partial<Record<Variable, string>>>;
}

/**
 * Selection and file become attachments, so that they are visible before sending. The clipboard is inserted as text.
 */
async function valuesFor({ name, body }: Prompt): Promise<PromptValues> {
  const wanted = variablesIn(body);
  const editor = currentEditor();
  if (editor === undefined && (wanted.has('selection') || wanted.has('file'))) {
    throw new Error(l10n.t('Open a file first. The prompt “{0}” needs one.', name));
  }
  const selection = editor !== undefined && wanted.has('selection') ? attachSelection(editor) : undefined;
  const file = editor !== undefined && wanted.has('file') ? attachDocument(editor.document) : undefined;
  const clipboard = wanted.has('clipboard') ? await vscode.env.clipboard.readText() : undefined;
  return {
    document: editor?.document,
    attachments: [selection, file].filter((attachment) => attachment !== undefined),
    values: {
      ...(selection !== undefined && { selection: `\`${selection.label}\`` }),
      ...(file !== undefined && { file: `\`${file.label}\`` }),
      ...(clipboard !== undefined && { clipboard }),
    },
  };
}

function toView(file: PromptFile): PromptView {
  const { name, description } = file.prompt;
  return { id: promptIdOf(file.uri), name, description, source: file.source, tokens: tokensOf(file.prompt) };
}

function builtInView({ id, prompt, sources }: BuiltInPrompt): PromptView {
  const problems = sources.includes('fileProblems')
    ? attachProblems(vscode.window.activeTextEditor?.document.uri)
    : undefined;
  return {
    id,
    name: prompt.name,
    description: prompt.description,
    source: 'builtIn',
    tokens: tokensOf(prompt) + (problems?.tokens ?? 0),
    ...(sources.includes('changes') && { addsChanges: true }),
  };
}

/** Estimates the text and what its variables attach. The clipboard is only read when the prompt is used. */
function tokensOf({ body }: Prompt): number {
  const editor = currentEditor();
  const wanted = variablesIn(body);
  const selection = editor !== undefined && wanted.has('selection') ? attachSelection(editor).tokens : 0;
  const file = editor !== undefined && wanted.has('file') ? attachDocument(editor.document).tokens : 0;
  return estimateTokens(body) + selection + file;
}

function currentEditor(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

/** A prompt's ID for the panel, which does not receive paths of this machine. Names of prompts may occur twice. */
export function promptIdOf(uri: vscode.Uri): string {
  return createHash('sha256').update(uri.toString()).digest('base64url');
}
