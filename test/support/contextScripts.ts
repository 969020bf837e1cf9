import type { FormatName } from '../../src/formats/conversation.ts';
import { ContextSession, type ScriptedCall } from './contextSession.ts';

/** Returns a generator of numbers from 0 to 1 that are always the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS =
  'the request returns a value when the server has answered and the list of items is not empty so that every caller reads what was written before it asks again'.split(
    ' ',
  );
const CODE = ['const total = items.reduce((sum, item) => sum + item.price, 0);', 'if (value === undefined) return;'];

/** What a client sends: its format, and how it names the tools of servers. */
export interface ClientShape {
  readonly client: string;
  readonly format: FormatName;
  readonly model: string;
  readonly toolName: (server: string, tool: string) => string;
  readonly hasInstructions: boolean;
}

export const SHAPES: readonly ClientShape[] = [
  { client: 'Claude Code', format: 'messages', model: 'claude-sonnet-5', toolName: mcp, hasInstructions: true },
  { client: 'Codex', format: 'responses', model: 'gpt-5.5', toolName: (_, tool) => tool, hasInstructions: false },
  { client: 'Kilo', format: 'chat-completions', model: 'gpt-5.5', toolName: dashed, hasInstructions: false },
  {
    client: 'the editor’s chat',
    format: 'chat-completions',
    model: 'gpt-4o',
    toolName: mcpOfEditor,
    hasInstructions: false,
  },
  { client: 'opencode', format: 'messages', model: 'claude-opus-5', toolName: mcp, hasInstructions: true },
];

function mcp(server: string, tool: string): string {
  return `mcp__${server}__${tool}`;
}

function dashed(server: string, tool: string): string {
  return `mcp--${server}--${tool}`;
}

function mcpOfEditor(server: string, tool: string): string {
  return `mcp_${server}_${tool}`;
}

/** Writes sessions whose texts, tools, and calls follow from a seed. */
export class ContextScript {
  readonly session: ContextSession;
  readonly shape: ClientShape;
  readonly #random: () => number;
  readonly #seed: number;
  #files = 0;

  constructor(shape: ClientShape, seed: number) {
    this.shape = shape;
    this.#seed = seed;
    this.#random = seeded(seed);
    const tools = ['Read', 'Bash', 'Edit'].map((name) => this.tool(name));
    const ofServer = ['create_issue', 'list_issues', 'get_file'].map((name) => ({
      ...this.tool(shape.toolName('github', name)),
      server: 'github',
    }));
    this.session = new ContextSession({
      format: shape.format,
      model: shape.model,
      tools: [...tools, ...ofServer],
      system: [`You are an agent that edits files. ${this.prose(3000)}`],
      ...(shape.hasInstructions && { instructions: this.prose(1500) }),
    });
  }

  tool(name: string) {
    return {
      name,
      description: this.prose(400),
      parameters: {
        type: 'object',
        properties: { path: { type: 'string', description: this.prose(80) }, count: { type: 'number' } },
        required: ['path'],
      },
    };
  }

  /** Text of about this many characters, which nothing else in the session contains. */
  prose(characters: number): string {
    const words: string[] = [];
    for (let length = 0; length < characters; length += 6) {
      const isCode = this.#random() < 0.02;
      words.push(this.#pick(isCode ? CODE : WORDS));
    }
    return words.join(' ').slice(0, characters);
  }

  /** Reads a new file, which is small unless a length is given. */
  read(characters = 1200): ScriptedCall {
    this.#files += 1;
    const name = `/project/app/src/module_${this.#seed}_${this.#files}.ts`;
    return { name: 'Read', args: { file_path: name }, result: this.prose(characters), target: name };
  }

  /** An ordinary step of the agent: one or two calls, whose results are short. */
  work(): void {
    const calls = this.#random() < 0.3 ? [this.read(), this.edit()] : [this.read()];
    this.session.step(calls, this.#random() < 0.5 ? this.prose(150) : '', this.prose(200));
  }

  edit(): ScriptedCall {
    const target = `/project/app/src/edited_${this.#seed}.ts`;
    return {
      name: 'Edit',
      args: { file_path: target, text: this.prose(300) },
      result: 'The file was changed.',
      target,
    };
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}
