/** The endpoints by their paths below the base address: the six of the specification, and compaction. */
export type Endpoint =
  | '/chat/completions'
  | '/messages'
  | '/messages/count_tokens'
  | '/responses'
  | '/responses/compact'
  | '/models'
  | '/balance';
