import type { ChatEvent, ChatRequest, Usage } from '../../formats/conversation.ts';
import { estimateInputTokens } from '../../tokens/estimate.ts';
import { TextMeter } from '../../tokens/textMeter.ts';

export interface CountedUsage {
  readonly usage: Usage;
  /** True unless the service has reported the usage of the whole answer. */
  readonly isEstimated: boolean;
}

/**
 * What one call uses: as the service reports it, and until it has reported all of it, an estimate of what was sent and of
 * what has come. The call reports its requests and its events here as they pass, so that whoever shows the figures and the
 * ledger have the same ones.
 */
export class CallUsage {
  readonly #countInput: () => number;
  readonly #answer = new TextMeter();
  #input: number | undefined;
  #reported: Usage | undefined;
  /** More of the answer came after the last report. */
  #isOutdated = false;
  #isFinished = false;
  #mayBeBilled = false;

  /** @param countInput the tokens of the request, as well as they are known without its answer. */
  constructor(countInput: () => number) {
    this.#countInput = countInput;
  }

  static of(request: ChatRequest): CallUsage {
    return new CallUsage(() => estimateInputTokens(request));
  }

  /** The request is on its way. Whoever answers may bill it from now on. */
  send(): void {
    this.#mayBeBilled = true;
  }

  /** Nobody bills it: it was refused, or it never arrived. */
  waive(): void {
    this.#mayBeBilled = false;
  }

  see(event: ChatEvent): void {
    switch (event.type) {
      case 'textDelta':
      case 'refusalDelta':
      case 'reasoningDelta':
        this.#grow(event.text);
        break;
      case 'toolCallDelta':
        this.#grow(event.arguments);
        break;
      case 'usage':
        this.#reported = event.usage;
        this.#isOutdated = event.isPartial === true;
        break;
      case 'finish':
        this.#isFinished = true;
        break;
    }
  }

  /** Absent when nothing was used. */
  get count(): CountedUsage | undefined {
    if (!this.#mayBeBilled) return undefined;
    const reported = this.#reported;
    if (reported !== undefined && this.#isFinished && !this.#isOutdated) return { usage: reported, isEstimated: false };
    this.#input ??= this.#countInput();
    const inputTokens = reported?.inputTokens || this.#input;
    const outputTokens = Math.max(reported?.outputTokens ?? 0, this.#answer.tokens);
    return { usage: { ...reported, inputTokens, outputTokens }, isEstimated: true };
  }

  #grow(text: string): void {
    this.#answer.add(text);
    this.#isOutdated = true;
  }
}
