import { type Drawing, drawReplyOf } from './drawReply.ts';
import type { DiagramColors, DrawReply, DrawRequest, FrameReady } from './frameProtocol.ts';

/** Rendering a diagram is canceled after this time. */
const TIMEOUT_MS = 10_000;

/** The sandboxed frame that renders diagrams, one after the other. */
export class DiagramFrame {
  readonly #code: string;
  readonly #nonce: string;
  #frame: HTMLIFrameElement | undefined;
  #ready: Promise<Window> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /**
   * @param code the script of the frame.
   * @param nonce the nonce of the panel's content security policy, which the frame inherits.
   */
  constructor(code: string, nonce: string) {
    this.#code = code;
    this.#nonce = nonce;
  }

  /** The editor's current colors. */
  get colors(): DiagramColors {
    return diagramColors();
  }

  /** @throws Error that explains what is wrong with the diagram. */
  draw(request: Omit<DrawRequest, 'id'>): Promise<Drawing> {
    const drawing = this.#last.then(() => this.#draw(request));
    this.#last = drawing.catch(() => undefined);
    return drawing;
  }

  async #draw(request: Omit<DrawRequest, 'id'>): Promise<Drawing> {
    this.#ready ??= this.#open();
    this.#count += 1;
    const id = this.#count;
    try {
      const target = await withinTime(this.#ready);
      const reply = nextMessage<DrawReply>(target, (data) => drawReplyOf(data, id));
      target.postMessage({ ...request, id } satisfies DrawRequest, '*');
      const answer = await withinTime(reply);
      if ('problem' in answer) throw new DiagramProblem(answer.problem);
      return answer;
    } catch (error) {
      if (!(error instanceof DiagramProblem)) this.#close();
      throw error;
    }
  }

  async #open(): Promise<Window> {
    const frame = document.createElement('iframe');
    frame.className = 'diagram-frame';
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.setAttribute('aria-hidden', 'true');
    frame.tabIndex = -1;
    const code = this.#code.replaceAll('</script', '<\\/script');
    frame.srcdoc = `<!DOCTYPE html><body><script nonce="${this.#nonce}">${code}</script></body>`;
    this.#frame = frame;
    document.body.append(frame);
    const target = frame.contentWindow;
    if (target === null) throw new Error('The frame for diagrams did not open.');
    await nextMessage<FrameReady>(target, (data) => (isReady(data) ? data : undefined));
    return target;
  }

  /** Discards a frame that does not respond. The next diagram gets a new one. */
  #close(): void {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#ready = undefined;
  }
}

class DiagramProblem extends Error {}

/** @param read returns the message, or undefined for anything else: a diagram may have taken the frame over. */
function nextMessage<T>(from: Window, read: (data: unknown) => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const receive = ({ source, data }: MessageEvent<unknown>) => {
      const message = source === from ? read(data) : undefined;
      if (message === undefined) return;
      window.removeEventListener('message', receive);
      resolve(message);
    };
    window.addEventListener('message', receive);
  });
}

function isReady(data: unknown): data is FrameReady {
  return typeof data === 'object' && data !== null && 'ready' in data;
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The diagram takes too long to draw.')), TIMEOUT_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Series colors, in the order that all charts of the extension use. */
const SERIES = ['blue', 'purple', 'green', 'yellow', 'orange'];

/** Returns the editor's current colors for a diagram. */
function diagramColors(): DiagramColors {
  const { classList } = document.body;
  const contrast = classList.contains('vscode-high-contrast') || classList.contains('vscode-high-contrast-light');
  const color = colorReader();
  return {
    dark: classList.contains('vscode-dark') || classList.contains('vscode-high-contrast'),
    background: color('var(--code-surface)'),
    text: color('var(--text)'),
    line: contrast ? color('var(--text)') : color('color-mix(in srgb, var(--text) 60%, transparent)'),
    fill: contrast ? color('var(--code-surface)') : color('color-mix(in srgb, var(--link) 14%, transparent)'),
    border: contrast ? color('var(--line)') : color('color-mix(in srgb, var(--link) 55%, transparent)'),
    note: contrast ? color('var(--code-surface)') : color('color-mix(in srgb, var(--warning) 14%, transparent)'),
    accent: color('color-mix(in srgb, var(--accent) 50%, transparent)'),
    series: SERIES.map((name) =>
      color(`color-mix(in srgb, var(--vscode-charts-${name}, var(--link)) 45%, transparent)`),
    ),
  };
}

/** Returns a function that converts CSS colors to `#rrggbb`, as they appear on the surface of code. */
function colorReader(): (css: string) => string {
  const probe = document.createElement('span');
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const computed = (css: string) => {
    probe.style.color = css;
    document.body.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return (css) => {
    if (canvas === null) return '#808080';
    for (const color of [computed('var(--code-surface)'), computed(css)]) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  };
}
