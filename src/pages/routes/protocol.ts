/** The messages between the page of routes and its host. Fields contain the text as typed. */
import type { RequestClass } from '../../gateway/core/requestSession.ts';
import type { ExtraTrigger } from '../../gateway/routing/routes/routeEntry.ts';

export type { RequestClass };

/** A rule. Empty texts are no condition. */
export interface RuleForm {
  readonly requestClass: RequestClass | '';
  readonly agent: string;
  readonly tool: string;
  readonly image: 'yes' | 'no' | '';
  readonly tokensAbove: string;
  readonly tokensBelow: string;
  readonly use: readonly string[];
}

export type RouteLimitField = 'firstTokenSeconds' | 'idleSeconds' | 'totalSeconds';

export interface RouteForm {
  readonly name: string;
  readonly use: readonly string[];
  readonly when: readonly RuleForm[];
  readonly also: readonly ExtraTrigger[];
  /** Seconds. An empty text means that the limits of the upstreams apply. */
  readonly limits: Readonly<Record<RouteLimitField, string>>;
}

/** A request as the user describes it. */
export interface TrialForm {
  readonly model: string;
  readonly requestClass: RequestClass | '';
  readonly agent: string;
  /** Names separated by commas. */
  readonly tools: string;
  readonly tokens: string;
  readonly hasImage: boolean;
}

export interface RouteProblem {
  /** The index of the route. */
  readonly route: number;
  /** A path such as `name`, `use.0`, or `when.1.tokensAbove`. */
  readonly field: string;
  readonly text: string;
  /** A similar name that is allowed. */
  readonly suggestion?: string;
  /** True for a field that only has to be filled in. It is shown when the routes are saved. */
  readonly isBlank?: true;
}

/** A model that would be tried for a request. */
export interface TrialTarget {
  /** In the form `upstream/model`. */
  readonly name: string;
  /** In US dollars. Undefined without a known price. */
  readonly inputCost?: number;
}

export interface TrialAnswer {
  /** In the order in which they would be tried. Empty if no upstream offers the model. */
  readonly targets: readonly TrialTarget[];
  /** The name of the route. Undefined if the model's name is not that of a route. */
  readonly route?: string;
  /** The index of the rule that decides, from 0. Undefined if none applies. */
  readonly rule?: number;
}

/** What the host found in the routes as they are on the page. */
export interface CheckedRoutes {
  readonly problems: readonly RouteProblem[];
  /** The JSON of each route. Undefined for routes that cannot be written as JSON. */
  readonly json: readonly string[];
  /** Undefined if the routes or the request cannot be read. */
  readonly trial?: TrialAnswer;
  /** What is wrong with the request's number of tokens. */
  readonly tokensProblem?: string;
}

/** A name that a route can use. */
export interface RouteTarget {
  readonly name: string;
  /** Prices, or what else the name is. */
  readonly detail: string;
}

/** A route that can be added as it is. */
export interface ReadyRoute {
  readonly title: string;
  readonly form: RouteForm;
}

export interface RoutesState {
  readonly routes: readonly RouteForm[];
  /** Errors because of which the setting can only be edited as text. */
  readonly unreadable: readonly string[];
  /** The value of the setting if it is unreadable. */
  readonly json: string;
  readonly targets: readonly RouteTarget[];
  readonly ready: readonly ReadyRoute[];
  readonly aliases: Readonly<Record<string, string>>;
  /** The team whose gateway the window is connected to. It may have routes of its own. */
  readonly team?: string;
}

export type SettingOfRoutes = 'routes' | 'aliases';

export type RoutesHostMessage =
  | { readonly type: 'state'; readonly state: RoutesState }
  | { readonly type: 'checked'; readonly number: number; readonly checked: CheckedRoutes }
  /** Why the gateway avoids some of the targets on the page, by the target's name. */
  | { readonly type: 'health'; readonly health: Readonly<Record<string, string>> }
  /** The request of Traffic that the user has chosen. It may lack its tools and images. */
  | { readonly type: 'trial'; readonly trial: TrialForm; readonly isComplete: boolean }
  /** The routes were saved, or not because of the problems. */
  | { readonly type: 'saved'; readonly isSaved: boolean };

/** What the page keeps while it is hidden. */
export interface KeptRoutes {
  /** The routes of the setting when the user began to change them. */
  readonly base: readonly RouteForm[];
  readonly routes: readonly RouteForm[];
  readonly selected: number;
  readonly trial: TrialForm;
}
