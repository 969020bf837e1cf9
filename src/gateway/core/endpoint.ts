/** The six endpoints of the specification, by their paths below the base address. */
export type Endpoint =
  | '/chat/completions'
  | '/messages'
  | '/messages/count_tokens'
  | '/responses'
  | '/models'
  | '/balance';
