import * as l10n from '@vscode/l10n';
import { Button } from '../shared/button.tsx';
import './styles/index.css';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/icon.tsx';
import { Note } from '../shared/note.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { OpenSettings } from './openSettings.tsx';
import { RouteEditor } from './routeEditor.tsx';
import { RouteList } from './routeList.tsx';
import { RoutesStore, StoreProvider, useStore } from './store.ts';
import { Trial } from './trial.tsx';

/** The list of routes, the selected one, and the request that is tried. */
function RoutesPage() {
  const store = useStore();
  const page = useRef<HTMLElement>(null);
  useMovedFocus();
  const failures = store.failures.value;
  useEffect(() => {
    if (failures > 0) page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failures]);
  const state = store.state.value;
  if (state === undefined) return null;
  const isReadable = state.unreadable.length === 0;
  return (
    <main
      ref={page}
      class="routes-page form-page"
      onInput={({ target }) => {
        // A check box that is drawn again before its own event would lose its change.
        const isText = target instanceof HTMLInputElement && target.type === 'text';
        store.typing.value = isText ? target.id : undefined;
      }}
      onFocusOut={() => {
        store.typing.value = undefined;
      }}
    >
      <header class="routes-head">
        <h1>{l10n.t('Routes')}</h1>
        <p class="hint">
          {l10n.t('A route is a name that tools send as the model. Its rules and targets decide which model answers.')}
        </p>
        {state.team !== undefined && (
          <p class="hint team">
            <Icon name="organization" size={14} />
            {l10n.t(
              'These are the routes of your own gateway. Routes of the gateway of {0} are listed among its models; only its administrator can change them, in its configuration file.',
              state.team,
            )}
          </p>
        )}
      </header>
      {isReadable ? <Columns /> : <Unreadable />}
    </main>
  );
}

function Columns() {
  const store = useStore();
  const isUndoable = store.deleted.value !== undefined;
  const hasNames = store.routes.value.length > 0 || Object.keys(store.state.value?.aliases ?? {}).length > 0;
  return (
    <form
      aria-label={l10n.t('Routes')}
      onSubmit={(event) => {
        event.preventDefault();
        store.save();
      }}
    >
      <Outdated />
      <Targets />
      <div class="columns">
        <div class="names">
          <RouteList />
          <Aliases />
        </div>
        <RouteEditor key={store.selected.value} />
        {hasNames && <Trial />}
      </div>
      {(hasNames || store.isChanged.value || isUndoable) && <Footer />}
    </form>
  );
}

/** Focuses what the last action has moved or added. */
function useMovedFocus(): void {
  const { toFocus } = useStore();
  const id = toFocus.value;
  // After the paint, because only then all components have drawn the change.
  useEffect(() => {
    if (id === undefined) return;
    const element = document.getElementById(id);
    element?.focus();
    if (element instanceof HTMLInputElement) element.select();
    toFocus.value = undefined;
  }, [id, toFocus]);
}

/** The setting cannot be read, so it can only be edited as text. */
function Unreadable() {
  const store = useStore();
  const { unreadable = [], json = '' } = store.state.value ?? {};
  return (
    <section>
      <Note kind="error" role="alert">
        <p class="card-title">{l10n.t('The routes contain an error and can only be edited in the settings')}</p>
        {unreadable.map((problem) => (
          <p key={problem} class="card-text">
            {problem}
          </p>
        ))}
        <OpenSettings setting="routes" />
      </Note>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard */}
      <pre tabIndex={0}>{json}</pre>
    </section>
  );
}

function Outdated() {
  const store = useStore();
  if (!store.isOutdated.value) return null;
  return (
    <Note kind="warning" role="alert">
      <p class="card-title">{l10n.t('The routes were changed in the settings')}</p>
      <div class="buttons">
        <Button label={l10n.t('Reload')} onClick={() => store.discard()} />
        <Button label={l10n.t('Keep Mine')} onClick={() => store.keepMine()} />
      </div>
    </Note>
  );
}

/** Suggestions for all fields of targets. */
function Targets() {
  const store = useStore();
  const { targets = [] } = store.state.value ?? {};
  const others = store.routes.value.filter((_, index) => index !== store.selected.value);
  return (
    <datalist id="targets">
      {targets.map(({ name, detail }) => (
        <option key={name} value={name}>
          {detail}
        </option>
      ))}
      {others.map(({ name }) => (
        <option key={name} value={name}>
          {l10n.t('another route')}
        </option>
      ))}
    </datalist>
  );
}

/** The other names of models and routes, which are changed in the settings. */
function Aliases() {
  const aliases = Object.entries(useStore().state.value?.aliases ?? {});
  if (aliases.length === 0) return null;
  return (
    <section class="aliases" aria-labelledby="aliases">
      <h2 id="aliases">{l10n.t('Aliases')}</h2>
      <ul class="rows">
        {aliases.map(([name, target]) => (
          <li key={name}>
            {name} <span class="hint">{`→ ${target}`}</span>
          </li>
        ))}
      </ul>
      <OpenSettings setting="aliases" />
    </section>
  );
}

export const startRoutes = pageStarter(RoutesStore, StoreProvider, RoutesPage);

/** Says what is not saved, and saves or discards it. */
function Footer() {
  const store = useStore();
  const isChanged = store.isChanged.value;
  const deleted = store.deleted.value;
  return (
    <footer class="page-footer">
      <span role="status">
        {deleted === undefined ? <Status /> : deleted.text}
        {deleted !== undefined && (
          <button id="undo" type="button" class="link undo" onClick={() => store.undo()}>
            {l10n.t('Undo')}
          </button>
        )}
      </span>
      {isChanged && (
        <div class="footer-buttons">
          <Button label={l10n.t('Discard')} onClick={() => store.discard()} />
          <button type="submit" class="button primary">
            {l10n.t('Save')}
          </button>
        </div>
      )}
    </footer>
  );
}

function Status() {
  const store = useStore();
  const mistakes = store.problems.value.length;
  if (mistakes > 0) {
    const text = mistakes === 1 ? l10n.t('1 mistake') : l10n.t('{0} mistakes', mistakes);
    return (
      <>
        <Icon name="error" size={14} />
        {text}
      </>
    );
  }
  if (store.isChanged.value) return <>{l10n.t('Not saved')}</>;
  return (
    <>
      <Icon name="check" size={14} />
      {l10n.t('All changes are saved. The gateway uses them from the next request on.')}
    </>
  );
}
