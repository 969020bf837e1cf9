import * as l10n from '@vscode/l10n';
import type { FileDiffLine, FilePreview } from '../../pages/connectTool/protocol.ts';
import { Button } from '../shared/button.tsx';
import { Icon } from '../shared/icon.tsx';
import { IconButton } from '../shared/iconButton.tsx';
import { Note } from '../shared/note.tsx';
import { syntaxOf } from './configSyntax.ts';
import { Step } from './step.tsx';
import { useStore } from './store.ts';

/** Stands for omitted lines. */
const GAP = '…';
const SIGNS = { added: '+', removed: '−', same: ' ' } as const;

/** What is written for the tool: the changes of its configuration file, or the fields to copy. */
export function FileStep() {
  const store = useStore();
  const { file, snippet } = store.preview.value ?? {};
  const isDone = store.isDone.value;
  const name = file === undefined ? l10n.t('Fields to copy') : l10n.t('File that will change');
  return (
    <Step number={4} name={isDone && file !== undefined ? l10n.t('File changed') : name} isDone={isDone}>
      {file !== undefined && <FileChange file={file} />}
      {snippet !== undefined && <Snippet text={snippet} hasFile={file !== undefined} />}
    </Step>
  );
}

function FileChange({ file }: { readonly file: FilePreview }) {
  const store = useStore();
  const { path, lines, notes, problem, isNew } = file;
  const count = (kind: FileDiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  const [added, removed] = [count('added'), count('removed')];
  const openFile = () => store.post({ type: 'openFile', tool: store.form.value.tool });
  if (problem !== undefined) return <FileProblem problem={problem} onOpen={openFile} />;
  return (
    <>
      <div class="code-box">
        <div class="code-head">
          <code>{path}</code>
          <span class="counts number">
            <span class="added">{`+${added}`}</span> <span class="removed">{`−${removed}`}</span>
          </span>
          <span class="hidden-text">
            {l10n.t('Lines added: {0}. Lines removed: {1}.', String(added), String(removed))}
          </span>
          <IconButton
            icon="copy"
            label={l10n.t('Copy Changes')}
            onClick={() => store.post({ type: 'copy', text: lines.map(textOf).join('\n') })}
          />
          {(!isNew || store.tool.value?.isConnected === true) && (
            <IconButton icon="go-to-file" label={l10n.t('Open File')} onClick={openFile} />
          )}
        </div>
        <Diff lines={lines} />
      </div>
      <p class="hint">{afterText(file)}</p>
      {notes.map((note) => (
        <p key={note} class="hint note">
          <Icon name="warning" size={14} />
          {note}
        </p>
      ))}
    </>
  );
}

function FileProblem({ problem, onOpen }: { readonly problem: string; readonly onOpen: () => void }) {
  const store = useStore();
  return (
    <Note kind="error">
      <span>{problem}</span>
      <span class="buttons">
        <Button label={l10n.t('Open File')} onClick={onOpen} />
        <Button label={l10n.t('Read Again')} onClick={() => store.askPreview()} />
      </span>
    </Note>
  );
}

function Diff({ lines }: { readonly lines: readonly FileDiffLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
    <section class="diff" aria-label={l10n.t('Changes')} tabIndex={0}>
      <table>
        <tbody>
          {lines.map((line, place) =>
            line.kind === 'gap' ? (
              <tr key={place} class="gap">
                <td colSpan={4}>{GAP}</td>
              </tr>
            ) : (
              <tr key={place} class={line.kind}>
                <td class="line-number">{line.kind === 'added' ? '' : line.old}</td>
                <td class="line-number">{line.kind === 'removed' ? '' : line.new}</td>
                <td>{SIGNS[line.kind]}</td>
                <td>
                  <Colored text={line.text} />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

function Colored({ text }: { readonly text: string }) {
  return syntaxOf(text).map((part, place) =>
    part.kind === undefined ? (
      part.text
    ) : (
      <span key={place} class={`syntax-${part.kind}`}>
        {part.text}
      </span>
    ),
  );
}

function Snippet({ text, hasFile }: { readonly text: string; readonly hasFile: boolean }) {
  const store = useStore();
  const isDone = store.isDone.value;
  return (
    <>
      <div class="code-box">
        {isDone && (
          <div class="code-head">
            <span class="counts" />
            <IconButton
              icon="copy"
              label={l10n.t('Copy With Key')}
              onClick={() => store.post({ type: 'copySnippet', tool: store.form.value.tool })}
            />
          </div>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
        <pre tabIndex={0}>{text}</pre>
      </div>
      <p class="hint">{snippetHint(isDone, hasFile)}</p>
    </>
  );
}

function snippetHint(isDone: boolean, hasFile: boolean): string {
  if (isDone) return l10n.t('These fields were copied to the clipboard, with the key.');
  if (hasFile)
    return l10n.t(
      'The tool does not read its key from the file: these fields are copied to the clipboard, with the key.',
    );
  return l10n.t('No file changes. The fields are copied to the clipboard, with the key.');
}

function afterText({ lines, isNew }: FilePreview): string {
  if (isNew) return l10n.t('Only you can read the file. Disconnecting deletes it.');
  const removed = lines.flatMap((line) => (line.kind === 'removed' ? [line.old] : []));
  const stays = l10n.t('Everything else in the file stays as it is.');
  if (removed.length === 0) return `${stays} ${l10n.t('Disconnecting removes the added lines.')}`;
  if (removed.length === 1) return `${stays} ${l10n.t('Disconnecting restores line {0}.', String(removed[0]))}`;
  return `${stays} ${l10n.t('Disconnecting restores lines {0}.', removed.join(', '))}`;
}

function textOf(line: FileDiffLine): string {
  return line.kind === 'gap' ? GAP : `${SIGNS[line.kind]}${line.text}`;
}
