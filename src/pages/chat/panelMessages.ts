import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import { REASONING_EFFORTS } from '../../rules/reasoningEffort.ts';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type {
  ApprovalChoice,
  ChatHostMessage,
  ChatMode,
  CommandAct,
  FailureAction,
  KeptState,
  PlanItem,
  StarterView,
} from './protocol.ts';

const text = z.string();
const texts = z.array(text);
const flag = z.boolean();
const amount = z.number().check(z.minimum(0));
const count = z.int().check(z.minimum(1));

const ofTurn = { turnId: text };
const ofCall = { callId: text };
const ofConversation = { conversationId: text };
const ofAttachment = { attachmentId: text };
const ofPreset = { name: text };
const withText = { text };

/** A parameter, which `null` unsets. Whether its value is allowed is checked where it is set. */
const parameter = <Schema extends z.core.SomeType>(schema: Schema) => z.exactOptional(z.nullable(schema));

/** Messages about the run. */
const runMessages = {
  /** Messages of the panel about the run. */
  setMode: { mode: oneOf<ChatMode>({ ask: true, agent: true, reviewingAgent: true }), agent: z.optional(text) },
  /** Lets the agent act that a file names as the next one, by the place of its button. */
  handOff: { place: z.int().check(z.minimum(0)) },
  decide: { question: count, choice: oneOf<ApprovalChoice>({ once: true, chat: true, always: true, deny: true }) },
  /** Answers the model's question. */
  answerForm: { question: count, text },
  /** Raises the limit that was reached by this amount; 0 stops the run. */
  raiseCap: { by: amount },
  /** Changes the limits of this run. */
  setLimits: { cap: z.optional(amount), stepCap: z.optional(amount), maxSteps: z.optional(count) },
  setSummaryModel: { model: text },
  /** Changes the text of a summary, which is sent from the next step on. */
  editSummary: { ...ofTurn, text },
  setPlan: {
    plan: z.array(z.object({ text, state: oneOf<PlanItem['state']>({ open: true, current: true, done: true }) })),
  },
  /** Goes on after an interruption, a stop, or a loop. */
  continueRun: {},
  /** Allows a call that was denied, once. The model gets the result with its next step. */
  allowOnce: ofCall,
  /** Sends a message with the next step of the run. */
  addMessage: withText,
  cancelCommand: ofCall,
  stopHelper: { helperId: text },
  showTerminal: ofCall,
  /** Acts on a command in the background. */
  actOnCommand: { commandId: text, act: oneOf<CommandAct>({ stop: true, keep: true, show: true }) },
  reviewChanges: {},
  /** Asks for what restoring to the state before the run changes. */
  restoreRun: { runId: text },
  confirmRestore: { files: z.boolean(), chat: z.boolean() },
  cancelRestore: {},
};

const messages = {
  ready: {},
  /** Two or three models answer side by side. */
  send: { text, models: z.optional(texts) },
  /** Adds to the message that is sent when the answer in progress is complete. */
  queue: withText,
  /** Sends that message now, or drops it. */
  sendQueued: {},
  dropQueued: {},
  /** Sends an edited question again, in a new branch. */
  edit: { ...ofTurn, text },
  showBranch: { ...ofTurn, position: count },
  /** Removes a question with its answers, or a single answer. */
  removeTurn: ofTurn,
  /** Copies the conversation up to and including this turn into a new one. */
  fork: ofTurn,
  /** Keeps one of the answers shown side by side. */
  keep: ofTurn,
  undo: { noticeId: text },
  /** Ends the offer of the notice that lasts. */
  dismissNotice: {},
  stop: {},
  step: {
    ...ofTurn,
    step: oneOf<FailureAction>({
      retry: true,
      continue: true,
      setKey: true,
      addCredit: true,
      openDashboard: true,
      askAdministrator: true,
      chooseModel: true,
      newConversation: true,
      trySandbox: true,
      openSettings: true,
      openLog: true,
    }),
  },
  /** Has another model answer the same question, in a new branch. */
  askOther: { ...ofTurn, models: texts },
  /** Ends the wait of a retry. */
  retryNow: ofTurn,
  /** The text in the composer, for the estimate. Sent whenever it changes. */
  draft: withText,
  /** The text of a question that is being edited, for its estimate. `editingDone` ends the edit. */
  editing: { ...ofTurn, text },
  editingDone: {},
  /** Changes the question being edited: removes an attachment, exchanges its text for its other version, or chooses the model. */
  editDetach: ofAttachment,
  editVersion: ofAttachment,
  editModel: { model: text },
  newConversation: {},
  chooseModel: { model: text },
  chooseFormat: { format: z.enum(FORMAT_NAMES) },
  /** Sets parameters of this conversation. With `null`, a parameter follows the settings again. */
  setParameters: {
    change: z.object({
      systemPrompt: parameter(text),
      maxTokens: parameter(z.number()),
      temperature: parameter(z.number()),
      reasoningEffort: parameter(z.enum(REASONING_EFFORTS)),
      stopSequences: parameter(texts),
    }),
  },
  /** Asks for the parameters that the chosen format does not support. From then on, the state contains them. */
  checkParameters: {},
  /** Turns the workspace's instructions on or off for this conversation. */
  setInstructions: { isSent: flag },
  openInstructions: {},
  savePreset: {},
  usePreset: ofPreset,
  removePreset: ofPreset,
  /** Asks for the saved conversations. The host sends them again when they change, until `closeHistory`. */
  history: {
    query: text,
    filter: z.object({
      pinned: z.exactOptional(z.literal(true)),
      workspace: z.exactOptional(z.literal(true)),
      model: z.exactOptional(text),
    }),
    limit: count,
  },
  closeHistory: {},
  openConversation: ofConversation,
  /** Stops what runs in a chat, shown or not, or in all chats of the window. */
  stopChat: ofConversation,
  stopAllChats: {},
  renameConversation: { ...ofConversation, title: text },
  pinConversation: { ...ofConversation, pinned: flag },
  deleteConversation: ofConversation,
  exportConversation: ofConversation,
  listPrompts: {},
  /** Puts a prompt into the composer, with its variables replaced. */
  usePrompt: { promptId: text },
  newPrompt: {},
  newAgent: {},
  configureAgent: {},
  /**
   * Lists the prompts of an empty chat, previews the cost of one, or uses it. `preview` without an ID ends the preview.
   */
  starter: {
    action: z.enum(['list', 'preview', 'use']),
    id: z.optional(
      oneOf<StarterView['id']>({
        explain: true,
        table: true,
        improve: true,
        fix: true,
        tests: true,
        readme: true,
      }),
    ),
  },
  openSandboxMenu: {},
  refreshCatalog: {},
  /** Opens the page of routes. */
  manageRoutes: {},
  /** Asks for the items that can be attached. */
  listContext: { query: text },
  attach: { choiceId: text },
  /** Lets the user choose attachments in a quick pick. While a question is edited, all attachments go with it. */
  pickContext: {},
  /** Files and folders that were dropped, by their URIs. */
  attachAddresses: { addresses: texts },
  /**
   * A file that was pasted or dropped from outside the editor. `data` is base64, undefined if the file could not be
   * read.
   */
  attachContent: { name: text, bytes: z.int().check(z.minimum(0)), data: z.optional(text) },
  /** Shortens an attachment so that the request fits. */
  trim: ofAttachment,
  detachImages: {},
  /** Asks for the bytes of an attached image. */
  loadPicture: { picture: text },
  detach: ofAttachment,
  copy: withText,
  insertAtCursor: withText,
  replaceSelection: withText,
  /**
   * Compares code with the file that it belongs to. `paths` are the files that the answer names near it, the likeliest
   * first.
   */
  applyCode: { text, paths: texts, language: text },
  /** Runs the code of a shell block, or types it without running it. */
  runInTerminal: withText,
  insertInTerminal: withText,
  /** The language as the answer names it; may be empty. */
  newFile: { text, language: text },
  openLink: { href: text },
  /** Asks which of these paths, as written in an answer, are files of the workspace. */
  findFiles: { paths: texts },
  /** Opens a workspace file and selects the lines, counted from 1. */
  openFile: { path: text, line: z.optional(count), endLine: z.optional(count) },
  /** Asks for the code that renders diagrams. */
  loadDiagrams: {},
  /**
   * The first steps. The host asks for the key, checks it, and stores it, so the panel's state and logs never contain
   * it.
   */
  enterKey: {},
  trySandbox: {},
  getKey: {},
  openPrivacy: {},
  openFirstSteps: {},
  /** Opens the Usage view. */
  openUsage: {},
  ...runMessages,
};

export type RunMessage = MessageOf<typeof runMessages>;
export type ChatPanelMessage = MessageOf<typeof messages>;

export const readPanelMessage = messageReader(messages);

/** The ID of the chat that the page showed when the user did what a message asks for. */
export function chatOf(received: unknown): string | undefined {
  return z.safeParse(z.object({ from: z.optional(text) }), received).data?.from;
}

/** How messages are transported. Injected, so that the panel also runs in a plain page and in tests. */
export interface PanelTransport {
  /** @param chat the ID of the chat that the page shows. */
  post(message: ChatPanelMessage, chat?: string): void;
  /** Returns a function that ends the subscription. */
  listen(receive: (message: ChatHostMessage) => void): () => void;
  /** Returns the state that the panel kept before its webview was reloaded; undefined in a new one. */
  kept(): KeptState | undefined;
  keep(state: KeptState): void;
}
