/** Which text a delta of a stream continues, in each of the three formats. */
import { type JsonString, pathOf } from './jsonStrings.ts';

export interface DeltaChannel {
  readonly id: string;
  /** The block, item, or choice that the text is a part of. It ends with it. */
  readonly group: string;
  /** Whether the text is JSON. */
  readonly isJson: boolean;
  /** Whether it is a text for the user. */
  readonly isText: boolean;
}

type Members = Readonly<Record<string, unknown>>;

const OF_BLOCK = /^delta\.(text|thinking|partial_json)$/;
const OF_CHOICE =
  /^choices\.(\d+)\.(text|delta\.(?:content|reasoning|reasoning_content|refusal|function_call\.arguments|reasoning_details\.\d+\.\w+|tool_calls\.(\d+)\.(?:function\.arguments|custom\.input)))$/;

/** Returns `undefined` for a string that comes as a whole. */
export function channelOf(event: Members, string: JsonString): DeltaChannel | undefined {
  const { type } = event;
  const path = pathOf(string);
  if (type === 'content_block_delta') return ofBlock(event, path);
  if (typeof type === 'string' && type.endsWith('.delta')) return path === 'delta' ? ofItem(event, type) : undefined;
  return path.startsWith('choices.') ? ofChoice(event, path) : undefined;
}

function ofBlock(event: Members, path: string): DeltaChannel | undefined {
  const name = OF_BLOCK.exec(path)?.[1];
  if (name === undefined) return undefined;
  const group = `block ${event.index}`;
  return { id: `${group} ${name}`, group, isJson: name === 'partial_json', isText: name === 'text' };
}

function ofItem(event: Members, type: string): DeltaChannel {
  const group = `item ${event.output_index}`;
  const isJson = type.endsWith('arguments.delta');
  const isText = type === 'response.output_text.delta';
  return { id: `${group} ${type} ${event.content_index} ${event.summary_index}`, group, isJson, isText };
}

function ofChoice(event: Members, path: string): DeltaChannel | undefined {
  const [, place, inChoice = '', callPlace] = OF_CHOICE.exec(path) ?? [];
  if (place === undefined) return undefined;
  const choice = at(event.choices, place);
  const group = `choice ${choice.index ?? place}`;
  const isText = inChoice === 'text' || inChoice === 'delta.content';
  if (callPlace === undefined) {
    return { id: `${group} ${inChoice}`, group, isJson: inChoice.endsWith('arguments'), isText };
  }
  const call = at(members(choice.delta).tool_calls, callPlace);
  const id = `${group} call ${call.index ?? callPlace} ${inChoice.slice(inChoice.lastIndexOf('.'))}`;
  return { id, group, isJson: inChoice.endsWith('arguments'), isText: false };
}

/** Returns the groups that an event ends, or `all`. */
export function endedGroups(event: Members): readonly string[] | 'all' {
  const { type, choices } = event;
  if (type === 'content_block_stop') return [`block ${event.index}`];
  if (typeof type === 'string' && type.startsWith('response.')) {
    if (/^response\.(?:completed|incomplete|failed)$/.test(type)) return 'all';
    return type.endsWith('.done') ? [`item ${event.output_index}`] : [];
  }
  if (typeof type === 'string') return /^(?:message_delta|message_stop|error)$/.test(type) ? 'all' : [];
  if (event.error !== undefined && event.error !== null) return 'all';
  if (!Array.isArray(choices)) return [];
  return choices.flatMap((choice: unknown, place) => {
    const { finish_reason: reason, index } = members(choice);
    return reason === undefined || reason === null ? [] : [`choice ${index ?? place}`];
  });
}

function at(list: unknown, place: string): Members {
  return Array.isArray(list) ? members(list[Number(place)]) : {};
}

function members(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}
