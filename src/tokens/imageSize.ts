/** Reads the size of an image from the beginning of its base64 text: PNG, GIF, WebP, and JPEG. */

export interface ImageSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** @returns undefined if the data has none of the four formats, or ends before the size. */
export function imageSize(base64: string): ImageSize | undefined {
  const bytes = new Base64Bytes(base64);
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Reads single bytes from base64 text, so that megabytes of pixels are not decoded. */
class Base64Bytes {
  readonly #text: string;

  constructor(text: string) {
    this.#text = /\s/.test(text.slice(0, 200)) ? text.replaceAll(/\s+/g, '') : text;
  }

  /** Returns the byte at an index; NaN beyond the end, so that every comparison with it fails. */
  at(index: number): number {
    const group = Math.floor(index / 3) * 4;
    const first = index % 3;
    const high = sextet(this.#text.charCodeAt(group + first));
    const low = sextet(this.#text.charCodeAt(group + first + 1));
    if (high < 0 || low < 0) return Number.NaN;
    return ((high << (2 * first + 2)) | (low >> (4 - 2 * first))) & 0xff;
  }

  startsWith(text: string, index = 0): boolean {
    for (let i = 0; i < text.length; i += 1) if (this.at(index + i) !== text.charCodeAt(i)) return false;
    return true;
  }

  big16(index: number): number {
    return this.at(index) * 0x100 + this.at(index + 1);
  }

  little16(index: number): number {
    return this.at(index) + this.at(index + 1) * 0x100;
  }

  little24(index: number): number {
    return this.little16(index) + this.at(index + 2) * 0x10000;
  }
}

/** Returns the six bits of a base64 digit (in either alphabet), or -1. */
function sextet(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  if (code === 0x2b || code === 0x2d) return 62;
  if (code === 0x2f || code === 0x5f) return 63;
  return -1;
}

function sized(width: number, height: number): ImageSize | undefined {
  return Number.isNaN(width + height) ? undefined : { width, height };
}

function pngSize(bytes: Base64Bytes): ImageSize | undefined {
  if (!bytes.startsWith('\x89PNG\r\n\x1a\n')) return undefined;
  return sized(bytes.big16(16) * 0x10000 + bytes.big16(18), bytes.big16(20) * 0x10000 + bytes.big16(22));
}

function gifSize(bytes: Base64Bytes): ImageSize | undefined {
  if (!bytes.startsWith('GIF87a') && !bytes.startsWith('GIF89a')) return undefined;
  return sized(bytes.little16(6), bytes.little16(8));
}

/** Reads the three kinds of WebP: lossy (`VP8 `), lossless (`VP8L`, 14 bits each, minus one), and extended (`VP8X`). */
function webpSize(bytes: Base64Bytes): ImageSize | undefined {
  if (!bytes.startsWith('RIFF') || !bytes.startsWith('WEBP', 8)) return undefined;
  if (bytes.startsWith('VP8X', 12)) return sized(bytes.little24(24) + 1, bytes.little24(27) + 1);
  if (bytes.startsWith('VP8 ', 12)) return sized(bytes.little16(26) & 0x3fff, bytes.little16(28) & 0x3fff);
  if (!bytes.startsWith('VP8L', 12)) return undefined;
  const width = (bytes.little16(21) & 0x3fff) + 1;
  const height = ((bytes.little24(22) >> 6) & 0x3fff) + 1;
  return sized(width, height);
}

/** Skips the segments before the frame header, whose size follows its marker, length, and precision. */
function jpegSize(bytes: Base64Bytes): ImageSize | undefined {
  if (bytes.at(0) !== 0xff || bytes.at(1) !== 0xd8) return undefined;
  let index = 2;
  while (bytes.at(index) === 0xff) {
    const marker = bytes.at(index + 1);
    if (isFrameHeader(marker)) return sized(bytes.big16(index + 7), bytes.big16(index + 5));
    if (marker === 0xff) index += 1;
    else if (marker >= 0xd0 && marker <= 0xd7) index += 2;
    else index += 2 + bytes.big16(index + 2);
  }
  return undefined;
}

/** Whether this is SOF0 to SOF15, except the tables (C4, CC) and the reserved C8. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
