import { connect } from 'node:net';
import { waitsForAnswer } from './commandQuestions.ts';
import { plainOutput } from './cutText.ts';
import type { CommandResult } from './shellCommand.ts';

/** The most of what was printed since the last reading that is kept, in characters. The end remains. */
const MAX_UNREAD = 200_000;
/** The end of the output in which a question is looked for, and that the person sees. */
const MAX_END = 8000;
/** The output before what was printed last in which an awaited text may begin, in characters. */
const LOOKED_BACK = 4000;
/** How long a command must be silent after a question to count as waiting for an answer, in milliseconds. */
const SILENT_MS = 3000;
/** How often it is tried whether a port accepts connections, in milliseconds. */
const PORT_MS = 200;

/** What is waited for. The end of the command, and a question that it asks, always end the wait. */
export interface Awaited {
  readonly text?: string | undefined;
  readonly port?: number | undefined;
}

export type WaitEnd = 'text' | 'port' | 'end' | 'question' | 'timeout' | 'canceled';

export interface CommandProcessOptions {
  readonly id: string;
  readonly command: string;
  /** Called when it has printed something, asks a question, or has ended. */
  readonly onDidChange: () => void;
  readonly silentMs?: number;
}

/** A command that may go on while other things are done: what it prints, whether it asks a question, and its end. */
export class CommandProcess {
  readonly id: string;
  readonly command: string;
  readonly startedAt = Date.now();
  readonly #options: CommandProcessOptions;
  readonly #stop = new AbortController();
  readonly #changes = new EventTarget();
  #unread = '';
  #omitted = 0;
  /** What was printed last, with what is before it. */
  #latest = '';
  #end = '';
  #result: CommandResult | Error | undefined;
  #isAsking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: CommandProcessOptions) {
    this.id = options.id;
    this.command = options.command;
    this.#options = options;
  }

  /** Aborted when somebody stops it. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Undefined while it runs. */
  get result(): CommandResult | Error | undefined {
    return this.#result;
  }

  get isRunning(): boolean {
    return this.#result === undefined;
  }

  /** The end of what it has printed. */
  get lastOutput(): string {
    return this.#end;
  }

  /** The question that it seems to wait for an answer to. */
  get question(): string | undefined {
    return this.#isAsking && this.isRunning ? plainOutput(this.#end).trimEnd().split('\n').at(-1) : undefined;
  }

  print(text: string): void {
    this.#latest = this.#end.slice(-LOOKED_BACK) + text;
    this.#end = (this.#end + text).slice(-MAX_END);
    this.#unread += text;
    // Cutting it copies it, so that is not done for each line.
    if (this.#unread.length > 2 * MAX_UNREAD) this.#cutUnread();
    this.#isAsking = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#listen(), this.#options.silentMs ?? SILENT_MS);
    this.#changed();
  }

  /** Its process has ended, or could not be started. */
  finish(result: CommandResult | Error): void {
    clearTimeout(this.#timer);
    this.#result = result;
    this.#changed();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** What it has printed since the last time, without control sequences. */
  read(): string {
    this.#cutUnread();
    const omitted = this.#omitted === 0 ? '' : `[${this.#omitted} earlier characters are omitted.]\n`;
    const text = `${omitted}${plainOutput(this.#unread)}`;
    this.#unread = '';
    this.#omitted = 0;
    return text;
  }

  /** Waits for a text that was not read yet, for a port, or else for the end of the command. */
  async wait({ text, port }: Awaited, ms: number, signal: AbortSignal): Promise<WaitEnd> {
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const look = (output: string) => {
      if (text !== undefined && plainOutput(output).includes(text)) resolve('text');
      else if (!this.isRunning) resolve('end');
      else if (this.#isAsking) resolve('question');
    };
    // All output would be searched again for each line.
    const onChange = () => look(this.#unread === '' ? '' : this.#latest.slice(-this.#unread.length));
    const onAbort = () => resolve('canceled');
    const timer = setTimeout(() => resolve('timeout'), ms);
    const done = new AbortController();
    this.#changes.addEventListener('change', onChange);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    look(this.#unread);
    if (port !== undefined) void whenOpen(port, done.signal).then((isOpen) => isOpen && resolve('port'));
    try {
      return await promise;
    } finally {
      done.abort();
      clearTimeout(timer);
      this.#changes.removeEventListener('change', onChange);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #cutUnread(): void {
    const { length } = this.#unread;
    this.#unread = this.#unread.slice(-MAX_UNREAD);
    this.#omitted += length - this.#unread.length;
  }

  #listen(): void {
    this.#isAsking = waitsForAnswer(plainOutput(this.#end));
    if (this.#isAsking) this.#changed();
  }

  #changed(): void {
    this.#changes.dispatchEvent(new Event('change'));
    this.#options.onDidChange();
  }
}

/** Resolves with true once a port of this machine accepts connections, and with false if that is no longer of interest. */
async function whenOpen(port: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const tried = await Promise.all(['127.0.0.1', '::1'].map((host) => accepts(host, port)));
    if (tried.includes(true)) return true;
    await new Promise((resolve) => setTimeout(resolve, PORT_MS));
  }
  return false;
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(1000, () => end(false));
  });
}
