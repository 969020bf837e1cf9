/** What a tool has returned, as a model reads it: text, and the images that all models accept. */
import * as vscode from 'vscode';
import type { ResultImage, ToolOutcome } from '../../../agent/tools/tool.ts';
import { imagesOfTree, textOfTree } from '../../../agent/tools/treeText.ts';
import { isLarge } from '../../../chat/context/fileSize.ts';
import { imageType } from '../../../chat/context/image.ts';
import { imageSize } from '../../../tokens/imageSize.ts';

/** Images cost about as much as a page of text each, and formats limit their number in a request. */
const MAX_IMAGES = 10;

export function contentOfResult(parts: readonly unknown[]): Required<Pick<ToolOutcome, 'text' | 'images'>> {
  const images: ResultImage[] = [];
  const text = parts.map((part) => textOf(part, images)).join('');
  return { text, images };
}

/** Adds an image if a model can read it. Returns what the text says in its place. */
export function placeOfImage(bytes: Uint8Array, mediaType: string, images: ResultImage[]): string {
  const type = imageType(bytes);
  if (type === undefined || isLarge(bytes.length) || images.length >= MAX_IMAGES) return notShown(bytes, mediaType);
  const data = Buffer.from(bytes).toString('base64');
  images.push({ mediaType: type, data });
  const size = imageSize(data);
  const pixels = size === undefined ? '' : `, ${size.width} by ${size.height} pixels`;
  return `[Image ${images.length}: ${type}${pixels}]`;
}

function textOf(part: unknown, images: ResultImage[]): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (!(part instanceof vscode.LanguageModelDataPart)) return textOfTree(part) + treeImages(part, images);
  const { mimeType, data } = part;
  if (/^text\/|[/+](?:json|xml)$/.test(mimeType)) return Buffer.from(data).toString('utf8');
  if (!mimeType.startsWith('image/')) return `\n${notShown(data, mimeType)}\n`;
  return `\n${placeOfImage(data, mimeType, images)}\n`;
}

function treeImages(tree: unknown, images: ResultImage[]): string {
  const places = imagesOfTree(tree).map((source) => {
    const [, data] = /^(?:data:[^,]*;base64,)?([\w+/=\s]+)$/.exec(source) ?? [];
    // The address of an image is not followed.
    if (data === undefined) return `[The tool also returned the address of an image: ${source}]`;
    return placeOfImage(Buffer.from(data, 'base64'), 'image', images);
  });
  return places.map((place) => `\n${place}\n`).join('');
}

function notShown(data: Uint8Array, mediaType: string): string {
  return `[The tool also returned ${data.length} bytes of ${mediaType}, which cannot be shown here.]`;
}
