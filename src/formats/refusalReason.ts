/** Reasons of refusals that services give only in words, because there is no common status or code for them. */

/** Excludes quotas that reset by themselves, as some vendors call their rate limits. */
const CREDIT =
  /credit balance|out of credits?|(?:not enough|insufficient|no)[ _](?:credits?|funds|balance|quota)|exceeded_current_quota|billing_hard_limit|billing_not_active|payment required|(?:add|purchase|buy) (?:more )?credits|余额不足|欠费/i;
const OVERFLOW =
  /context[_ ](?:length|window|size)|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|exceeds? the (?:model's )?(?:maximum )?(?:number of )?(?:input )?tokens?\b|(?:model token|context) limit|range of input length|reduce the (?:length|size) of (?:the |your )?(?:messages?|prompt|input)|request_too_large/i;

/** A sentence that has all of these compares the input's length with a limit, in whatever words. */
const COMPARED_INPUT = [
  /\b(?:prompt|inputs?|context|messages?)\b|^(?!.*\b(?:output|completion)\b)(?=.*\brequest\b).*\btokens?\b/i,
  /exceed|\b(?:above|over|longer|larger|greater|more|less)\b|\btoo (?:large|long|many|big)\b|[<>≤]/i,
  /\b(?:tokens?|length|size|window|max_\w*len)\b/i,
  /\d{4,}|\d[,_]\d{3}|\d ?k\b/i,
];
/** Lengths that no larger context window helps with. */
const OTHER_LENGTH = /\b(?:images?|pixels?|files?|tools?|[km]i?b|(?:mega)?bytes?)\b/i;
const FILTER = /content[_ ](?:management[_ ])?(?:filter|policy)|content_policy_violation|moderation|flagged by/i;
const MODEL =
  /model_not_found|\bmodel\b[^.]{0,80}\b(?:does not exist|not found|not exist|is not available|no such|unknown)\b|\b(?:no such|unknown|invalid) model\b|模型不存在/i;

export function speaksOfCredit(words: string): boolean {
  return CREDIT.test(words);
}

/** A limit of the output alone, such as of `max_tokens`, is no overflow. */
export function speaksOfOverflow(words: string): boolean {
  return OVERFLOW.test(words) || (!OTHER_LENGTH.test(words) && COMPARED_INPUT.every((sign) => sign.test(words)));
}

export function speaksOfFilter(words: string): boolean {
  return FILTER.test(words);
}

/** Whether a refusal has a reason that no other form of the request would help with. */
export function speaksOfOtherReason(words: string): boolean {
  return [speaksOfCredit, speaksOfOverflow, speaksOfFilter, (each: string) => MODEL.test(each)].some((speaks) =>
    speaks(words),
  );
}
