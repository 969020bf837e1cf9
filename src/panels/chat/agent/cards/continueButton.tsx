import { Button } from '../../../shared/button.tsx';
import { useStore } from '../../storeContext.ts';

interface ContinueButtonProps {
  readonly text: string;
  readonly isPrimary: boolean;
}

/** Lets a run that has stopped go on. */
export function ContinueButton({ text, isPrimary }: ContinueButtonProps) {
  const store = useStore();
  const go = () => {
    store.post({ type: 'continueRun' });
    store.takeFocus();
  };
  return <Button primary={isPrimary} label={text} onClick={go} />;
}
