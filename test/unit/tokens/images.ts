/** Beginnings of images in base64, up to their size. */

export function pngHead(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  bytes.write('IHDR', 12);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

export function gifHead(width: number, height: number): string {
  const bytes = Buffer.alloc(13);
  bytes.write('GIF89a');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
}

/** Has metadata segments of these sizes (in bytes) before the frame header. */
export function jpegHead(width: number, height: number, metadata: readonly number[] = [16], frame = 0xc0): string {
  const segments = metadata.map((size) => {
    const segment = Buffer.alloc(size + 2, 0x20);
    segment.set([0xff, 0xe1, size >> 8, size & 0xff]);
    return segment;
  });
  const tables = Buffer.from([0xff, 0xc4, 0, 3, 0]);
  const header = Buffer.from([0xff, frame, 0, 17, 8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, tables, header]).toString('base64');
}

export function webpHead(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): string {
  const bytes = Buffer.alloc(30);
  bytes.write('RIFF');
  bytes.write(`WEBP${kind}`, 8);
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  } else if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else {
    bytes[20] = 0x2f;
    bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  }
  return bytes.toString('base64');
}
