import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatStore } from '../store.ts';

/** The data types that the editor and the operating system use for dragged files, the most detailed first. */
const ADDRESS_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];
const RESOURCES = 'resourceurls';

/** Dropped web addresses are ignored, because they are not files. */
const WEB_ADDRESS = /^https?:/i;

/** A longer pasted text becomes a file, because editing it in the text field would be slow. In characters. */
const MAX_PASTED_LENGTH = 100_000;

/** Larger files are not read, and the host reports that. In bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Attaches files that are dropped anywhere on the panel.
 * @returns whether something is being dragged over the panel.
 */
export function useDrops(store: ChatStore): boolean {
  const [hovered, setHovered] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer === null || !mayAttach(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setHovered(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovered(false);
    };
    const onDrop = (event: DragEvent) => {
      setHovered(false);
      if (event.dataTransfer !== null && attachFrom(store, event.dataTransfer)) event.preventDefault();
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('dragleave', onDragLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('dragleave', onDragLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [store]);
  return hovered;
}

/**
 * Attaches pasted images, files, and long texts. Other text is pasted as text, even if the clipboard also contains an image
 * of it.
 */
export function onPaste(store: ChatStore, event: ClipboardEvent): void {
  const { clipboardData } = event;
  if (clipboardData === null) return;
  const text = clipboardData.getData('text/plain');
  const file = longText(text);
  if (file !== undefined) {
    event.preventDefault();
    void contentOf(file).then((message) => store.post(message));
  }
  const isText = text !== '' && !areNamesOf(text, [...clipboardData.files]);
  if (!isText && attachFrom(store, clipboardData)) event.preventDefault();
}

/** @returns false if there is nothing to attach. */
function attachFrom(store: ChatStore, carrier: DataTransfer): boolean {
  const addresses = addressesOf(carrier);
  if (addresses.length > 0) {
    store.post({ type: 'attachAddresses', addresses });
    return true;
  }
  const files = [...carrier.files];
  for (const file of files) void contentOf(file).then((message) => store.post(message));
  return files.length > 0;
}

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
function contentOf(file: File): Promise<ChatPanelMessage> {
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
function longText(text: string): File | undefined {
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
