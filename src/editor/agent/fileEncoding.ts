/** Decodes files in a way that loses no byte, and encodes their changed text like the file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ToolError } from '../../agent/tools/tool.ts';
import { openDocument } from './openDocument.ts';

/** An encoding, with or without a byte order mark. */
interface TextEncodingOfFile {
  /** The editor's name. Undefined if a setting chooses the encoding. */
  readonly name: string | undefined;
  readonly mark: readonly number[];
  /** Decodes what follows the mark. May return replacement characters. Undefined for bytes that are not in the encoding. */
  decode(bytes: Uint8Array): Promise<string | undefined>;
  encode(text: string): Promise<Uint8Array>;
}

interface DecodedFile {
  readonly text: string;
  readonly encoding: TextEncodingOfFile;
}

const UTF_8 = unicode('utf8', 'utf-8', (text) => Buffer.from(text));
const UTF_16_LE = unicode('utf16le', 'utf-16le', (text) => Buffer.from(text, 'utf16le'));
const UTF_16_BE = unicode('utf16be', 'utf-16be', (text) => Buffer.from(text, 'utf16le').swap16());
const MARKED: readonly TextEncodingOfFile[] = [
  { ...UTF_8, name: 'utf8bom', mark: [0xef, 0xbb, 0xbf] },
  { ...UTF_16_LE, mark: [0xff, 0xfe] },
  { ...UTF_16_BE, mark: [0xfe, 0xff] },
];
/** The editor writes the mark, but also reads files without it. */
const UNICODE: readonly TextEncodingOfFile[] = [...MARKED, UTF_8, UTF_16_LE, UTF_16_BE, { ...UTF_8, name: 'utf8bom' }];

/** Each byte is one character, so that the ASCII lines of a file whose encoding is not known can be edited. */
const BYTES: TextEncodingOfFile = {
  name: 'iso88591',
  mark: [],
  decode: async (bytes) => Buffer.from(bytes).toString('latin1'),
  encode: async (text) => Buffer.from(text, 'latin1'),
};

function unicode(name: string, label: string, encode: (text: string) => Uint8Array): TextEncodingOfFile {
  return {
    name,
    mark: [],
    encode: async (text) => encode(text),
    decode: async (bytes) => {
      try {
        return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch (error) {
        // The standard's error for bytes that are not in the encoding.
        if (error instanceof TypeError) return undefined;
        throw error;
      }
    },
  };
}

/** An encoding that only the editor knows. */
function ofEditor(name: string): TextEncodingOfFile {
  const options = { encoding: name };
  return {
    name,
    mark: [],
    decode: async (bytes) => vscode.workspace.decode(bytes, options),
    encode: async (text) => vscode.workspace.encode(text, options),
  };
}

function configured(uri: vscode.Uri): TextEncodingOfFile {
  return {
    name: undefined,
    mark: [],
    decode: async (bytes) => vscode.workspace.decode(bytes, { uri }),
    encode: async (text) => vscode.workspace.encode(text, { uri }),
  };
}

/** Returns the text of a file; undefined if it is not text. */
export async function decodedText(bytes: Uint8Array, uri: vscode.Uri): Promise<string | undefined> {
  // This is the text in any encoding that is used here, and the editor need not be asked.
  if (isPlainAscii(bytes)) return Buffer.from(bytes).toString('latin1');
  return (await decodedFile(bytes, uri))?.text;
}

/**
 * Returns what a document can keep of its file; undefined if saving the document would lose some of it.
 * `isExact` says whether it would write no byte order mark that the file lacks.
 */
export async function keptByDocument(
  bytes: Uint8Array,
  document: vscode.TextDocument,
): Promise<{ readonly text: string; readonly isExact: boolean } | undefined> {
  const encodings = encodingsNamed(document.encoding);
  for (const encoding of encodings) {
    const text = await losslessText(bytes, encoding);
    if (text !== undefined) return { text, isExact: encoding === encodings[0] };
  }
  return undefined;
}

/**
 * Encodes a text like the earlier content of its file, with its byte order mark; that of a new file as the settings say.
 * @throws {ToolError} if the encoding lacks a character.
 */
export async function encodeLike(text: string, before: Uint8Array, uri: vscode.Uri): Promise<Uint8Array> {
  const encoding = (before.length === 0 ? undefined : (await decodedFile(before, uri))?.encoding) ?? configured(uri);
  return encodedIn(encoding, text);
}

/** @throws {ToolError} if the document's encoding lacks a character. */
export async function checkFits(text: string, { encoding: name }: vscode.TextDocument): Promise<void> {
  const [encoding = UTF_8] = encodingsNamed(name);
  await encodedIn(encoding, text);
}

async function encodedIn(encoding: TextEncodingOfFile, text: string): Promise<Uint8Array> {
  const body = await encoding.encode(text);
  const read = await encoding.decode(body);
  if (read !== text) {
    const kept = [...(read ?? '')];
    const lost = [...text].find((character, index) => character !== kept[index]) ?? '';
    const name = encoding.name ?? vscode.workspace.getConfiguration('files').get<string>('encoding') ?? '';
    throw new ToolError(
      `The encoding of the file (${name}) lacks the character “${lost}”. Nothing was changed. Use other characters, or ask the user to save the file with another encoding.`,
      l10n.t(
        'The encoding of the file ({0}) lacks the character “{1}”. Save it with another encoding first.',
        name,
        lost,
      ),
    );
  }
  return encoding.mark.length === 0 ? body : Uint8Array.from([...encoding.mark, ...body]);
}

/** Undefined if the file is not text. */
async function decodedFile(bytes: Uint8Array, uri: vscode.Uri): Promise<DecodedFile | undefined> {
  for await (const encoding of candidates(bytes, uri)) {
    const text = await losslessText(bytes, encoding);
    if (text !== undefined) return { text, encoding };
  }
  if (bytes.includes(0)) return undefined;
  return { text: Buffer.from(bytes).toString('latin1'), encoding: BYTES };
}

/** The likely encodings of a file, the best ones first. */
async function* candidates(bytes: Uint8Array, uri: vscode.Uri): AsyncGenerator<TextEncodingOfFile> {
  yield* MARKED.filter(({ mark }) => startsWith(bytes, mark));
  const open = openDocument(uri);
  if (open !== undefined && open.encoding !== 'utf8') yield* encodingsNamed(open.encoding);
  if (isAscii(bytes)) yield configured(uri);
  if (!bytes.includes(0)) {
    yield UTF_8;
    yield configured(uri);
    // The editor tells what it has guessed only with the document.
    if (guesses(uri)) yield* encodingsNamed((await vscode.workspace.openTextDocument(uri)).encoding);
  } else if (bytes.length % 2 === 0) {
    const [even, odd] = zerosOf(bytes);
    if (odd > even) yield UTF_16_LE;
    if (even > odd) yield UTF_16_BE;
  }
}

/** Returns undefined unless encoding the text gives the same bytes again. */
async function losslessText(bytes: Uint8Array, encoding: TextEncodingOfFile): Promise<string | undefined> {
  const { mark } = encoding;
  if (!startsWith(bytes, mark)) return undefined;
  const body = bytes.subarray(mark.length);
  const text = await encoding.decode(body);
  if (text === undefined) return undefined;
  const again = await encoding.encode(text);
  return Buffer.compare(again, body) === 0 ? text : undefined;
}

function encodingsNamed(name: string): readonly TextEncodingOfFile[] {
  const found = UNICODE.filter((one) => one.name === name);
  return found.length === 0 ? [ofEditor(name)] : found;
}

function guesses(uri: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('files', uri).get('autoGuessEncoding') === true;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte > 0 && byte < 0x80);
}

/** Some encodings write other characters as ASCII after an escape character. */
function isPlainAscii(bytes: Uint8Array): boolean {
  return isAscii(bytes) && !bytes.includes(0x1b);
}

/** The numbers of zeros at even and at odd places. */
function zerosOf(bytes: Uint8Array): readonly [number, number] {
  let [even, odd] = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  return [even, odd];
}
