import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { formatTokensExact } from '../../../display/tokens.ts';
import type { ContextState } from '../../../pages/session/context/protocol.ts';
import type { SessionState } from '../../../pages/session/protocol.ts';
import { ContextPlot } from './contextPlot.tsx';
import { FindingList } from './findingList.tsx';
import { PartTable } from './partTable.tsx';

interface ContextProps {
  readonly context: ContextState;
  readonly state: SessionState;
}

/** What fills the context: over the steps, what was found, and part by part. */
export function ContextSection({ context, state }: ContextProps) {
  return (
    <section class="section context">
      <ContextPlot context={context} contextWindow={state.contextWindow} />
      {context.findings.length > 0 && <FindingList context={context} />}
      <PartTable context={context} />
      <p class="quiet">
        {l10n.t(
          '{0} of input in {1} measured requests. Tokens are estimated by part, and scaled to what was billed.',
          formatSum(context.inputCost),
          formatTokensExact(context.requests),
        )}
      </p>
    </section>
  );
}
