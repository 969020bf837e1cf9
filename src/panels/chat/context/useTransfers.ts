import { useEffect, useState } from 'preact/hooks';
import type { ChatStore } from '../store.ts';
import { addressesOf, areNamesOf, contentOf, longText, mayAttach } from './transfer.ts';

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
