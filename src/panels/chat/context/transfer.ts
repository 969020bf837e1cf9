/** Reads the contents of a drop or a paste: URIs of the editor's files, or files from outside. */
import * as l10n from '@vscode/l10n';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';

/** The data types that the editor and the operating system use for dragged files, the most detailed first. */
const ADDRESS_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];
const RESOURCES = 'resourceurls';

/** Dropped web addresses are ignored, because they are not files. */
const WEB_ADDRESS = /^https?:/i;

/** A longer pasted text becomes a file, because editing it in the text field would be slow. In characters. */
const MAX_PASTED_LENGTH = 100_000;

/** Larger files are not read, and the host reports that. In bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

type Carrier = Pick<DataTransfer, 'getData'> & { readonly types: readonly string[] };

/** Whether a dragged item may be attachable. Its contents are only known when it is dropped. */
export function mayAttach({ types }: Pick<Carrier, 'types'>): boolean {
  return types.some((type) => type === 'Files' || type.toLowerCase() === RESOURCES || ADDRESS_LISTS.includes(type));
}

export function addressesOf(transfer: Carrier): readonly string[] {
  const listed = ADDRESS_LISTS.map((type) => transfer.getData(type)).find((text) => text !== '') ?? '';
  const lines = listed === '' ? resourcesOf(transfer) : listed.split(/\r?\n/).filter((line) => !line.startsWith('#'));
  return [...new Set(lines)].filter((address) => address !== '' && !WEB_ADDRESS.test(address));
}

/** Returns one message per file. A file that is too large or cannot be read is sent without its content. */
export function contentOf(file: File): Promise<ChatPanelMessage> {
  const { name, size: bytes } = file;
  const without: ChatPanelMessage = { type: 'attachContent', name, bytes };
  if (bytes > MAX_BYTES) return Promise.resolve(without);
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ ...without, data: afterComma(reader.result) });
    reader.onerror = () => resolve(without);
    reader.readAsDataURL(file);
  });
}

/** Whether a text has only the names of these files. Systems put them beside the files that are copied. */
export function areNamesOf(text: string, files: readonly Pick<File, 'name'>[]): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
  const names = lines.map((line) => decoded(line).split(/[\\/]/).at(-1) ?? '');
  const isSame = (name: string, index: number) => name === files.map((file) => file.name).sort()[index];
  return files.length > 0 && names.length === files.length && names.sort().every(isSame);
}

/** A path, also of a `file:` address. */
function decoded(line: string): string {
  try {
    return line.startsWith('file:') ? decodeURIComponent(line) : line;
  } catch {
    return line;
  }
}

/** Returns the pasted text as a file if it is too long for the text field. */
export function longText(text: string): File | undefined {
  if (text.length <= MAX_PASTED_LENGTH) return undefined;
  return new File([text], l10n.t('Pasted text.txt'), { type: 'text/plain' });
}

/** Reads the JSON list that older kinds of drags of the editor contain. */
function resourcesOf(transfer: Carrier): readonly string[] {
  const type = transfer.types.find((name) => name.toLowerCase() === RESOURCES);
  const parsed: unknown = type === undefined ? [] : JSON.parse(transfer.getData(type) || '[]');
  return Array.isArray(parsed) ? parsed.filter((one) => typeof one === 'string') : [];
}

/** Returns the data of a `data:` URL; empty for an empty file. */
function afterComma(address: string | ArrayBuffer | null): string {
  return typeof address === 'string' ? address.slice(address.indexOf(',') + 1) : '';
}
