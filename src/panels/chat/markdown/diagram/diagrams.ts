import { type ReadonlySignal, signal } from '@preact/signals';
import type { DiagramFrame } from './diagramFrame.ts';
import type { Drawing } from './drawReply.ts';
import type { DiagramColors } from './frameProtocol.ts';

/** Renders diagrams. The host sends the code for this when the first one is shown. */
export class Diagrams {
  readonly #ask: () => void;
  readonly #frame = Promise.withResolvers<DiagramFrame>();
  readonly #theme = signal(0);
  #asked = false;
  /** Reading them makes the page compute all its styles, once for each color. */
  #colors: DiagramColors | undefined;

  /** @param ask requests the code from the host, which answers with {@link supply}. */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Changes when diagrams must be rendered in other colors. */
  get theme(): ReadonlySignal<number> {
    return this.#theme;
  }

  supply(code: string): void {
    const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
    import('./diagramFrame.ts')
      .then(({ DiagramFrame }) => this.#frame.resolve(new DiagramFrame(code, nonce)))
      .catch(this.#frame.reject);
    this.#followTheme();
  }

  /** @throws Error that explains what is wrong with the diagram. */
  async draw(source: string): Promise<Drawing> {
    if (!this.#asked) this.#ask();
    this.#asked = true;
    const frame = await this.#frame.promise;
    this.#colors ??= frame.colors;
    return frame.draw({ source, colors: this.#colors, font: getComputedStyle(document.body).fontFamily });
  }

  #followTheme(): void {
    const observer = new MutationObserver(() => {
      this.#colors = undefined;
      this.#theme.value += 1;
    });
    observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  }
}
