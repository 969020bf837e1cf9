import type { ChatPanelMessage, PanelTransport } from '../../../src/pages/chat/panelMessages.ts';
import type {
  AnswerFigures,
  AttachmentView,
  ChatHostMessage,
  ChatState,
  ContextChoiceView,
  EditedView,
  HistoryView,
  KeptState,
  RunView,
  StateChange,
} from '../../../src/pages/chat/protocol.ts';
import { reduce } from '../../../src/panels/chat/reduce.ts';
import { narrowed } from './historySamples.ts';
import { answer, MARKDOWN, PREVIEWED, STARTERS, TASK_STARTERS, user } from './samples.ts';
import type { GalleryState } from './states.ts';

/** Pieces of the scripted stream: a few words each, one per frame at about 60 frames per second. */
const PIECE = /\S+\s*/g;
const FRAME_MS = 16;
const OUTPUT_PRICE = 15 / 1e6;

/** A host without an editor. It sends one state, and answers messages with a scripted stream. */
export class ScriptedHost implements PanelTransport {
  readonly posted: ChatPanelMessage[] = [];
  #state: ChatState;
  #kept: KeptState;
  readonly #history: HistoryView | undefined;
  readonly #context: readonly ContextChoiceView[] | undefined;
  #receive: ((message: ChatHostMessage) => void) | undefined;
  #streaming: ReturnType<typeof setInterval> | undefined;

  constructor({ state, draft = '', history, context }: GalleryState) {
    this.#context = context;
    this.#history = history;
    this.#state = state;
    this.#kept = { draft };
  }

  listen(receive: (message: ChatHostMessage) => void): () => void {
    this.#receive = receive;
    return () => {
      this.#receive = undefined;
    };
  }

  kept(): KeptState {
    return this.#kept;
  }

  keep(state: KeptState): void {
    this.#kept = state;
  }

  post(message: ChatPanelMessage): void {
    this.posted.push(message);
    switch (message.type) {
      case 'ready':
        this.send({ type: 'state', state: this.#state });
        break;
      case 'send':
        this.#answer(message.text);
        break;
      case 'history':
        if (this.#history !== undefined) {
          this.send({ type: 'history', history: narrowed(this.#history, message.filter) });
        }
        break;
      case 'starter':
        this.#start(message);
        break;
      case 'listContext':
        if (this.#context !== undefined) this.send({ type: 'context', query: message.query, choices: this.#context });
        break;
      case 'stop':
        this.#end('stopped');
        break;
      case 'chooseModel':
        this.#change({ model: message.model });
        break;
      case 'setMode':
        this.#change({ mode: message.mode });
        break;
      case 'setPlan':
        this.#changeRun({ plan: message.plan });
        break;
      case 'setLimits': {
        const { type: _, ...limits } = message;
        this.#changeRun(limits);
        break;
      }
      case 'editModel':
        this.#edit({ model: message.model });
        break;
      case 'editDetach':
        this.#edit({
          attachments: this.#state.edited?.attachments.filter(({ id }) => id !== message.attachmentId) ?? [],
        });
        break;
      case 'editVersion':
        this.#edit({ attachments: this.#state.edited?.attachments.map(exchanged(message.attachmentId)) ?? [] });
        break;
      case 'chooseFormat':
        this.#change({ format: message.format });
        break;
      case 'detach':
        this.#change({ attachments: this.#state.attachments.filter(({ id }) => id !== message.attachmentId) });
        break;
      case 'newConversation':
        this.send({ type: 'state', state: { ...this.#state, conversationId: 'new', title: '', turns: [] } });
        break;
      case 'trySandbox':
        this.#change({ connection: 'sandbox' });
        break;
      case 'findFiles':
        this.send({ type: 'files', found: message.paths.filter((path) => !path.includes('missing')) });
        break;
      case 'loadPicture':
        this.send({ type: 'picture', picture: message.picture, data: samplePicture() });
        break;
      case 'loadDiagrams':
        void this.#loadDiagrams();
        break;
      default:
        break;
    }
  }

  #start({ action, id }: ChatPanelMessage & { readonly type: 'starter' }): void {
    const starters = this.#state.mode === 'ask' ? STARTERS : TASK_STARTERS;
    if (action === 'list') this.send({ type: 'starters', starters });
    const estimate = id === undefined ? ({ state: 'none' } as const) : PREVIEWED;
    if (action === 'preview') this.#change({ estimate });
    if (action === 'use') this.send({ type: 'compose', text: starters.find((one) => one.id === id)?.title ?? '' });
  }

  async #loadDiagrams(): Promise<void> {
    const response = await fetch('diagrams.js');
    this.send({ type: 'diagrams', code: await response.text() });
  }

  /** Sends a message to the panel, as the editor's host would. */
  send(message: ChatHostMessage): void {
    this.#state = reduce(this.#state, message) ?? this.#state;
    this.#receive?.(message);
  }

  #change(change: StateChange): void {
    this.send({ type: 'change', change });
  }

  #changeRun(change: Partial<RunView>): void {
    const { run } = this.#state;
    if (run !== undefined) this.#change({ run: { ...run, ...change } });
  }

  #edit(change: Partial<EditedView>): void {
    const { edited } = this.#state;
    if (edited !== undefined) this.#change({ edited: { ...edited, ...change } });
  }

  #answer(question: string): void {
    const number = this.#state.turns.length;
    const { model, format, connection, attachments } = this.#state;
    const turnId = `answer-${number}`;
    const waiting = answer(turnId, '', { model, format, sandbox: connection === 'sandbox', status: 'waiting' });
    this.#change({ title: question.slice(0, 60), attachments: [] });
    this.send({ type: 'turnAdded', turn: user(`question-${number}`, question, attachments) });
    this.send({ type: 'turnAdded', turn: waiting });
    const pieces = [...MARKDOWN.matchAll(PIECE)].map(([piece]) => piece);
    let sent = 0;
    this.#streaming = setInterval(() => {
      const text = pieces[sent];
      if (text === undefined) return this.#end('complete');
      sent += 1;
      this.send({ type: 'delta', turnId, text, figures: figures(sent) });
    }, FRAME_MS);
  }

  #end(status: 'complete' | 'stopped'): void {
    clearInterval(this.#streaming);
    const last = this.#state.turns.at(-1);
    if (last?.role !== 'assistant') return;
    const { retry: _, ...turn } = last;
    this.send({ type: 'turnChanged', turn: { ...turn, status } });
  }
}

function figures(outputTokens: number): AnswerFigures {
  return {
    inputTokens: 1200,
    outputTokens,
    cost: outputTokens * OUTPUT_PRICE,
    firstTokenMs: 400,
    tokensPerSecond: 1000 / FRAME_MS,
    estimated: false,
  };
}

/** Returns an image of a page with a heading and lines, as base64. */
function samplePicture(): string {
  const canvas = document.createElement('canvas');
  canvas.width = 320;
  canvas.height = 240;
  const context = canvas.getContext('2d');
  const fill = (style: string, x: number, y: number, width: number, height: number) => {
    if (context === null) return;
    context.fillStyle = style;
    context.fillRect(x, y, width, height);
  };
  fill('#f4f4f4', 0, 0, 320, 240);
  fill('#2b6cb0', 0, 0, 320, 48);
  for (const [row, width] of [250, 210, 270, 150].entries()) fill('#8a8a8a', 24, 76 + 36 * row, width, 14);
  return canvas.toDataURL('image/png').split(',')[1] ?? '';
}

/** Exchanges the text of the changed file with this ID. */
function exchanged(id: string): (attachment: AttachmentView) => AttachmentView {
  return (attachment) => {
    if (attachment.id !== id || attachment.version === undefined) return attachment;
    return { ...attachment, version: attachment.version === 'current' ? 'earlier' : 'current' };
  };
}
