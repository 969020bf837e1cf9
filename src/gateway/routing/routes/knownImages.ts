/**
 * The images in the conversations of the latest requests. An agent sends its whole conversation with each request, so
 * only what is new in it needs to be searched.
 */
import { hasImageType, type Images, type ImagesUntil, imagesIn } from './images.ts';

/** Longer than any type of an image part in its quotes. */
const MAX_TYPE_BYTES = 16;
const NO_IMAGES: Images = { count: 0, bytes: 0 };

/** Shorter bodies are searched in a few microseconds. */
const MIN_BYTES = 8 * 1024;
/** Bytes from one sample of a body to the next. */
const DISTANCE = 4 * 1024;
const SAMPLE_BYTES = 8;
const WORDS_PER_SAMPLE = 2;
const MAX_KNOWN = 32;

/** An earlier body. Contains no text. */
interface KnownBody {
  /** Two words of the body for each sample. */
  readonly samples: Uint32Array;
  /** No type of an image part is behind this position. */
  readonly cleanFrom: number;
  /** The images up to some of the messages before that, in order. */
  readonly marks: readonly ImagesUntil[];
  readonly length: number;
}

/** The part of a body that begins an earlier one, too. */
interface SearchedPart {
  readonly known: KnownBody;
  readonly end: number;
}

/**
 * Two bodies are taken for the same up to the last of the samples at equal distances in which they are the same. A
 * client that changes an earlier message moves everything behind it, so its samples differ. Only a change that keeps the
 * length of the message, to the byte, can be missed.
 */
export class KnownImages {
  /** Latest first. */
  readonly #known: KnownBody[] = [];

  of(body: Buffer): Images {
    if (body.length < MIN_BYTES) return hasImageType(body) ? imagesIn(body) : NO_IMAGES;
    const part = this.#find(body);
    const marks = part === undefined ? [] : marksUntil(part);
    const last = marks.at(-1);
    const isClean = part !== undefined && part.known.cleanFrom <= part.end;
    const from = isClean ? part.end - MAX_TYPE_BYTES : (last?.end ?? 0);
    const isFound = hasImageType(body, from);
    const images = isFound ? imagesIn(body, last, (until) => addMark(marks, until)) : (last ?? NO_IMAGES);
    const cleanFrom = isFound ? body.length : isClean ? part.known.cleanFrom : from;
    this.#keep({ samples: samplesOf(body), cleanFrom, marks, length: body.length }, part);
    return images;
  }

  #find(body: Buffer): SearchedPart | undefined {
    let found: SearchedPart | undefined;
    for (const known of this.#known) {
      const end = sameUntil(body, known.samples);
      if (end > (found?.end ?? 0)) found = { known, end };
    }
    return found;
  }

  /** Replaces the body that this one continues. One with only the same beginning belongs to another conversation. */
  #keep(body: KnownBody, part: SearchedPart | undefined): void {
    const isContinued = part !== undefined && part.end > part.known.length / 2;
    const at = isContinued ? this.#known.indexOf(part.known) : MAX_KNOWN - 1;
    this.#known.splice(at, 1);
    this.#known.unshift(body);
  }
}

function marksUntil({ known: { marks }, end: limit }: SearchedPart): ImagesUntil[] {
  return marks.slice(0, marks.findLastIndex(({ end }) => end <= limit) + 1);
}

function addMark(marks: ImagesUntil[], until: ImagesUntil): void {
  if (until.end - (marks.at(-1)?.end ?? 0) >= DISTANCE) marks.push(until);
}

function samplesOf(body: Buffer): Uint32Array {
  const count = Math.floor((body.length - SAMPLE_BYTES) / DISTANCE);
  const samples = new Uint32Array(count * WORDS_PER_SAMPLE);
  for (let nth = 0; nth < count; nth++) {
    const at = (nth + 1) * DISTANCE;
    samples[nth * WORDS_PER_SAMPLE] = body.readUInt32LE(at);
    samples[nth * WORDS_PER_SAMPLE + 1] = body.readUInt32LE(at + SAMPLE_BYTES / WORDS_PER_SAMPLE);
  }
  return samples;
}

/** Returns where the last equal sample starts. One in which a character is repeated may have moved, and ends nothing. */
function sameUntil(body: Buffer, samples: Uint32Array): number {
  let end = 0;
  for (let nth = 0; nth * WORDS_PER_SAMPLE < samples.length; nth++) {
    const at = (nth + 1) * DISTANCE;
    if (at + SAMPLE_BYTES > body.length) break;
    const [low, high] = [body.readUInt32LE(at), body.readUInt32LE(at + SAMPLE_BYTES / WORDS_PER_SAMPLE)];
    if (low !== samples[nth * WORDS_PER_SAMPLE] || high !== samples[nth * WORDS_PER_SAMPLE + 1]) break;
    if (low !== high) end = at;
  }
  return end;
}
