import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** The longer edge of a thumbnail, in pixels: twice the displayed size, for high-resolution screens. */
const MAX_SIDE = 128;

/**
 * Thumbnails of attached images. Each image is requested once, when it is first visible. The image itself, which may be
 * several megabytes, is released as soon as its thumbnail exists.
 */
export class Pictures {
  readonly #ask: (picture: string) => void;
  readonly #known = new Map<string, Signal<string | undefined>>();

  /** @param ask requests an image from the host, which answers with {@link receive}. */
  constructor(ask: (picture: string) => void) {
    this.#ask = ask;
  }

  /** Returns the URL of the thumbnail; undefined until it is loaded, or if the image is missing or damaged. */
  small(picture: string): ReadonlySignal<string | undefined> {
    const known = this.#known.get(picture);
    if (known !== undefined) return known;
    const address = signal<string | undefined>(undefined);
    this.#known.set(picture, address);
    this.#ask(picture);
    return address;
  }

  /** @param data base64. */
  async receive(picture: string, data: string | undefined): Promise<void> {
    const known = this.#known.get(picture);
    if (known === undefined || data === undefined) return;
    known.value = await smallPicture(data);
  }
}

/** @returns undefined for bytes that the browser cannot decode; an icon is shown instead. */
async function smallPicture(data: string): Promise<string | undefined> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes])).catch(() => undefined);
  if (image === undefined) return undefined;
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context !== null) context.imageSmoothingQuality = 'high';
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return canvas.toDataURL('image/png');
}
