/** Endpoints that pass unread to the upstream that offers the model. */
export type PassedEndpoint =
  | '/completions'
  | '/embeddings'
  | '/moderations'
  | '/rerank'
  | '/images/generations'
  | '/images/edits'
  | '/audio/transcriptions'
  | '/audio/translations'
  | '/responses/input_tokens'
  | '/audio/speech';

/**
 * The endpoints by their paths below the base address: the six of the specification, compaction, a stored response, whose
 * ID is the rest of the path, and those that pass.
 */
export type Endpoint =
  | PassedEndpoint
  | '/chat/completions'
  | '/messages'
  | '/messages/count_tokens'
  | '/responses'
  | '/responses/compact'
  | '/responses/'
  | '/models'
  | '/balance';
