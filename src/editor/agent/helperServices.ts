import type { HelperRole } from '../../agent/helperRoles.ts';
import type { AskedHelper } from '../../agent/helperTask.ts';
import type { ToolOutcome, ToolProgress } from '../../agent/tools/tool.ts';
import type { Model } from '../../service/modelCatalog.ts';

/** What the tool that starts helpers needs. */
export interface HelperServices {
  readonly models: () => readonly Model[];
  /** The model of the chat. */
  readonly model: () => string;
  /** The roles of the user's agent files. */
  readonly roles: readonly HelperRole[];
  readonly run: (helpers: readonly AskedHelper[], progress: ToolProgress) => Promise<ToolOutcome>;
}
