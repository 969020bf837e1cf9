/** Reasons that upstreams give only in messages, because there is no common status or code for them. */
import type { ApiError } from '../../../formats/apiError.ts';
import type { ExtraTrigger } from '../routes/routeEntry.ts';

/** Excludes quotas that reset by themselves, as some vendors call their rate limits. */
const CREDIT =
  /credit balance|out of credits?|(?:not enough|insufficient|no)[ _](?:credits?|funds|balance|quota)|exceeded_current_quota|billing_hard_limit|billing_not_active|payment required|(?:add|purchase|buy) (?:more )?credits|余额不足|欠费/i;
const OVERFLOW =
  /context[_ ](?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|exceeds? the (?:model's )?(?:maximum )?(?:number of )?(?:input )?tokens?\b|request_too_large/i;
/** Words for the input beside a limit. A limit of the output alone, such as of `max_tokens`, is no overflow. */
const INPUT_ABOVE_LIMIT =
  /\b(?:prompt|input|context)\b[^.]{0,80}\b(?:longer|larger|greater|more|exceed(?:s|ed|ing)?)\b[^.]{0,60}\b(?:limit|maximum|length|window)\b[^.]{0,40}\d{3,}|\bexceed(?:s|ed|ing)?\b[^.]{0,40}\b(?:model token|context) limit\b/i;
const FILTER = /content[_ ](?:management[_ ])?(?:filter|policy)|content_policy_violation|moderation|flagged by/i;

const REFUSED: ReadonlySet<number> = new Set([400, 403, 413, 422, 429]);

/** Returns the trigger for a refusal's code or message, or `undefined` if only the status counts. */
export function extraTrigger(error: ApiError, status: number): ExtraTrigger | undefined {
  if (error.kind === 'credit') return 'credit';
  if (!REFUSED.has(status)) return undefined;
  const words = `${error.code ?? ''} ${error.type ?? ''} ${error.message}`;
  if (status !== 413 && CREDIT.test(words)) return 'credit';
  if (status === 429) return undefined;
  if (status !== 403 && (OVERFLOW.test(words) || INPUT_ABOVE_LIMIT.test(words))) return 'overflow';
  return FILTER.test(words) ? 'filter' : undefined;
}
