import * as l10n from '@vscode/l10n';
import { Button } from '../shared/button.tsx';
import './styles/index.css';
import { useEffect, useRef } from 'preact/hooks';
import type { KeyLimitField } from '../../pages/localKey/protocol.ts';
import type { BudgetPeriod } from '../../rules/period.ts';
import { Icon } from '../shared/icon.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { Field, Section, Segments } from './fields.tsx';
import { ModelChoice } from './modelChoice.tsx';
import { Snippet } from './snippet.tsx';
import { KeyStore, StoreProvider, useStore } from './store.ts';
import { summaryOf } from './summary.ts';

/** The form, its summary, and the key once it was created. Its fields can then be changed. */
function KeyPage() {
  const store = useStore();
  const form = useRef<HTMLFormElement>(null);
  const refusals = store.problems.refusals;
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  if (store.state.value === undefined) return null;
  const { value: key } = store.key;
  const isExisting = key !== undefined && key.secret === undefined;
  return (
    <main class="key-page">
      <form
        ref={form}
        class="key-form form-page"
        aria-labelledby="title"
        onSubmit={(event) => {
          event.preventDefault();
          store.submit();
        }}
      >
        <Head />
        <fieldset class="terms">
          <legend class="hidden-text">{l10n.t('Name and limits')}</legend>
          <NameSection />
          <BudgetSection />
          <LimitSection />
          <ModelChoice />
          <SecretSection />
          <ExpirySection />
        </fieldset>
        <Summary />
        {!isExisting && <Snippet />}
        <Footer />
      </form>
    </main>
  );
}

function Head() {
  const key = useStore().key.value;
  if (key !== undefined && key.secret === undefined) {
    return (
      <>
        <h1 id="title">{l10n.t('Local key “{0}”', key.name)}</h1>
        <p class="lead">{l10n.t('Changes apply to the next request with the key.')}</p>
      </>
    );
  }
  return (
    <>
      <h1 id="title">{l10n.t('Create Local Key')}</h1>
      <p class="lead">{l10n.t('For a script or tool on this machine. It works only through the gateway.')}</p>
    </>
  );
}

function NameSection() {
  return (
    <Section name={l10n.t('Name')}>
      <Field
        field="name"
        label={l10n.t('Name')}
        value={({ name }) => name}
        change={(name) => ({ name })}
        placeholder="aider"
        hint={l10n.t('Shown in Traffic and Usage.')}
        isFirst={useStore().focus.value === 'name'}
      />
    </Section>
  );
}

function BudgetSection() {
  const store = useStore();
  const periods: readonly (readonly [BudgetPeriod, string, string])[] = [
    ['daily', l10n.t('Each day'), l10n.t('resets at midnight')],
    ['monthly', l10n.t('Each month'), l10n.t('resets on the first of the month')],
    ['total', l10n.t('In total'), ''],
  ];
  return (
    <Section name={l10n.t('Budgets')} note={l10n.t('All budgets apply.')}>
      <Segments
        label={l10n.t('Budget unit')}
        value={store.form.value.unit}
        options={[
          ['usd', l10n.t('Dollars')],
          ['tokens', l10n.t('Tokens')],
        ]}
        onChoose={(unit) => store.change({ unit })}
      />
      {periods.map(([period, label, hint]) => (
        <Field
          key={period}
          field={period}
          label={label}
          isInline
          value={({ budgets }) => budgets[period]}
          change={(amount, { budgets }) => ({ budgets: { ...budgets, [period]: amount } })}
          placeholder={l10n.t('No limit')}
          hint={hint}
          isFirst={store.focus.value === period}
        />
      ))}
      {store.hiddenBudgets.value.map((text) => (
        <p key={text} class="section-note">
          {l10n.t('{0}, which stays', text)}
        </p>
      ))}
      <label class="choice">
        <input
          type="checkbox"
          checked={store.form.value.lowersLimits}
          onChange={({ currentTarget }) => store.change({ lowersLimits: currentTarget.checked })}
        />
        <span>
          {l10n.t('Lower output limits to what the budgets cover')}
          <span class="section-note">{l10n.t('Otherwise, requests that could cost more are refused.')}</span>
        </span>
      </label>
    </Section>
  );
}

/** Most keys have a budget and no other limit, so these are folded until one of them is set. */
function LimitSection() {
  const store = useStore();
  const limits: readonly (readonly [KeyLimitField, string])[] = [
    ['requestsPerMinute', l10n.t('Requests per minute')],
    ['parallel', l10n.t('Parallel requests')],
    ['tokensPerMinute', l10n.t('Tokens per minute')],
    ['sessionDollars', l10n.t('Dollars per session')],
  ];
  const isSet = limits.some(([limit]) => store.form.value[limit].trim() !== '' || store.problems.of(limit));
  return (
    <Section name={l10n.t('Limits')}>
      <details class="fold" open={isSet || undefined}>
        <summary>{l10n.t('Requests, tokens, and dollars per session')}</summary>
        <div class="section-fields">
          {limits.map(([limit, label]) => (
            <Field
              key={limit}
              field={limit}
              label={label}
              isInline
              value={(form) => form[limit]}
              change={(figure) => ({ [limit]: figure })}
              placeholder={l10n.t('No limit')}
            />
          ))}
        </div>
      </details>
    </Section>
  );
}

function SecretSection() {
  const store = useStore();
  return (
    <Section name={l10n.t('Secrets')} note={l10n.t('Keys and passwords in its requests.')}>
      <Segments
        label={l10n.t('Secrets')}
        value={store.form.value.secrets}
        options={[
          ['default', l10n.t('Default')],
          ['seal', l10n.t('Seal')],
          ['refuse', l10n.t('Refuse')],
          ['report', l10n.t('Report')],
          ['off', l10n.t('Off')],
        ]}
        onChoose={(secrets) => store.change({ secrets })}
      />
    </Section>
  );
}

function ExpirySection() {
  const store = useStore();
  const { expiry } = store.form.value;
  return (
    <Section name={l10n.t('Expires')}>
      <Segments
        label={l10n.t('Expires')}
        value={expiry}
        options={[
          ['never', l10n.t('Never')],
          ['month', l10n.t('In 30 days')],
          ['date', l10n.t('On a date')],
        ]}
        onChoose={(chosen) => store.change({ expiry: chosen })}
      />
      {expiry === 'date' && (
        <Field
          field="date"
          type="date"
          label={l10n.t('Last day on which the key is valid')}
          value={({ date }) => date}
          change={(date) => ({ date })}
        />
      )}
    </Section>
  );
}

function Summary() {
  const { sentences, isUnlimited } = summaryOf(useStore().form.value);
  return (
    <p class={isUnlimited ? 'summary warning' : 'summary'} aria-live="polite">
      {isUnlimited && <Icon name="warning" size={14} />}
      <span>{sentences.join(' ')}</span>
    </p>
  );
}

function Footer() {
  const store = useStore();
  const key = store.key.value;
  const isChanged = store.isChanged.value;
  const copy = useRef<HTMLButtonElement>(null);
  // The secret is below the field in which the key was created with Enter.
  useEffect(() => {
    if (key?.secret !== undefined) copy.current?.focus();
  }, [key?.secret]);
  if (key === undefined) {
    return (
      <footer class="page-footer">
        <span>{l10n.t('You can change everything later.')}</span>
        <div class="footer-buttons">
          <Button label={l10n.t('Cancel')} onClick={() => store.post({ type: 'close' })} />
          <button type="submit" class="button primary">
            {l10n.t('Create Local Key')}
          </button>
        </div>
      </footer>
    );
  }
  return (
    <footer class="page-footer">
      <Outcome />
      <div class="footer-buttons">
        <Button label={l10n.t('Manage Local Keys')} onClick={() => store.post({ type: 'manage' })} />
        <Button label={l10n.t('Close')} onClick={() => store.post({ type: 'close' })} />
        <button
          ref={copy}
          type="button"
          class={isChanged ? 'button' : 'button primary'}
          onClick={() =>
            store.post(key.secret === undefined ? { type: 'copyKey', id: key.id } : { type: 'copy', text: key.secret })
          }
        >
          {l10n.t('Copy Key')}
        </button>
        {isChanged && (
          <button type="submit" class="button primary">
            {l10n.t('Save Changes')}
          </button>
        )}
      </div>
    </footer>
  );
}

function Outcome() {
  const store = useStore();
  const { name = '', secret } = store.key.value ?? {};
  if (secret === undefined && !store.wasChanged.value) return <span role="status" />;
  return (
    <span class="created" role="status">
      <Icon name="check" size={14} />
      {store.wasChanged.value
        ? l10n.t('The local key “{0}” was changed.', name)
        : l10n.t('The local key “{0}” was created.', name)}
    </span>
  );
}

export const startLocalKey = pageStarter(KeyStore, StoreProvider, KeyPage);
