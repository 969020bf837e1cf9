import * as z from 'zod/mini';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import type {
  ApprovalChoice,
  ChatMode,
  ChatPanelMessage,
  NextStep,
  PlanItem,
  StarterView,
} from '../../pages/chat/protocol.ts';
import { messageReader, oneOf } from '../../pages/pageMessages.ts';
import { REASONING_EFFORTS } from '../../rules/reasoningEffort.ts';

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

/** Reads the messages of the chat panel. */
export const readPanelMessage = messageReader<ChatPanelMessage>({
  ready: {},
  send: { text, models: z.optional(texts), queued: z.optional(flag) },
  edit: { ...ofTurn, text },
  showBranch: { ...ofTurn, position: count },
  removeTurn: ofTurn,
  fork: ofTurn,
  keep: ofTurn,
  undo: { noticeId: text },
  dismissNotice: {},
  stop: {},
  step: {
    ...ofTurn,
    step: oneOf<NextStep>({
      retry: true,
      continue: true,
      setKey: true,
      addCredit: true,
      askAdministrator: true,
      chooseModel: true,
      newConversation: true,
      trySandbox: true,
      openSettings: true,
      openLog: true,
    }),
  },
  askOther: { ...ofTurn, models: texts },
  retryNow: ofTurn,
  draft: withText,
  editing: { ...ofTurn, text },
  editingDone: {},
  editDetach: ofAttachment,
  editVersion: ofAttachment,
  editModel: { model: text },
  newConversation: {},
  chooseModel: { model: text },
  chooseFormat: { format: z.enum(FORMAT_NAMES) },
  setParameters: {
    change: z.object({
      systemPrompt: parameter(text),
      maxTokens: parameter(z.number()),
      temperature: parameter(z.number()),
      reasoningEffort: parameter(z.enum(REASONING_EFFORTS)),
      stopSequences: parameter(texts),
    }),
  },
  checkParameters: {},
  setInstructions: { isSent: flag },
  openInstructions: {},
  savePreset: {},
  usePreset: ofPreset,
  removePreset: ofPreset,
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
  renameConversation: { ...ofConversation, title: text },
  pinConversation: { ...ofConversation, pinned: flag },
  deleteConversation: ofConversation,
  exportConversation: ofConversation,
  importConversations: {},
  listPrompts: {},
  usePrompt: { promptId: text },
  newPrompt: {},
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
  listContext: { query: text },
  attach: { choiceId: text },
  pickContext: {},
  attachAddresses: { addresses: texts },
  attachContent: { name: text, bytes: z.int().check(z.minimum(0)), data: z.optional(text) },
  trim: ofAttachment,
  detachImages: {},
  loadPicture: { picture: text },
  detach: ofAttachment,
  copy: withText,
  insertAtCursor: withText,
  replaceSelection: withText,
  applyCode: { text, paths: texts, language: text },
  newFile: { text, language: text },
  openLink: { href: text },
  findFiles: { paths: texts },
  openFile: { path: text, line: z.optional(count), endLine: z.optional(count) },
  loadDiagrams: {},
  enterKey: {},
  trySandbox: {},
  getKey: {},
  openPrivacy: {},
  openFirstSteps: {},
  openUsage: {},
  setMode: { mode: oneOf<ChatMode>({ ask: true, agent: true, reviewingAgent: true }) },
  decide: { question: count, choice: oneOf<ApprovalChoice>({ once: true, chat: true, always: true, deny: true }) },
  answerForm: { question: count, text },
  raiseCap: { by: amount },
  setLimits: { cap: z.optional(amount), stepCap: z.optional(amount), maxSteps: z.optional(count) },
  setSummaryModel: { model: text },
  editSummary: { ...ofTurn, text },
  setPlan: {
    plan: z.array(z.object({ text, state: oneOf<PlanItem['state']>({ open: true, current: true, done: true }) })),
  },
  continueRun: {},
  allowOnce: ofCall,
  addMessage: withText,
  cancelCommand: ofCall,
  showTerminal: ofCall,
  reviewChanges: {},
  restoreRun: { runId: text },
  confirmRestore: { files: z.boolean(), chat: z.boolean() },
  cancelRestore: {},
});
