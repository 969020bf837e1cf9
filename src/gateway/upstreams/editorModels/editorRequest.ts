/** Converts a request from the neutral form to that of the editor's language model API. */
import type {
  AssistantPart,
  ChatRequest,
  DocumentPart,
  ImagePart,
  Message,
  TextPart,
  Tool,
  ToolResultPart,
} from '../../../formats/conversation.ts';
import { hasCacheHints, hasFailedResults, namesOf, namesWhere, somePart } from '../../../formats/dropped.ts';
import { defined, type JsonObject } from '../../../formats/json.ts';
import { encodeInput } from '../../../formats/messages/tools.ts';
import type {
  EditorChatRequest,
  EditorDataPart,
  EditorMessage,
  EditorPart,
  EditorTextPart,
  EditorTool,
  EditorToolCall,
} from './protocol.ts';

type EditorContentPart = TextPart | ImagePart | DocumentPart;

export function encodeEditorRequest(request: ChatRequest): EditorChatRequest {
  const { model, system, messages, toolChoice } = request;
  const tools = offeredTools(request).map(encodeTool);
  const mustCall = toolChoice?.type === 'required' || toolChoice?.type === 'tool' || isRequired(request);
  const modelOptions = encodeOptions(request);
  return {
    model,
    messages: [...asUser(system), ...messages.flatMap(encodeMessage)],
    ...(tools.length > 0 && { tools }),
    ...(tools.length > 0 && mustCall && { mustCallTool: true }),
    ...(Object.keys(modelOptions).length > 0 && { modelOptions }),
  };
}

/** Returns the names of what the API does not support, as most formats name them. */
export function droppedFromRequest(request: ChatRequest): string[] {
  const { reasoning, responseFormat, serviceTier, store, truncation, parallelToolCalls, tools = [] } = request;
  return [
    ...namesOf(request, ['topK', 'frequencyPenalty', 'presencePenalty', 'seed', 'stopSequences', 'verbosity']),
    ...namesOf(request, ['metadata', 'promptCacheKey']),
    ...namesWhere({
      cache_control: hasCacheHints(request),
      is_error: hasFailedResults(request),
      detail: somePart(request, (part) => part.type === 'image' && (part.detail ?? 'auto') !== 'auto'),
      image: someContent(request, (part) => part.type === 'image' && part.source.kind !== 'base64'),
      document: someContent(request, (part) => part.type === 'document' && encodeContent(part).length === 0),
      reasoning: reasoning !== undefined || somePart(request, (part) => part.type === 'reasoning'),
      response_format: responseFormat !== undefined && responseFormat.type !== 'text',
      parallel_tool_calls: parallelToolCalls === false,
      service_tier: serviceTier !== undefined,
      store: store === true,
      truncation: truncation !== undefined && truncation !== 'disabled',
      strict: tools.some(({ strict }) => strict === true),
      grammar: tools.some(({ grammar }) => grammar !== undefined),
      user: request.userId !== undefined,
      logprobs: request.logProbs !== undefined,
    }),
  ];
}

function offeredTools({ tools = [], toolChoice }: ChatRequest): readonly Tool[] {
  switch (toolChoice?.type) {
    case 'none':
      return [];
    case 'tool':
      return tools.filter(({ name }) => name === toolChoice.name);
    case 'allowed': {
      const allowed = new Set(toolChoice.names);
      return tools.filter(({ name }) => allowed.has(name));
    }
    default:
      return tools;
  }
}

function isRequired({ toolChoice }: ChatRequest): boolean {
  return toolChoice?.type === 'allowed' && toolChoice.mode === 'required';
}

function encodeTool({ name, description = '', parameters }: Tool): EditorTool {
  return { name, description, ...(parameters !== undefined && { inputSchema: parameters }) };
}

/** Uses the names that most services use. */
function encodeOptions({ temperature, topP, maxTokens }: ChatRequest): JsonObject {
  return defined({ temperature, top_p: topP, max_tokens: maxTokens });
}

function asUser(parts: readonly TextPart[]): EditorMessage[] {
  return message('user', parts.flatMap(encodeContent));
}

function encodeMessage({ role, parts }: Message): EditorMessage[] {
  switch (role) {
    case 'assistant':
      return message('assistant', parts.flatMap(encodeAssistantPart));
    case 'tool':
      return message('user', parts.map(encodeResult));
    default:
      return message('user', parts.flatMap(encodeContent));
  }
}

/** Extensions refuse messages without parts. */
function message(role: EditorMessage['role'], parts: readonly EditorPart[]): EditorMessage[] {
  return parts.length === 0 ? [] : [{ role, parts }];
}

function encodeContent(part: EditorContentPart): (EditorTextPart | EditorDataPart)[] {
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }];
  const { source } = part;
  if (source.kind === 'text') return [{ type: 'text', text: source.text }];
  if (source.kind !== 'base64') return [];
  if (part.type === 'image') return [{ type: 'data', mediaType: source.mediaType, data: source.data }];
  const isText = source.mediaType.startsWith('text/');
  return isText ? [{ type: 'text', text: Buffer.from(source.data, 'base64').toString() }] : [];
}

function encodeAssistantPart(part: AssistantPart): (EditorTextPart | EditorToolCall)[] {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'toolCall':
      return [{ type: 'toolCall', id: part.id, name: part.name, input: encodeInput(part) }];
    default:
      return [];
  }
}

function encodeResult({ toolCallId, content }: ToolResultPart): EditorPart {
  return { type: 'toolResult', toolCallId, content: content.flatMap(encodeContent) };
}

function someContent(request: ChatRequest, is: (part: EditorContentPart) => boolean): boolean {
  return somePart(request, (part) => {
    if (part.type === 'toolResult') return part.content.some(is);
    return (part.type === 'text' || part.type === 'image' || part.type === 'document') && is(part);
  });
}
