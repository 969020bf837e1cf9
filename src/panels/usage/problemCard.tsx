import * as l10n from '@vscode/l10n';
import { Icon } from '../shared/icon.tsx';
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
    <div class="card error" role="alert">
      <Icon name="error" />
      <div class="card-body">
        <p class="card-title">{title}</p>
        <p class="card-text">{problem}</p>
        <div class="buttons">
          <button type="button" class="button" onClick={() => store.post({ type: 'retry' })}>
            {l10n.t('Retry')}
          </button>
        </div>
      </div>
    </div>
  );
}
