import type { FileClaims } from '../../agent/fileClaims.ts';
import type { ResultImage } from '../../agent/tools/tool.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { Entry } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import type { AnswerTurn, NextStepView } from '../../pages/chat/protocol.ts';
import type { StoredImage } from '../../rules/answer.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { Answers } from '../chat/answers/answers.ts';
import type { RunCosts } from '../chat/runCosts.ts';
import type { Settings } from '../settings/settings.ts';
import type { AgentUses } from './agentUses.ts';
import type { Approvals } from './approvals.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { CommandProcesses } from './commandProcesses.ts';
import type { RunSetup } from './runSetup.ts';
import type { Toolbox } from './toolbox.ts';

/** A request of a run before it is sent. */
export interface EstimatedStep {
  readonly entries: readonly Entry[];
  /** The steps of the run so far. */
  readonly steps: readonly AnswerTurn[];
  readonly toolbox: Toolbox;
  /** The instructions that the run began with. */
  readonly instructions: string | undefined;
  /** The chat's model unless it is set. */
  readonly model?: string | undefined;
  /** Whether it begins like the last step, so that the service can read that from its cache. */
  readonly isContinued: boolean;
}

/** What a run needs from the chat and the editor. */
export interface RunServices {
  readonly answers: Answers;
  readonly approvals: Approvals;
  readonly commands: CommandProcesses;
  readonly settings: Settings;
  readonly uses: AgentUses;
  readonly runCosts: RunCosts;
  readonly store: ConversationStore;
  /** The same one for the same run, so that its changes are made one after the other. */
  checkpointOf(conversationId: string, run: string): Checkpoint;
  estimate(step: EstimatedStep): NextStepView;
  /** The catalog. */
  models(): readonly Model[];
  /** The estimated tokens of a request. */
  inputTokensOf(request: ChatRequest): number;
  chatModel(): string;
  /** Called with a fault that does not stop the run. */
  onError(error: unknown): void;
  readonly claims: FileClaims;
  /** The model's context window in tokens; undefined if it is not known. */
  contextWindow(): number | undefined;
  /** Whether a model can use tools, and has space for this input and an answer. */
  fitsStep(model: string, inputTokens: number): boolean;
  /** Returns how many secrets a text contains that were replaced in a request. */
  countSecrets(text: string): number;
  /** Keeps the images of a result beside the conversation, also those of a helper. */
  keepImages(images: readonly ResultImage[]): Promise<readonly StoredImage[]>;
  /**
   * Asks before the user's limits are exceeded, and reserves the cost until the returned function is called. Returns
   * undefined if the request must not be sent.
   */
  reserve(cost: number | undefined): Promise<(() => void) | undefined>;
  /** Adds the tools of a run to a request, and what the model must know about them. */
  equip(request: ChatRequest, toolbox: Toolbox): ChatRequest;
  /** What a run of the chat begins with. */
  setupOf(conversation: LiveConversation, run: string): RunSetup;
  /** The run that another window has begun in this chat at the same moment, but earlier. */
  earlierClaim(conversation: LiveConversation): Promise<string | undefined>;
  /** Shows a changed step in the panel. */
  postTurn(conversation: LiveConversation, id: string): void;
  /** Puts a message that was not sent back into the composer. */
  putBack(text: string): void;
  /** Reports changes of the conversation to the panel. */
  update(): void;
}
