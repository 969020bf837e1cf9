/** Endpoints that pass unread to the upstream that offers the model. */
export type PassedEndpoint =
  | '/completions'
  | '/embeddings'
  | '/moderations'
  | '/rerank'
  | '/images/generations'
  | '/audio/transcriptions'
  | '/audio/speech';

/** The endpoints by their paths below the base address: the six of the specification, compaction, and those that pass. */
export type Endpoint =
  | PassedEndpoint
  | '/chat/completions'
  | '/messages'
  | '/messages/count_tokens'
  | '/responses'
  | '/responses/compact'
  | '/models'
  | '/balance';
