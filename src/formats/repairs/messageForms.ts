/** Other forms of the same conversation. */
import { withCallSignature } from '../chatCompletions/callSignatures.ts';
import { isRecord, type JsonRecord } from '../json.ts';
import { isShortId, shortId } from '../shortIds.ts';
import { renamed, type Simplification, withConversation, withMessages } from './simplification.ts';

/** What an upstream that names its reasoning `reasoning` wants in the history, instead of `reasoning_content`. */
export const OTHER_REASONING = 'messages:reasoning';

/** Not empty, because services take an empty text for none. */
const UNKNOWN_REASONING = 'The reasoning is not known.';

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** A server that knows one system message, at the beginning, and says so in the words of its template. */
const ONE_SYSTEM =
  /system (?:message|prompt|role|instruction)s?\b.{0,80}(?:beginning|start|first|top|only one|once|single)|(?:only one|multiple|more than one|single|first|initial) .{0,30}system (?:message|prompt)|unexpected (?:message )?role:? ['"`]?(?:system|developer)\b|role:? ['"`]?(?:system|developer)['"`]? .{0,40}(?:after|position|index|middle)|system.{0,20}(?:第一|首位|开头|最前)/i;
const NO_SYSTEM =
  /system (?:message|prompt|role|instruction)s?\b.{0,40}(?:not (?:be )?(?:support|allow|permit|enabled)|unsupported)/i;
const ALTERNATING =
  /roles? must alternate|alternat(?:e|ing) (?:between )?.{0,20}(?:user|roles)|consecutive .{0,30}(?:messages?|roles?)|same role/i;
const USER_AFTER_TOOL = /unexpected role ['"`]?user['"`]? after role ['"`]?tool\b/i;
const ONLY_TEXT =
  /(?:content|messages?)\b.{0,80}(?:(?:must|should|to) be a?n? ?(?:valid )?string|expected a? ?string|is not a string)|invalid type: sequence, expected a string|cannot (?:deserialize|unmarshal) (?:value of type `java\.lang\.String`|array)/i;
const NULL_CONTENT =
  /content\b.{0,80}(?:null|none|nil|missing|required|empty)\b|(?:null|none) .{0,40}content|missing field `content`|invalid type: null, expected/i;

export const MESSAGE_FORMS: readonly Simplification[] = [
  {
    name: 'messages:later-system',
    weight: 'form',
    lost: 'role:system',
    meant: ONE_SYSTEM,
    apply: (body) => withConversation(body, withoutLaterSystem),
  },
  {
    name: 'messages:no-system',
    weight: 'rest',
    isOnlyAsked: true,
    lost: 'role:system',
    meant: NO_SYSTEM,
    apply: (body) => withConversation(body, withoutSystem),
  },
  {
    name: 'role:developer',
    weight: 'form',
    meant: /role\b[^.]{0,40}\bdeveloper\b|\bdeveloper\b['"`]? (?:is not|role\b)/i,
    apply: (body) => withConversation(body, (messages) => messages.map(asSystem)),
  },
  {
    name: 'messages:user-after-tool',
    weight: 'form',
    meant: new RegExp(`${USER_AFTER_TOOL.source}|${ALTERNATING.source}`, 'i'),
    apply: (body) => withConversation(body, withAnswersBetween),
  },
  {
    name: 'messages:joined',
    weight: 'form',
    meant: ALTERNATING,
    apply: (body) => withConversation(body, joinedRoles),
  },
  {
    name: 'tool_call_id',
    weight: 'form',
    meant: /tool.?call.?id\b.{0,200}\blength of 9\b/i,
    apply: (body) => withMessages(body, withShortCallIds),
  },
  {
    name: 'tool_calls.thought_signature',
    weight: 'form',
    isOnlyAsked: true,
    meant: /thought_?signature/i,
    apply: (body) => withMessages(body, withCallSignature),
  },
  {
    name: 'content:string',
    weight: 'form',
    meant: ONLY_TEXT,
    apply: (body) => withMessages(body, withTextAsString),
  },
  {
    name: 'content:not-null',
    weight: 'form',
    meant: NULL_CONTENT,
    apply: (body) =>
      withMessages(body, (message) => (message.content === null ? { ...message, content: '' } : message)),
  },
  {
    // Services that demand the reasoning of earlier answers back do not check what it says.
    name: 'messages:with-reasoning',
    weight: 'rest',
    isOnlyAsked: true,
    meant: /reasoning_content\b.{0,80}(?:passed back|missing|required)|missing\b.{0,20}reasoning_content/i,
    apply: (body) => withMessages(body, withSomeReasoning),
  },
  {
    name: 'system:string',
    weight: 'extra',
    lost: 'cache_control',
    meant: /\bsystem\b.{0,60}(?:expects?|must be|should be|to be).{0,20}(?:string|")/i,
    apply: withSystemAsString,
  },
  {
    // Learned from answers. Members of messages are removed if it does not help.
    name: OTHER_REASONING,
    weight: 'rest',
    isOnlyAsked: true,
    apply: (body) => withMessages(body, withOtherReasoning),
  },
];

/** After the forms of answers, which write instructions. */
export const INSTRUCTIONS_IN_INPUT: Simplification = {
  name: 'instructions:input',
  weight: 'rest',
  apply: withInstructionsInInput,
};

function roleOf(message: unknown): unknown {
  return isRecord(message) ? message.role : undefined;
}

function isSystem(message: unknown): boolean {
  return SYSTEM_ROLES.has(roleOf(message));
}

function asSystem(message: unknown): unknown {
  return isRecord(message) && message.role === 'developer' ? { ...message, role: 'system' } : message;
}

function asUser(message: unknown): unknown {
  return isRecord(message) && isSystem(message) ? { ...message, role: 'user' } : message;
}

/** System messages after the first turn become texts of the user; several at the beginning become one. */
function withoutLaterSystem(messages: readonly unknown[]): readonly unknown[] {
  const start = messages.findIndex((message) => !isSystem(message));
  const head = start === -1 ? messages : messages.slice(0, start);
  const rest = messages.slice(head.length);
  const isFine = head.length <= 1 && !rest.some(isSystem);
  return isFine ? messages : joinedRoles([...head, ...rest.map(asUser)]);
}

function withoutSystem(messages: readonly unknown[]): readonly unknown[] {
  return messages.some(isSystem) ? joinedRoles(messages.map(asUser)) : messages;
}

/** Joins neighbours of one role that have nothing but content. */
function joinedRoles(messages: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (isPlain(last) && isPlain(message) && last.role === message.role) {
      joined[joined.length - 1] = { ...last, content: joinedContent(last.content, message.content) };
    } else joined.push(message);
  }
  return joined.length === messages.length ? messages : joined;
}

const JOINED_ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);
const OF_PLAIN: ReadonlySet<string> = new Set(['role', 'content', 'type', 'id', 'status']);

function isPlain(message: unknown): message is JsonRecord {
  if (!isRecord(message) || !JOINED_ROLES.has(message.role) || message.content === null) return false;
  return Object.keys(message).every((name) => OF_PLAIN.has(name));
}

function joinedContent(first: unknown, second: unknown): unknown {
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first, second), ...partsOf(second, first)];
}

/** A text becomes a part like those beside it. */
function partsOf(content: unknown, beside: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  const isItem = Array.isArray(beside) && beside.some((part) => isRecord(part) && /^input_/.test(String(part.type)));
  return [{ type: isItem ? 'input_text' : 'text', text: String(content ?? '') }];
}

/** Some services want an answer between results of tools and the user's next message. */
function withAnswersBetween(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message, at) =>
    roleOf(message) === 'user' && roleOf(messages[at - 1]) === 'tool'
      ? [{ role: 'assistant', content: 'OK.' }, message]
      : [message],
  );
}

function withShortCallIds(message: JsonRecord): JsonRecord {
  const { tool_calls: calls, tool_call_id: id } = message;
  const isResult = typeof id === 'string' && !isShortId(id);
  const hasCalls = Array.isArray(calls) && calls.some((call) => isRecord(call) && !isShortId(String(call.id)));
  if (!isResult && !hasCalls) return message;
  return {
    ...message,
    ...(isResult && { tool_call_id: shortId(id) }),
    ...(hasCalls && {
      tool_calls: calls.map((call) => (isRecord(call) ? { ...call, id: shortId(String(call.id)) } : call)),
    }),
  };
}

function withTextAsString(message: JsonRecord): JsonRecord {
  const { content } = message;
  if (!Array.isArray(content) || content.length === 0) return message;
  const texts = content.map((part) => (isRecord(part) && part.type === 'text' ? part.text : undefined));
  // Other members of a part, such as a cache mark, would be lost.
  const isPlainText = content.every((part) => isRecord(part) && Object.keys(part).length === 2);
  return isPlainText && texts.every((text) => typeof text === 'string')
    ? { ...message, content: texts.join('\n\n') }
    : message;
}

function withSomeReasoning(message: JsonRecord): JsonRecord {
  if (message.role !== 'assistant' || message.reasoning_content !== undefined) return message;
  return { ...message, reasoning_content: UNKNOWN_REASONING };
}

function withSystemAsString(body: JsonRecord): JsonRecord | undefined {
  const { system } = body;
  if (!Array.isArray(system)) return undefined;
  return { ...body, system: system.map((part) => (isRecord(part) ? String(part.text) : '')).join('\n\n') };
}

function withInstructionsInInput({ instructions, ...body }: JsonRecord): JsonRecord | undefined {
  if (typeof instructions !== 'string' || !Array.isArray(body.input)) return undefined;
  const message = { type: 'message', role: 'system', content: [{ type: 'input_text', text: instructions }] };
  return { ...body, input: [message, ...body.input] };
}

function withOtherReasoning(message: JsonRecord): JsonRecord {
  return Object.hasOwn(message, 'reasoning')
    ? message
    : (renamed(message, 'reasoning_content', 'reasoning') ?? message);
}
