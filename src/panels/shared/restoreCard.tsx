import * as l10n from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { RestoreChoice, RestoredFile, RestoreView } from '../../pages/chat/protocol.ts';
import { Icon } from './icon.tsx';

interface RestoreCardProps {
  readonly restore: RestoreView;
  readonly onRestore: (choice: RestoreChoice) => void;
  readonly onCancel: () => void;
}

/** Asks what to restore to the state before a turn, and lists what will be lost. */
export function RestoreCard({ restore, onRestore, onCancel }: RestoreCardProps) {
  const { files, steps } = restore;
  const [isFiles, setFiles] = useState(files.length > 0);
  const [isChat, setChat] = useState(true);
  const title = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onCancel();
  };
  return (
    <div class="card restore-card" role="alertdialog" aria-modal={false} aria-labelledby={title} onKeyDown={onKeyDown}>
      <Icon name="discard" />
      <div class="card-body">
        <h2 class="card-title" id={title}>
          {l10n.t('Restore to before this turn')}
        </h2>
        <Part
          label={l10n.t('Files')}
          note={filesText(files)}
          isChosen={isFiles}
          onChange={setFiles}
          isEmpty={files.length === 0}
        />
        {files.length > 0 && <FileList files={files} />}
        <Unrestored {...restore} />
        <Part label={l10n.t('Chat')} note={stepsText(steps)} isChosen={isChat} onChange={setChat} />
        {isFiles && <EditedWarning files={files.filter(({ isEdited }) => isEdited)} />}
        <div class="buttons">
          <button
            type="button"
            class="button primary"
            disabled={!isFiles && !isChat}
            onClick={() => onRestore({ files: isFiles, chat: isChat })}
          >
            {l10n.t('Restore')}
          </button>
          <button ref={cancel} type="button" class="button" onClick={onCancel}>
            {l10n.t('Cancel')}
          </button>
        </div>
      </div>
    </div>
  );
}

interface PartProps {
  readonly label: string;
  readonly note: string;
  readonly isChosen: boolean;
  readonly isEmpty?: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function Part({ label, note, isChosen, isEmpty = false, onChange }: PartProps) {
  return (
    <label class="restore-part">
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isEmpty}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
      <span class="restore-note">{note}</span>
    </label>
  );
}

function FileList({ files }: { readonly files: readonly RestoredFile[] }) {
  return (
    <ul class="restore-files">
      {files.map(({ path }) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}

function Unrestored({ unrestored, hasCommands }: Pick<RestoreView, 'unrestored' | 'hasCommands'>) {
  return (
    <>
      {unrestored.length > 0 && (
        <p class="restore-warning">
          <Icon name="warning" />
          <span>{l10n.t('Changes that commands made to {0} are not restored.', unrestored.join(', '))}</span>
        </p>
      )}
      {hasCommands && (
        <p class="restore-note">
          {l10n.t('Ignored files, and files outside the workspace, that commands changed are not restored.')}
        </p>
      )}
    </>
  );
}

function EditedWarning({ files }: { readonly files: readonly RestoredFile[] }) {
  if (files.length === 0) return null;
  const names = files.map(({ path }) => path).join(', ');
  return (
    <p class="restore-warning">
      <Icon name="warning" />
      <span>{l10n.t('You edited {0} after the run. Restoring discards that.', names)}</span>
    </p>
  );
}

function filesText({ length }: readonly RestoredFile[]): string {
  if (length === 0) return l10n.t('This turn changed no files.');
  return length === 1 ? l10n.t('1 file is restored') : l10n.t('{0} files are restored', length);
}

function stepsText(steps: number): string {
  return steps === 1
    ? l10n.t('1 step is removed, and you can edit the question and send it again')
    : l10n.t('{0} steps are removed, and you can edit the question and send it again', steps);
}
