/**
 * Maximum share of the main thread's time for rendering streamed content. The rest is for keys, clicks, and scrolling.
 */
const MAX_SHARE = 0.4;

/** The maximum pause until the next rendering, however long the last one took. In milliseconds. */
const MAX_PAUSE_MS = 120;

/** The page's functions for timing. */
export interface FrameTiming {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Runs at the start of the next frame. */
  atFrame(run: () => void): void;
  /** Runs when the current frame has been laid out and painted. */
  afterFrame(run: () => void): void;
  after(milliseconds: number, run: () => void): void;
}

/**
 * Renders at the start of a frame. If frames are expensive (a slow machine, no graphics card), skips some, so that most
 * of the time remains for the page. The cost is that of the whole frame, including layout and paint.
 */
export class PacedFrames {
  readonly #timing: FrameTiming;
  #notBefore = 0;

  constructor(timing: FrameTiming = pageTiming()) {
    this.#timing = timing;
  }

  /** Runs `draw` once, at the next frame that is not skipped. */
  schedule(draw: () => void): void {
    const pause = this.#notBefore - this.#timing.now();
    if (pause <= 0) this.#drawAtFrame(draw);
    else this.#timing.after(pause, () => this.#drawAtFrame(draw));
  }

  #drawAtFrame(draw: () => void): void {
    const timing = this.#timing;
    timing.atFrame(() => {
      const start = timing.now();
      timing.afterFrame(() => {
        const cost = timing.now() - start;
        this.#notBefore = start + Math.min(cost / MAX_SHARE, cost + MAX_PAUSE_MS);
      });
      draw();
    });
  }
}

function pageTiming(): FrameTiming {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    atFrame: (run) => requestAnimationFrame(run),
    // A message that is sent at the start of a frame arrives when the frame is done.
    afterFrame: (run) => {
      waiting.push(run);
      channel.port2.postMessage(undefined);
    },
    after: (milliseconds, run) => setTimeout(run, milliseconds),
  };
}
