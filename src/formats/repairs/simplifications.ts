/** All simplifications, in the order in which they are tried. */
import { ANSWER_FORMS } from './answerForms.ts';
import { DEMANDED_VALUES } from './demandedValues.ts';
import { EFFORT_FORMS } from './efforts.ts';
import { MEDIA_FORMS } from './mediaForms.ts';
import { INSTRUCTIONS_IN_INPUT, MESSAGE_FORMS } from './messageForms.ts';
import { OUTPUT_LIMITS } from './outputLimits.ts';
import { REMOVALS } from './removals.ts';
import type { Simplification } from './simplification.ts';
import { FUNCTION_TOOLS, NO_CHOICE, TOOL_FORMS } from './toolForms.ts';
import { TOOL_LIMITS } from './toolLimits.ts';

/** Replacements come before removals of the same member. */
export const SIMPLIFICATIONS: readonly Simplification[] = [
  ...MESSAGE_FORMS.map(deep),
  ...DEMANDED_VALUES,
  ...ANSWER_FORMS,
  FUNCTION_TOOLS,
  ...TOOL_LIMITS,
  ...TOOL_FORMS,
  ...MEDIA_FORMS.map(deep),
  ...EFFORT_FORMS,
  ...OUTPUT_LIMITS,
  ...REMOVALS,
  NO_CHOICE,
  deep(INSTRUCTIONS_IN_INPUT),
];

function deep(each: Simplification): Simplification {
  return { ...each, isDeep: true };
}
