import type { Entry } from './entry.ts';

interface Node {
  entry: Entry | undefined;
  readonly parent: Node | undefined;
  readonly at: number;
  readonly comparison?: string;
  readonly children: Node[];
  /** The child whose branch shows; without one it is the last. */
  chosen: Node | undefined;
  isRemoved: boolean;
}

export interface Place {
  /** Undefined for the beginning. */
  readonly parent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly comparison?: string;
}

/**
 * Questions and answers, each below the one that it follows. A removed one stays as a joint between what came before and
 * after it: nothing that follows it is lost, and it can be restored.
 */
export class Tree {
  readonly #root: Node = rootNode();
  readonly #nodes = new Map<string, Node>();

  /** All of them, in the order in which they came, also removed ones. */
  get entries(): readonly Entry[] {
    return [...this.#nodes.values()].flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  }

  /** The entries that show, from the first on. */
  get path(): readonly Entry[] {
    const path: Entry[] = [];
    for (let node = shownChild(this.#root); node !== undefined; node = shownChild(node)) {
      if (node.entry !== undefined && !node.isRemoved) path.push(node.entry);
    }
    return path;
  }

  /** The last entry of the path. */
  get tail(): string | undefined {
    return this.path.at(-1)?.id;
  }

  entry(id: string): Entry | undefined {
    return this.#nodes.get(id)?.entry;
  }

  isVisible(id: string): boolean {
    return this.#nodes.get(id)?.isRemoved === false;
  }

  timeOf(id: string): number {
    return this.#nodes.get(id)?.at ?? 0;
  }

  comparisonOf(id: string): string | undefined {
    return this.#nodes.get(id)?.comparison;
  }

  parentOf(id: string): string | undefined {
    return this.#nodes.get(id)?.parent?.entry?.id;
  }

  /** The branches that lead on from where this one does: those of removed entries count as their parent's. */
  siblingsOf(id: string): readonly string[] {
    const node = this.#nodes.get(id);
    if (node === undefined) return [];
    return visibleChildren(visibleParent(node)).flatMap(({ entry }) => (entry === undefined ? [] : [entry.id]));
  }

  /** The new entry's branch shows. @returns false when there is one of this id already. */
  add(entry: Entry, { parent: parentId, at, comparison }: Place): boolean {
    if (this.#nodes.has(entry.id)) return false;
    // The line of the parent may have been torn: better in the wrong place than lost.
    const parent = parentId === undefined ? this.#root : (this.#nodes.get(parentId) ?? this.#tailNode);
    const node: Node = {
      entry,
      parent,
      at,
      children: [],
      chosen: undefined,
      isRemoved: false,
      ...(comparison !== undefined && { comparison }),
    };
    parent.children.push(node);
    parent.chosen = node;
    this.#nodes.set(entry.id, node);
    return true;
  }

  change(id: string, change: (entry: Entry) => Entry): void {
    const node = this.#nodes.get(id);
    if (node?.entry !== undefined) node.entry = change(node.entry);
  }

  setRemoved(id: string, isRemoved: boolean): void {
    const node = this.#nodes.get(id);
    if (node !== undefined) node.isRemoved = isRemoved;
  }

  /** Shows the branch through this entry. */
  choose(id: string): void {
    let node = this.#nodes.get(id);
    while (node?.parent !== undefined) {
      node.parent.chosen = node;
      node = node.parent;
    }
  }

  get #tailNode(): Node {
    return this.#nodes.get(this.tail ?? '') ?? this.#root;
  }
}

function rootNode(): Node {
  return { entry: undefined, parent: undefined, at: 0, children: [], chosen: undefined, isRemoved: true };
}

function shownChild({ chosen, children }: Node): Node | undefined {
  return chosen !== undefined && hasVisible(chosen) ? chosen : children.findLast(hasVisible);
}

/** Whether it or anything that follows it can be seen. */
function hasVisible(node: Node): boolean {
  return !node.isRemoved || node.children.some(hasVisible);
}

function visibleParent({ parent }: Node): Node | undefined {
  let node = parent;
  while (node?.isRemoved === true && node.parent !== undefined) node = node.parent;
  return node;
}

function visibleChildren(node: Node | undefined): Node[] {
  return (node?.children ?? []).flatMap((child) => (child.isRemoved ? visibleChildren(child) : [child]));
}
