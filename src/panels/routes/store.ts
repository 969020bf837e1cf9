import { computed, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type {
  CheckedRoutes,
  KeptRoutes,
  RouteForm,
  RouteProblem,
  RoutesHostMessage,
  RoutesState,
  RuleForm,
  TrialForm,
} from '../../pages/routes/protocol.ts';
import type { RoutesPageMessage, RoutesTransport } from '../../pages/routes/routesMessages.ts';
import { PageStore, storeContext } from '../shared/pageStore.ts';
import { NEW_ROUTE, NEW_RULE, NO_TRIAL, nameAfter, renamed, usersOf } from './forms.ts';
import { moved } from './moved.ts';

/** The routes as the user changes them, what the host found in them, and the request that is tried. */
export class RoutesStore extends PageStore<RoutesHostMessage, RoutesPageMessage, KeptRoutes> {
  /** Undefined until the host's first message. */
  readonly state = signal<RoutesState | undefined>(undefined);
  readonly routes = signal<readonly RouteForm[]>([]);
  readonly selected = signal(0);
  /** The selected route's name while it is typed. It is applied when its field is left, or the routes are saved. */
  readonly typedName = signal<string | undefined>(undefined);
  /** The index of the rule whose fields are shown. */
  readonly openRule = signal<number | undefined>(undefined);
  readonly trial = signal(NO_TRIAL);
  /** Whether the request is one of Traffic whose tools and images are unknown. */
  readonly isPartial = signal(false);
  readonly checked = signal<CheckedRoutes>({ problems: [], json: [] });
  /** Why the gateway avoids targets, by their names. */
  readonly health = signal<Readonly<Record<string, string>>>({});
  readonly deleted = signal<{ readonly text: string; readonly before: readonly RouteForm[] } | undefined>(undefined);
  /** Why a route was not deleted or renamed. */
  readonly refusal = signal<{ readonly field: 'name' | 'delete'; readonly text: string } | undefined>(undefined);
  /** Incremented when the routes were not saved because of their problems. */
  readonly failures = signal(0);
  /** The ID of the element that gets the focus next. */
  readonly toFocus = signal<string | undefined>(undefined);
  /** The field in which the user types. A problem in it is shown afterwards. */
  readonly typing = signal<string | undefined>(undefined);
  /** The routes of the setting that the user began to change. */
  readonly #base = signal<readonly RouteForm[]>([]);
  readonly #isSubmitted = signal(false);
  #sent: readonly RouteForm[] = [];
  #number = 0;

  readonly route = computed(() => this.routes.value[this.selected.value]);
  readonly isChanged = computed(() => !areSame(this.routes.value, this.#base.value));
  /** Whether the setting was changed since the user began to change the routes. */
  readonly isOutdated = computed(
    () => this.state.value !== undefined && this.isChanged.value && !areSame(this.state.value.routes, this.#base.value),
  );
  /** The problems that are shown, of all routes. */
  readonly problems = computed(() =>
    this.checked.value.problems.filter(({ isBlank = false }) => !isBlank || this.#isSubmitted.value),
  );

  constructor(transport: RoutesTransport) {
    super(transport);
    const kept = transport.kept();
    if (kept === undefined) return;
    this.#base.value = kept.base;
    this.routes.value = kept.routes;
    this.selected.value = kept.selected;
    this.trial.value = kept.trial;
  }

  /** Returns the problem of a field of the selected route if it is shown. */
  problemOf(field: string): RouteProblem | undefined {
    if (field === this.typing.value) return undefined;
    return this.problems.value.find((problem) => problem.route === this.selected.value && problem.field === field);
  }

  /** Returns the prices of a target, or what else it is. */
  detailOf(target: string): string {
    const name = target.trim();
    const known = this.state.value?.targets.find((each) => each.name === name);
    if (known !== undefined) return known.detail;
    return this.routes.value.some((route) => route.name === name) ? l10n.t('another route') : '';
  }

  select(index: number): void {
    this.selected.value = index;
    this.openRule.value = undefined;
    this.typedName.value = undefined;
    this.refusal.value = undefined;
    this.tryRequest({ model: this.route.value?.name ?? '' });
  }

  /** @param form Its name is changed if it is taken. */
  add(form: RouteForm = NEW_ROUTE): void {
    const name = nameAfter(form.name, this.#takenNames());
    this.#put([...this.routes.value, { ...form, name }]);
    this.select(this.routes.value.length - 1);
    this.toFocus.value = 'name';
  }

  change(change: Partial<RouteForm>): void {
    this.#put(
      this.routes.value.map((route, index) => (index === this.selected.value ? { ...route, ...change } : route)),
    );
  }

  /** Applies the typed name, also where other routes use it. An empty or taken name is refused. */
  rename(): void {
    const { name: old = '' } = this.route.value ?? {};
    const name = (this.typedName.value ?? old).trim();
    const isTaken = name !== old && this.#takenNames().includes(name);
    const text = isTaken
      ? l10n.t('“{0}” is already a route or an alias. Enter another name.', name)
      : name === '' && l10n.t('Enter a name.');
    this.refusal.value = text === false ? undefined : { field: 'name', text };
    if (text !== false) return;
    this.typedName.value = undefined;
    if (name === old) return;
    this.#put(renamed(this.routes.value, this.selected.value, name));
    this.tryRequest({ model: name });
  }

  deleteRoute(): void {
    const { name = '' } = this.route.value ?? {};
    const users = usersOf(this.routes.value, name);
    if (users.length > 0) {
      const text = l10n.t('The route “{0}” is used by {1}. Change that route first.', name, users.join(', '));
      this.refusal.value = { field: 'delete', text };
      return;
    }
    const before = this.routes.value;
    const rest = before.filter((_, index) => index !== this.selected.value);
    this.#put(rest);
    this.select(Math.max(0, Math.min(this.selected.value, rest.length - 1)));
    this.deleted.value = { text: l10n.t('The route “{0}” was deleted.', name), before };
    this.toFocus.value = 'undo';
  }

  addRule(): void {
    const { when = [] } = this.route.value ?? {};
    this.change({ when: [...when, NEW_RULE] });
    this.openRule.value = when.length;
    this.toFocus.value = `when.${when.length}.requestClass`;
  }

  changeRule(index: number, change: Partial<RuleForm>): void {
    const { when = [] } = this.route.value ?? {};
    this.change({ when: when.map((rule, at) => (at === index ? { ...rule, ...change } : rule)) });
  }

  moveRule(index: number, step: 1 | -1): void {
    const { when = [] } = this.route.value ?? {};
    const to = index + step;
    if (to < 0 || to >= when.length) return;
    this.change({ when: moved(when, index, to) });
    if (this.openRule.value === index) this.openRule.value = to;
    else if (this.openRule.value === to) this.openRule.value = index;
    this.toFocus.value = `when.${to}`;
  }

  deleteRule(index: number): void {
    const before = this.routes.value;
    const { when = [] } = this.route.value ?? {};
    this.change({ when: when.filter((_, at) => at !== index) });
    this.openRule.value = undefined;
    this.deleted.value = { text: l10n.t('Rule {0} was deleted.', index + 1), before };
    this.toFocus.value = when.length === 1 ? 'add-rule' : `when.${Math.min(index, when.length - 2)}`;
  }

  undo(): void {
    const { before } = this.deleted.value ?? {};
    if (before === undefined) return;
    this.#put(before);
    this.select(Math.min(this.selected.value, before.length - 1));
    this.toFocus.value = 'name';
  }

  tryRequest(change: Partial<TrialForm>): void {
    this.trial.value = { ...this.trial.value, ...change };
    this.isPartial.value = false;
    this.#check();
  }

  save(): void {
    this.#isSubmitted.value = true;
    this.rename();
    if (this.refusal.value?.field === 'name') {
      this.failures.value += 1;
      return;
    }
    this.#sent = this.routes.value;
    this.post({ type: 'save', routes: this.#sent });
  }

  /** Replaces the user's changes by the routes of the setting. */
  discard(): void {
    this.#take(this.state.value?.routes ?? []);
  }

  /** Keeps the user's changes, although the setting was changed meanwhile. */
  keepMine(): void {
    this.#base.value = this.state.value?.routes ?? [];
    this.#check();
  }

  #takenNames(): readonly string[] {
    return [...this.routes.value.map(({ name }) => name), ...Object.keys(this.state.value?.aliases ?? {})];
  }

  #put(routes: readonly RouteForm[]): void {
    this.routes.value = routes;
    this.deleted.value = undefined;
    if (this.refusal.value?.field === 'delete') this.refusal.value = undefined;
    this.#check();
  }

  #take(routes: readonly RouteForm[]): void {
    this.#base.value = routes;
    this.routes.value = routes;
    this.deleted.value = undefined;
    this.typedName.value = undefined;
    this.refusal.value = undefined;
    this.#isSubmitted.value = false;
    if (this.selected.value >= routes.length) this.selected.value = Math.max(0, routes.length - 1);
    if (this.trial.value.model === '') this.trial.value = { ...this.trial.value, model: this.route.value?.name ?? '' };
    this.#check();
  }

  #check(): void {
    this.#number += 1;
    const [routes, trial] = [this.routes.value, this.trial.value];
    this.transport.keep({ base: this.#base.value, routes, selected: this.selected.value, trial });
    this.post({ type: 'check', number: this.#number, routes, trial });
  }

  protected override receive(message: RoutesHostMessage): void {
    switch (message.type) {
      case 'state': {
        const { routes } = message.state;
        const isUntouched = !this.isChanged.value || areSame(routes, this.routes.value);
        this.state.value = message.state;
        if (isUntouched) this.#take(routes);
        else this.#check();
        break;
      }
      case 'checked':
        if (message.number === this.#number) this.checked.value = message.checked;
        break;
      case 'health':
        this.health.value = message.health;
        break;
      case 'trial':
        this.tryRequest(message.trial);
        this.isPartial.value = !message.isComplete;
        break;
      case 'saved':
        this.#finishSaving(message.isSaved);
        break;
    }
  }

  #finishSaving(isSaved: boolean): void {
    if (isSaved) {
      this.#base.value = this.#sent;
      this.#isSubmitted.value = false;
      return;
    }
    const [first] = this.checked.value.problems;
    if (first !== undefined) this.#show(first);
    this.failures.value += 1;
  }

  #show({ route, field }: RouteProblem): void {
    if (route !== this.selected.value) this.select(route);
    const rule = /^when\.(\d+)/.exec(field)?.[1];
    if (rule !== undefined) this.openRule.value = Number(rule);
  }
}

function areSame(one: readonly RouteForm[], other: readonly RouteForm[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export const [StoreProvider, useStore] = storeContext<RoutesStore>();
