/** The reasoning efforts that a user can choose, in settings and for one chat. The lowest is first. */
export const REASONING_EFFORTS = ['none', 'low', 'medium', 'high'] as const;

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];
