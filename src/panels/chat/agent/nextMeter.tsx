import type { ChatState, NextStepView } from '../../../pages/chat/protocol.ts';
import { MeterLine } from '../meter/meterBar.tsx';
import { nextStepView } from './nextStep.ts';

/** The meter of the next step, without the breakdown of a question. */
export function NextMeter({ state, next }: { readonly state: ChatState; readonly next: NextStepView }) {
  return <MeterLine state={state} view={nextStepView(state, next)} />;
}
