import type { FormatName } from '../../src/formats/conversation.ts';
import type { ContextKind } from '../../src/rules/contextPart.ts';

type Json = Readonly<Record<string, unknown>>;

/** A piece of the prompt, and the part that it belongs to. */
export interface KnownPiece {
  readonly kind: ContextKind;
  readonly name?: string;
  readonly server?: string;
  readonly file?: string;
  readonly text: string;
  /** Whether the piece begins a message, which services frame with some tokens. */
  readonly isFirst?: boolean;
}

export interface ScriptedCall {
  readonly name: string;
  readonly args: Json;
  readonly result: string;
  readonly server?: string;
  /** The file or program that a measure should name. */
  readonly target?: string;
  /** A picture in the result, as base64. */
  readonly image?: string;
}

interface ScriptedTool {
  readonly name: string;
  readonly server?: string;
  readonly description: string;
  readonly parameters: Json;
}

type Entry =
  | { readonly type: 'user'; readonly pieces: readonly KnownPiece[] }
  | { readonly type: 'answer'; readonly text: string; readonly thought: string; readonly calls: readonly Called[] }
  | { readonly type: 'results'; readonly calls: readonly Called[] };

interface Called extends ScriptedCall {
  readonly id: string;
}

export interface SessionOptions {
  readonly format: FormatName;
  readonly model: string;
  readonly tools: readonly ScriptedTool[];
  readonly system: readonly string[];
  /** A file with instructions in the first message, as Claude Code and Codex send it. */
  readonly instructions?: string;
}

/** Writes the requests of an agent in the form of its client, of which every part is known. */
export class ContextSession {
  readonly #options: SessionOptions;
  readonly tools: ScriptedTool[];
  #entries: Entry[] = [];
  #calls = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.tools = [...options.tools];
  }

  ask(text: string, kind: ContextKind = 'messages'): void {
    const { instructions } = this.#options;
    const isFirst = this.#entries.length === 0 && instructions !== undefined;
    const heading = 'Contents of /project/app/CLAUDE.md (project instructions, checked into the codebase):\n\n';
    const file = { kind: 'instructions' as const, name: 'CLAUDE.md', text: `${heading}${instructions}` };
    this.#entries.push({ type: 'user', pieces: [...(isFirst ? [file] : []), { kind, text }] });
  }

  /** Adds an answer with calls, and their results. */
  step(calls: readonly ScriptedCall[], text = '', thought = ''): void {
    const called = calls.map((call, index) => ({ ...call, id: `call_${this.#calls + index}` }));
    this.#calls += calls.length;
    this.#entries.push({ type: 'answer', text, thought, calls: called });
    if (called.length > 0) this.#entries.push({ type: 'results', calls: called });
  }

  /** Replaces the conversation by a summary. */
  compact(summary: string): void {
    this.#entries = [];
    this.ask(summary, 'summaries');
  }

  /** All pieces of the next request. */
  get pieces(): readonly KnownPiece[] {
    const { system, format } = this.#options;
    const tools = this.tools.map((tool) => ({ kind: 'tools' as const, ...toolOf(tool), text: definitionText(tool) }));
    const prompt = system.map((text) => ({ kind: 'system' as const, text }));
    return [...tools, ...prompt, ...this.#entries.flatMap((entry) => piecesOf(entry, format))];
  }

  /** The body of the next request. */
  request(): Buffer {
    const { format, model } = this.#options;
    const body = { messages: messagesBody, 'chat-completions': chatBody, responses: responsesBody }[format];
    return Buffer.from(JSON.stringify({ model, ...body(this.#options.system, this.tools, this.#entries) }));
  }
}

function toolOf({ name, server }: ScriptedTool | ScriptedCall) {
  return { name, ...(server !== undefined && { server }) };
}

function piecesOf(entry: Entry, format: FormatName): readonly KnownPiece[] {
  const isEach = format === 'responses' || (format === 'chat-completions' && entry.type === 'results');
  return textsOf(entry).map((piece, index) => ({ ...piece, isFirst: isEach || index === 0 }));
}

function textsOf(entry: Entry): readonly KnownPiece[] {
  if (entry.type === 'user') return entry.pieces;
  if (entry.type === 'results') {
    return entry.calls.map((call) => ({
      kind: 'results',
      ...toolOf(call),
      ...(call.target !== undefined && { file: call.target }),
      text: call.result,
    }));
  }
  const { thought, text, calls } = entry;
  return [
    ...(thought === '' ? [] : [{ kind: 'reasoning' as const, text: thought }]),
    ...(text === '' ? [] : [{ kind: 'answers' as const, text }]),
    ...calls.map((call) => ({
      kind: 'calls' as const,
      ...toolOf(call),
      text: `${call.name}${JSON.stringify(call.args)}`,
    })),
  ];
}

function definitionText({ name, description, parameters }: ScriptedTool): string {
  return `${name}\n${description}\n${JSON.stringify(parameters)}`;
}

function image(data: string): Json {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

function messagesBody(system: readonly string[], tools: readonly ScriptedTool[], entries: readonly Entry[]): Json {
  const messages = entries.map((entry): Json => {
    if (entry.type === 'user') {
      return { role: 'user', content: entry.pieces.map(({ text }) => ({ type: 'text', text: reminded(text) })) };
    }
    if (entry.type === 'answer') {
      const thought = { type: 'thinking', thinking: entry.thought, signature: 'c2lnbmF0dXJl' };
      const calls = entry.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }));
      const text = entry.text === '' ? [] : [{ type: 'text', text: entry.text }];
      return { role: 'assistant', content: [...(entry.thought === '' ? [] : [thought]), ...text, ...calls] };
    }
    return {
      role: 'user',
      content: entry.calls.map((call) => ({
        tool_use_id: call.id,
        type: 'tool_result',
        content: call.image === undefined ? call.result : [{ type: 'text', text: call.result }, image(call.image)],
      })),
    };
  });
  // Claude Code marks the last block, so that the mark moves with each request.
  const last = messages.at(-1)?.content as Record<string, unknown>[] | undefined;
  const block = last?.at(-1);
  if (block !== undefined) block.cache_control = { type: 'ephemeral' };
  return {
    messages,
    system: system.map((text) => ({ type: 'text', text })),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
    max_tokens: 32_000,
    stream: true,
  };
}

function reminded(text: string): string {
  return text.startsWith('Contents of') ? `<system-reminder>\n${text}\n</system-reminder>` : text;
}

function chatBody(system: readonly string[], tools: readonly ScriptedTool[], entries: readonly Entry[]): Json {
  const messages = entries.flatMap((entry): Json[] => {
    if (entry.type === 'user') return entry.pieces.map(({ text }) => ({ role: 'user', content: text }));
    if (entry.type === 'answer') {
      const calls = entry.calls.map(({ id, name, args }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) },
      }));
      const thought = entry.thought === '' ? {} : { reasoning_content: entry.thought };
      return [{ role: 'assistant', content: entry.text, ...thought, ...(calls.length > 0 && { tool_calls: calls }) }];
    }
    return entry.calls.map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result }));
  });
  return {
    messages: [...system.map((content) => ({ role: 'system', content })), ...messages],
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    stream: true,
  };
}

function responsesBody(system: readonly string[], tools: readonly ScriptedTool[], entries: readonly Entry[]): Json {
  const input = entries.flatMap((entry): Json[] => {
    if (entry.type === 'user') {
      return entry.pieces.map(({ text }) => ({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text }],
      }));
    }
    if (entry.type === 'answer') {
      const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: entry.thought }], content: null };
      const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: entry.text }] };
      const calls = entry.calls.map(({ id, name, args, server }) => ({
        type: 'function_call',
        call_id: id,
        name,
        ...(server !== undefined && { namespace: server }),
        arguments: JSON.stringify(args),
      }));
      return [...(entry.thought === '' ? [] : [thought]), ...(entry.text === '' ? [] : [said]), ...calls];
    }
    return entry.calls.map(({ id, result }) => ({ type: 'function_call_output', call_id: id, output: result }));
  });
  const flat = tools
    .filter(({ server }) => server === undefined)
    .map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters, strict: false }));
  const spaces = [...Map.groupBy(tools, ({ server }) => server)].flatMap(([server, own]) =>
    server === undefined
      ? []
      : [
          {
            type: 'namespace',
            name: server,
            description: '',
            tools: own.map((tool) => ({ type: 'function', ...tool })),
          },
        ],
  );
  return {
    instructions: system.join('\n'),
    input,
    tools: [...flat, ...spaces],
    stream: true,
    store: false,
  };
}
