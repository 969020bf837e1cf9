import type { SessionSums, TrafficRow } from '../../../pages/traffic/protocol.ts';
import { sumsOfRows, sumsOfSession, type TreeSums } from './treeSums.ts';

interface NodeBase {
  /** ID within the tree, such as `session:4f1c09ae77d2b603`. */
  readonly id: string;
  readonly parent?: string;
  /** Starts at 1. */
  readonly level: number;
  readonly sums: TreeSums;
  /** Undefined for a node without children. */
  readonly isOpen?: boolean;
}

/** A row of the tree. */
export type TreeNode = NodeBase &
  (
    | { readonly kind: 'session'; readonly session: SessionSums; readonly isRunning: boolean }
    /**
     * Agents are numbered by their start; 0 is the main agent. `type` is the client's name for the kind of agent, with
     * a number if there are several of one kind.
     */
    | {
        readonly kind: 'agent';
        readonly number: number;
        readonly type: string | undefined;
        readonly model: string | undefined;
      }
    /** Turns are numbered per agent. Undefined until the first ones are loaded. */
    | { readonly kind: 'turn'; readonly number: number | undefined; readonly at: number }
    | { readonly kind: 'request'; readonly row: TrafficRow }
    /** Older turns that are not shown yet, or older requests that are only in the list. */
    | { readonly kind: 'earlier'; readonly of: 'turns' | 'requests'; readonly count: number; readonly key: string }
  );

export interface SessionRequests {
  /** Latest first. */
  readonly rows: readonly TrafficRow[];
  readonly hasMore: boolean;
}

/** The data of the tree. */
export interface TreeSource {
  readonly sessions: readonly SessionSums[];
  readonly withoutSession: SessionSums | undefined;
  /** The requests of the expanded sessions. */
  readonly requests: ReadonlyMap<string, SessionRequests>;
  /** Requests that are running or not in the ledger yet. */
  readonly live: readonly TrafficRow[];
  /** IDs of expanded nodes, and of agents whose turns are all shown. */
  readonly open: ReadonlySet<string>;
}

const MAX_TURNS = 6;

/** Returns the visible rows, from first to last. */
export function treeNodes(source: TreeSource): readonly TreeNode[] {
  const { sessions, withoutSession, live } = source;
  const known = new Set(sessions.map(({ sessionId }) => sessionId));
  const alone = live.filter(({ sessionId }) => sessionId === undefined || !known.has(sessionId));
  return [
    ...alone.map((row) => requestNode(row, 1)),
    ...sessions.flatMap((session) => sessionNodes(session, source)),
    ...(withoutSession === undefined ? [] : sessionNodes(withoutSession, source)),
  ];
}

function sessionNodes(session: SessionSums, { requests, live, open }: TreeSource): TreeNode[] {
  const id = `session:${session.sessionId}`;
  const running = live.filter(({ sessionId }) => sessionId === session.sessionId);
  const node: TreeNode = {
    kind: 'session',
    id,
    level: 1,
    session,
    sums: sumsOfSession(session),
    isOpen: open.has(id),
    isRunning: running.some(({ end }) => end === undefined),
  };
  const loaded = requests.get(session.sessionId);
  if (!open.has(id) || loaded === undefined) return [node];
  const { rows, hasMore } = loaded;
  const ids = new Set(rows.map((row) => row.id));
  const all = [...running.filter((row) => !ids.has(row.id)), ...rows];
  return [
    node,
    ...(session.sessionId === '' ? all.map((row) => requestNode(row, 2, id)) : agentNodes(all, { id, open, hasMore })),
    ...(hasMore ? [earlierRequests(session, rows, id)] : []),
  ];
}

function earlierRequests({ sessionId, exchanges }: SessionSums, rows: readonly TrafficRow[], parent: string): TreeNode {
  const count = Math.max(0, exchanges - rows.length);
  return {
    kind: 'earlier',
    of: 'requests',
    id: `earlier:${parent}`,
    parent,
    level: 2,
    count,
    key: sessionId,
    sums: { requests: count, avoidable: 0, isSample: false, isEstimated: false },
  };
}

interface Place {
  /** ID of the parent. */
  readonly id: string;
  readonly open: ReadonlySet<string>;
  /** True if older requests are missing. */
  readonly hasMore: boolean;
}

/**
 * Returns the nodes of agents; a session with one agent has no such level. The main agent comes first, the others by
 * their start.
 */
function agentNodes(rows: readonly TrafficRow[], place: Place): TreeNode[] {
  const agents = [...Map.groupBy(rows, ({ agentId = '' }) => agentId)].sort(
    ([a, ofA], [b, ofB]) => Number(b === '') - Number(a === '') || startOf(ofA) - startOf(ofB),
  );
  if (agents.length === 1) return turnNodes(rows, { ...place, level: 2 });
  const hasMain = agents[0]?.[0] === '';
  const types = agents.map(([, ofAgent]) => ofAgent.find(({ agentType }) => agentType !== undefined)?.agentType);
  return agents.flatMap(([agentId, ofAgent], nth) => {
    const id = `agent:${place.id}:${agentId}`;
    const isOpen = place.open.has(id);
    const node: TreeNode = {
      kind: 'agent',
      id,
      parent: place.id,
      level: 2,
      number: hasMain ? nth : nth + 1,
      type: nthOfType(types, nth),
      model: ofAgent.find(({ model }) => model !== undefined)?.model,
      sums: sumsOfRows(ofAgent),
      isOpen,
    };
    return isOpen ? [node, ...turnNodes(ofAgent, { ...place, id, level: 3 })] : [node];
  });
}

/** Returns the name of an agent's kind, with a number for the second one and further ones of the same kind. */
function nthOfType(types: readonly (string | undefined)[], nth: number): string | undefined {
  const type = types[nth];
  const before = types.slice(0, nth).filter((other) => other === type).length;
  return type === undefined || before === 0 ? type : `${type} ${before + 1}`;
}

/**
 * Returns the newest turns, and a row that shows the others. A turn with one request is represented by that request.
 */
function turnNodes(rows: readonly TrafficRow[], { id, open, hasMore, level }: Place & { level: number }): TreeNode[] {
  const turns = [...Map.groupBy(rows, ({ turnId, id: own }) => turnId ?? own).values()].sort(
    (a, b) => startOf(b) - startOf(a),
  );
  const key = `turns:${id}`;
  const shown = open.has(key) ? turns : turns.slice(0, MAX_TURNS);
  const earlier = turns.slice(shown.length);
  const nodes = shown.flatMap((ofTurn, nth): TreeNode[] => {
    const [only] = ofTurn;
    if (ofTurn.length === 1 && only !== undefined) return [requestNode(only, level, id)];
    const turn = `turn:${id}:${only?.turnId ?? ''}`;
    const node: TreeNode = {
      kind: 'turn',
      id: turn,
      parent: id,
      level,
      number: hasMore ? undefined : turns.length - nth,
      at: startOf(ofTurn),
      sums: sumsOfRows(ofTurn),
      isOpen: open.has(turn),
    };
    const inOrder = ofTurn.toSorted((a, b) => a.at - b.at);
    return open.has(turn) ? [node, ...inOrder.map((row) => requestNode(row, level + 1, turn))] : [node];
  });
  if (earlier.length === 0) return nodes;
  const sums = sumsOfRows(earlier.flat());
  return [
    ...nodes,
    { kind: 'earlier', of: 'turns', id: `earlier:${id}`, parent: id, level, count: earlier.length, key, sums },
  ];
}

function requestNode(row: TrafficRow, level: number, parent?: string): TreeNode {
  return {
    kind: 'request',
    id: `request:${row.id}`,
    ...(parent !== undefined && { parent }),
    level,
    row,
    sums: sumsOfRows([row]),
  };
}

function startOf(rows: readonly TrafficRow[]): number {
  return Math.min(...rows.map(({ at }) => at));
}
