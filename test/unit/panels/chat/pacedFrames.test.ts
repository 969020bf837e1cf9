import assert from 'node:assert/strict';
import { PacedFrames } from '../../../../src/panels/chat/pacedFrames.ts';

const FRAME_MS = 16;

/** A page with an adjustable frame duration. */
class Page {
  now = 0;
  frameCost = 0;
  readonly drawnAt: number[] = [];
  readonly frames: PacedFrames;
  #timers: { readonly at: number; readonly run: () => void }[] = [];
  #nextFrame: (() => void)[] = [];
  #afterFrame: (() => void)[] = [];

  constructor() {
    this.frames = new PacedFrames({
      now: () => this.now,
      atFrame: (run) => this.#nextFrame.push(run),
      afterFrame: (run) => this.#afterFrame.push(run),
      after: (milliseconds, run) => this.#timers.push({ at: this.now + milliseconds, run }),
    });
  }

  /** Streams text continuously: whenever it was rendered, there is more. */
  stream(milliseconds: number): void {
    for (let drawn = -1; this.now < milliseconds; this.#frame()) {
      if (drawn === this.drawnAt.length) continue;
      drawn = this.drawnAt.length;
      this.frames.schedule(() => {
        this.drawnAt.push(this.now);
        this.now += this.frameCost;
      });
    }
  }

  #frame(): void {
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
    const runs = this.#nextFrame;
    this.#nextFrame = [];
    for (const run of runs) run();
    const ends = this.#afterFrame;
    this.#afterFrame = [];
    for (const end of ends) end();
    this.now = (Math.floor(this.now / FRAME_MS) + 1) * FRAME_MS;
  }
}

describe('paced frames', () => {
  it('renders every frame while frames are cheap', () => {
    const page = new Page();
    page.frameCost = 4;
    page.stream(160);
    assert.deepEqual(page.drawnAt, [0, 16, 32, 48, 64, 80, 96, 112, 128, 144]);
  });

  it('skips frames if rendering would take most of the time', () => {
    const page = new Page();
    page.frameCost = 12;
    page.stream(1600);
    const busy = page.drawnAt.length * 12;
    assert.ok(busy <= 800 && busy > 400, `${busy} ms of 1600`);
  });

  it('keeps rendering, however long a frame takes', () => {
    const page = new Page();
    page.frameCost = 1000;
    page.stream(12_000);
    assert.ok(page.drawnAt.length >= 10, `${page.drawnAt.length} drawings`);
  });
});
