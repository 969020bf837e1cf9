/**
 * What the agent can do. Each tool checks its arguments, describes what it will do, and does it once that is allowed.
 */

import * as z from 'zod/mini';
import type { Tool } from '../../formats/conversation.ts';
import { isRecord, type JsonObject, parseJson } from '../../formats/json.ts';
import type { DiffLine, InstructionsWarning, RunAction } from '../../pages/chat/protocol.ts';

/** A failure whose message is for the model: it says what to do instead. */
export class ToolError extends Error {
  /** What the user reads instead, if the same can fail when the user does it. */
  readonly forUser: string | undefined;

  constructor(message: string, forUser?: string) {
    super(message);
    this.forUser = forUser;
  }
}

/** The window closes during a call that goes on in the next one. */
export class CallInterruptedError extends Error {}

/** The reason of an abort because the window closes. */
export const WINDOW_CLOSES = 'windowCloses';

/** Returns the result of what the user has asked for. Its failures are in the user's language. */
export async function resultForUser<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ToolError && error.forUser !== undefined) throw new Error(error.forUser);
    throw error;
  }
}

/** What must be allowed before the tool may act. */
export interface ApprovalNeed {
  /** What is allowed with "for this chat" and "always": a kind and a text, such as a command. */
  readonly kind: 'command' | 'address' | 'tool' | 'write' | 'file';
  readonly subject: string;
  /** Set if it must be asked each time. */
  readonly reason?: 'outside' | 'ignored' | 'secret';
  readonly folder?: string;
  readonly diff?: readonly DiffLine[];
  /** The skill that a command belongs to. */
  readonly skill?: string;
  /** What a tool of another extension is called with. */
  readonly input?: string;
  /** The path outside the workspace that it would delete, which is never done. */
  readonly deletesOutside?: string;
}

export interface ResultImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

/** The result of a tool. */
export interface ToolOutcome {
  /** For the model. */
  readonly text: string;
  /** For models that read images, in formats that all of them accept. */
  readonly images?: readonly ResultImage[];
  readonly isError?: boolean;
  /** Where the text came from, if it is not from the user: a path, an address, or a command. */
  readonly source?: { readonly name: string; readonly isFile: boolean };
  /** What the step shows. */
  readonly action?: Partial<Pick<RunAction, 'note' | 'added' | 'removed' | 'exitCode' | 'output' | 'state' | 'object'>>;
  /** Instructions to the model that a helper has read. */
  readonly warning?: InstructionsWarning | undefined;
  /** The change of a file, by which loops are found. */
  readonly edit?: { readonly path: string; readonly before: string; readonly after: string };
}

export interface ToolProgress {
  /** The step and the call, by their IDs. */
  readonly place: { readonly step: string; readonly call: string };
  readonly signal: AbortSignal;
  /** Shows what has happened so far, such as the last lines of a command. */
  readonly report: (action: Partial<Pick<RunAction, 'output'>>) => void;
  /** Asks the user a question of the model. */
  readonly ask: (text: string, options: readonly string[]) => Promise<string>;
}

/** A call that was understood. */
export interface PreparedToolCall {
  readonly action: Pick<RunAction, 'kind' | 'object'>;
  /** Undefined if it may always be done. */
  readonly need?: ApprovalNeed;
  /** The URIs of the files that it changes, which nobody else may change meanwhile. */
  readonly writes?: readonly string[];
  /** Whether it goes on where it was when the window was closed meanwhile. */
  readonly resumes?: true;
  run(progress: ToolProgress): Promise<ToolOutcome>;
}

export interface AgentTool {
  readonly definition: Tool;
  /**
   * Understands the arguments, which are JSON as the model wrote it. Changes nothing.
   * @throws {ToolError} if they are wrong, or what they name does not exist.
   */
  prepare(args: unknown): Promise<PreparedToolCall>;
}

/** Creates a tool from its implementation and a schema, whose descriptions the model reads. */
export function defineTool<Schema extends z.ZodMiniObject>(
  name: string,
  description: string,
  schema: Schema,
  prepare: (args: z.infer<Schema>) => Promise<PreparedToolCall> | PreparedToolCall,
): AgentTool {
  const parameters = jsonSchemaOf(schema);
  return {
    definition: { name, description, parameters },
    prepare: async (args) => {
      const written = schema.safeParse(args);
      const read = written.success ? written : schema.safeParse(meantBy(args, schema));
      if (read.success) return prepare(read.data);
      const problems = z.prettifyError(written.error ?? read.error);
      throw new ToolError(
        `The arguments are invalid. ${problems}\nExpected, such as ${JSON.stringify(exampleOf(schema))}`,
      );
    },
  };
}

/**
 * The JSON Schema of a tool's arguments. Zod's own conversion would add 20 KB to the code that is loaded when the editor
 * starts, because it shares Zod's modules.
 */
function jsonSchemaOf(schema: z.core.$ZodType): JsonObject {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return { ...(description !== undefined && { description }), ...shapeOf(schema as z.core.$ZodTypes) };
}

function shapeOf(schema: z.core.$ZodTypes): JsonObject {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape);
      return {
        type: 'object',
        properties: Object.fromEntries(members.map(([name, member]) => [name, jsonSchemaOf(member)])),
        required: members.filter(([, member]) => member._zod.def.type !== 'optional').map(([name]) => name),
        additionalProperties: false,
      };
    }
    case 'optional':
      return jsonSchemaOf(def.innerType);
    case 'array':
      return { type: 'array', items: jsonSchemaOf(def.element) };
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries) };
    case 'number':
      return { type: 'integer' };
    case 'string':
    case 'boolean':
      return { type: def.type };
    default:
      throw new Error(`Arguments of the type ${def.type} are not supported.`);
  }
}

/** A text argument with its description. */
export function text(description: string) {
  return z.string().check(z.describe(description));
}

type Schema = z.core.$ZodType;

/**
 * Reads a text with JSON as what it contains, a single item as a list, and texts as numbers. An optional argument that is
 * `null` is omitted. Whatever else there is stays as it is, and is refused by the schema.
 */
function meantBy(value: unknown, schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const object = typeof value === 'string' ? parsed(value) : value;
      if (!isRecord(object)) return value;
      const members = Object.entries(def.shape).flatMap(([name, member]) => {
        const isOmitted = object[name] === undefined || isEmptyOption(object[name], member);
        return isOmitted ? [] : [[name, meantBy(object[name], member)] as const];
      });
      return Object.fromEntries(members);
    }
    case 'optional':
      return meantBy(value, def.innerType);
    case 'array': {
      const list = typeof value === 'string' ? (parsed(value) ?? value) : value;
      const items = Array.isArray(list) ? list : [list];
      return items.map((item) => meantBy(item, def.element));
    }
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    default:
      return value;
  }
}

/** An example of arguments that the schema accepts, for an error. */
function exampleOf(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const required = Object.entries(def.shape).filter(([, member]) => !isOptional(member));
      return Object.fromEntries(required.map(([name, member]) => [name, exampleOf(member)]));
    }
    case 'optional':
      return exampleOf(def.innerType);
    case 'array':
      return [exampleOf(def.element)];
    case 'enum':
      return Object.values(def.entries)[0];
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}

function isOptional(schema: Schema): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'optional';
}

/** Some models write `null`, or an empty text for a number, for what they omit. */
function isEmptyOption(value: unknown, member: Schema): boolean {
  const { def } = (member as z.core.$ZodTypes)._zod;
  if (def.type !== 'optional') return false;
  const { type } = (def.innerType as z.core.$ZodTypes)._zod.def;
  return value === null || (value === '' && type !== 'string');
}

/** JSON in JSON is often encoded once too often, or has line breaks that should be escaped. */
function parsed(text: string): unknown {
  const value = parseJson(text) ?? parseJson(withEscapes(text));
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}

/** Escapes the control characters within the strings of a JSON text. */
function withEscapes(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, (string) =>
    string.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)),
  );
}
