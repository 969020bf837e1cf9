/**
 * Plans how the tools of a request are sent to an upstream with another format, and how they are restored in its
 * answers.
 */

import { createHash } from 'node:crypto';
import type { ApiError } from '../../formats/apiError.ts';
import type {
  AssistantPart,
  ChatRequest,
  FormatName,
  HostedTool,
  Message,
  Tool,
  ToolChoice,
} from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import { wholeName } from '../../formats/shortIds.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { asArguments, asFunction } from './freeForm.ts';
import { PropertyNames } from './propertyNames.ts';

/** The upstream's format. */
export type ToolTarget = Pick<WireFormat, 'name' | 'hasHostedTools'>;

export interface ToolPlan {
  readonly request: ChatRequest;
  readonly names: ToolNames;
  /** Types of the hosted tools that the upstream cannot run, without duplicates. */
  readonly dropped: readonly string[];
}

/** Returns the plan, or an error if the request depends on tools that the upstream cannot run. */
export function planTools(request: ChatRequest, upstream: ToolTarget): ToolPlan | ApiError {
  const { name: target, hasHostedTools = true } = upstream;
  const isRun = ({ format }: HostedTool) => hasHostedTools && format === target;
  const lost = (request.hostedTools ?? []).filter((tool) => !isRun(tool));
  const dropped = [...new Set(lost.map(({ type }) => type))];
  const demanded = demandedTool(request, lost);
  if (demanded !== undefined) return refusal(demanded);
  const names = new ToolNames();
  const tools = request.tools && withoutRepeats(request.tools.map((tool) => planTool(tool, names, target)));
  const messages = request.messages.map((message) => planMessage(message, names, target));
  const { toolChoice, hostedTools, tools: _, ...rest } = request;
  const kept = hostedTools?.filter(isRun) ?? [];
  const offersNothing = (tools ?? []).length + kept.length === 0;
  return {
    names,
    dropped,
    request: {
      ...rest,
      messages,
      ...(tools !== undefined && { tools }),
      ...(kept.length > 0 && { hostedTools: kept }),
      ...(toolChoice !== undefined && !offersNothing && { toolChoice: planChoice(toolChoice, names, lost) }),
    },
  };
}

/**
 * Offers a tool that a client sends twice only once, with its last definition, because services refuse two tools with
 * the same name.
 */
function withoutRepeats(tools: readonly Tool[]): Tool[] {
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
}

/** Only one format supports free-form tools. */
function knowsFreeForm(target: FormatName): boolean {
  return target === 'responses';
}

function planTool(tool: Tool, names: ToolNames, target: FormatName): Tool {
  const { namespace: _, ...flat } = { ...tool, name: names.nameOf(tool) };
  if (flat.freeForm && !knowsFreeForm(target)) return asFunction(flat);
  const renamed = target === 'messages' && flat.parameters ? PropertyNames.of(flat.parameters) : undefined;
  if (renamed === undefined) return flat;
  names.rename(flat.name, renamed);
  return { ...flat, parameters: renamed.schema };
}

function planMessage(message: Message, names: ToolNames, target: FormatName): Message {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', parts: message.parts.map((part) => planPart(part, names, target)) };
    case 'tool': {
      if (knowsFreeForm(target)) return message;
      return { role: 'tool', parts: message.parts.map(({ freeForm: _, ...part }) => part) };
    }
    default:
      return message;
  }
}

function planPart(part: AssistantPart, names: ToolNames, target: FormatName): AssistantPart {
  if (part.type !== 'toolCall') return part;
  const { namespace: _, ...call } = { ...part, name: names.nameOf(part) };
  const renamed = target === 'messages' ? names.propertiesOf(call.name) : undefined;
  if (renamed !== undefined) return { ...call, arguments: renamed.accepted(call.arguments) };
  if (!call.freeForm || knowsFreeForm(target)) return call;
  const { freeForm: __, ...asCall } = call;
  return { ...asCall, arguments: asArguments(call.arguments) };
}

function planChoice(choice: ToolChoice, names: ToolNames, lost: readonly HostedTool[]): ToolChoice {
  switch (choice.type) {
    case 'tool':
      return { type: 'tool', name: names.namesOfChosen(choice)[0] };
    case 'allowed': {
      const namesLost = namesOf(lost);
      const kept = [...new Set(choice.names)].filter((name) => !namesLost.has(name));
      return { ...choice, names: kept.flatMap((name) => names.namesOfChosen({ name })) };
    }
    default:
      return choice;
  }
}

/** Returns the type of a hosted tool that the model must use but the upstream cannot run. */
function demandedTool({ tools, toolChoice }: ChatRequest, lost: readonly HostedTool[]): string | undefined {
  const [first] = lost;
  if (first === undefined || toolChoice === undefined) return undefined;
  switch (toolChoice.type) {
    case 'tool':
      return tools?.some(({ name }) => name === toolChoice.name)
        ? undefined
        : lost.find((tool) => tool.type === toolChoice.name || tool.definition.name === toolChoice.name)?.type;
    case 'required':
      return (tools ?? []).length === 0 ? first.type : undefined;
    case 'allowed': {
      const namesLost = namesOf(lost);
      const allLost = toolChoice.names.every((name) => namesLost.has(name));
      return toolChoice.mode === 'required' && allLost ? first.type : undefined;
    }
    default:
      return undefined;
  }
}

/** What they may be called by a tool choice. */
function namesOf(tools: readonly HostedTool[]): ReadonlySet<unknown> {
  return new Set(tools.flatMap(({ type, definition }) => [type, definition.name]));
}

function refusal(tool: string): ApiError {
  return {
    kind: 'invalidRequest',
    status: 400,
    code: 'unsupported_tool',
    param: 'tool_choice',
    message: `The tool choice requires "${tool}", which the upstream of this model cannot run. Choose another tool or model.`,
  };
}

export interface CallerTool {
  readonly name: string;
  readonly namespace?: string;
  readonly freeForm?: true;
  readonly toolSearch?: true;
}

/** Accepted by all services. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
const NOT_TAKEN = /[^\w-]/g;
/** Some services want a letter first. */
const BEGINS_OTHERWISE = /^[^A-Za-z]/;

/**
 * Maps the caller's tools to a flat list of names that all services accept. The caller's names can be long, contain any
 * characters, and occur in two namespaces. The same tools always get the same names, so that the upstream's cache stays
 * valid.
 */
export class ToolNames {
  /** By the name sent to the upstream. */
  readonly #tools = new Map<string, CallerTool>();
  /** By namespace and name. */
  readonly #names = new Map<string, string>();
  /** Those of any namespace, by the name alone. */
  readonly #alike = new Map<string, string[]>();
  /** Properties with other names, by the name of their tool that is sent to the upstream. */
  #properties: Map<string, PropertyNames> | undefined;

  nameOf({ name, namespace, freeForm, toolSearch }: CallerTool): string {
    const key = keyOf({ name, ...defined({ namespace }) });
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const wire = this.#free(namespace === undefined ? name : `${namespace}__${name}`, key);
    this.#names.set(key, wire);
    const alike = this.#alike.get(name);
    if (alike === undefined) this.#alike.set(name, [wire]);
    else alike.push(wire);
    this.#tools.set(wire, { name, ...defined({ namespace, freeForm, toolSearch }) });
    return wire;
  }

  /** @param wire the name of the tool that is sent to the upstream. */
  rename(wire: string, properties: PropertyNames): void {
    this.#properties ??= new Map();
    this.#properties.set(wire, properties);
  }

  /** Returns the properties of a tool that have other names, if there are any. */
  propertiesOf(wire: string): PropertyNames | undefined {
    return this.#properties?.get(wire) ?? this.#properties?.get(this.#whole(wire));
  }

  /** Returns the caller's tool. A name invented by the model is returned unchanged. */
  toolOf(wire: string): CallerTool {
    return this.#tools.get(wire) ?? this.#tools.get(this.#whole(wire)) ?? { name: wire };
  }

  /** An upstream that accepts only other names was sent names that stand for these. */
  #whole(wire: string): string {
    return wholeName(wire, this.#tools.keys());
  }

  /**
   * Returns the upstream's names for a name in the caller's tool choice: the tool with exactly this name, or else those
   * with this name in any namespace.
   */
  namesOfChosen(chosen: CallerTool): readonly [string, ...string[]] {
    const exact = this.#names.get(keyOf(chosen));
    if (exact !== undefined || chosen.namespace !== undefined) return [exact ?? this.nameOf(chosen)];
    const [first, ...others] = this.#alike.get(chosen.name) ?? [];
    return first === undefined ? [this.nameOf(chosen)] : [first, ...others];
  }

  #free(wanted: string, key: string): string {
    const taken = wanted.replace(NOT_TAKEN, '_');
    const plain = BEGINS_OTHERWISE.test(taken) ? `tool_${taken}` : taken;
    if (plain !== '' && plain.length <= MAX_NAME_LENGTH && !this.#tools.has(plain)) return plain;
    const hash = createHash('sha256').update(key).digest('hex').slice(0, HASH_LENGTH);
    return `${plain.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
  }
}

function keyOf({ name, namespace }: CallerTool): string {
  return JSON.stringify([namespace ?? null, name]);
}
