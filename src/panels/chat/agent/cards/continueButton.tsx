import { Button } from '../../../shared/button.tsx';
import { useStore } from '../../storeContext.ts';

/** Lets a run that has stopped go on. */
export function ContinueButton({ text, isPrimary }: { readonly text: string; readonly isPrimary: boolean }) {
  const store = useStore();
  const go = () => {
    store.post({ type: 'continueRun' });
    store.takeFocus();
  };
  return <Button primary={isPrimary} label={text} onClick={go} />;
}
