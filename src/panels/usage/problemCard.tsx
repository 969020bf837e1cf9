import * as l10n from '@vscode/l10n';
import { Button } from '../shared/button.tsx';
import { Problem } from '../shared/note.tsx';
import { useStore } from './store.ts';

interface ProblemCardProps {
  readonly title: string;
  /** The reason. */
  readonly problem: string;
}

/** Says what could not be read and why, and reads it again. */
export function ProblemCard({ title, problem }: ProblemCardProps) {
  const store = useStore();
  return (
    <Problem title={title} problem={problem}>
      <div class="buttons">
        <Button label={l10n.t('Retry')} onClick={() => store.post({ type: 'retry' })} />
      </div>
    </Problem>
  );
}
