import * as l10n from '@vscode/l10n';
import { useDone } from '../../shared/hooks.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { useStore } from '../storeContext.ts';

/** Copies a text, and confirms that on the button and to screen readers. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const store = useStore();
  const [copied, showCopied] = useDone();
  const copy = () => {
    store.post({ type: 'copy', text });
    store.announce(l10n.t('Copied.'));
    showCopied();
  };
  return <IconButton icon={copied ? 'check' : 'copy'} label={label} onClick={copy} />;
}
