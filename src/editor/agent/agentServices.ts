import type { FileClaims } from '../../agent/fileClaims.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { BaseServices } from '../baseServices.ts';
import type { Customizations } from '../chat/customizations/customizations.ts';
import type { RunCosts } from '../chat/runCosts.ts';
import type { AgentUses } from './agentUses.ts';
import type { Approvals } from './approvals.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { ChosenTools } from './chosenTools.ts';
import type { CommandProcesses } from './commandProcesses.ts';
import type { CommandTerminals } from './commandTerminals.ts';
import type { ReviewedRun } from './review/runReview.ts';

export interface AgentServices extends Pick<BaseServices, 'balance' | 'limits' | 'log' | 'models' | 'settings'> {
  readonly runCosts: RunCosts;
  readonly store: ConversationStore;
  /** Returns how many secrets a text contains that were replaced in a request. */
  readonly countSecrets: (text: string) => number;
  readonly approvals: Approvals;
  readonly terminals: CommandTerminals;
  readonly commands: CommandProcesses;
  /** The files that helpers work on, in all chats. */
  readonly claims: FileClaims;
  readonly customizations: Customizations;
  readonly chosenTools: ChosenTools;
  readonly uses: AgentUses;
  /** Returns the same one for the same run, so that its changes are made one after the other. */
  readonly checkpointOf: (chat: string, run: string) => Checkpoint;
  readonly reviewChanges: (run: ReviewedRun) => Promise<void>;
}
