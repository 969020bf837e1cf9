import { withUnconfirmed } from '../../../display/money.ts';
import { Icon } from '../../shared/icon.tsx';
import { costTitle } from '../words.ts';
import type { TreeNode } from './treeNodes.ts';
import { hitRate, type TreeSums } from './treeSums.ts';
import { figureTexts, type NodeNames, nodeWords } from './treeWords.ts';

/** Indentation in CSS pixels per level. */
const INDENT = 16;

export function nodeElementId(id: string): string {
  return `node-${id}`;
}

interface TreeRowProps {
  readonly node: TreeNode;
  readonly index: number;
  readonly top: number;
  readonly names: NodeNames;
  readonly isActive: boolean;
  readonly isSelected: boolean;
}

/** A row of the tree, which the keyboard reaches through the grid. */
export function TreeRow({ node, index, top, names, isActive, isSelected }: TreeRowProps) {
  const { name, note, icon, result } = nodeWords(node, names);
  const figures = figureTexts(node.sums);
  const isSampleCost = (column: string) => column === 'cost' && node.sums.isSample;
  const classes = ['line', node.kind, isActive ? 'active' : '', isSelected ? 'open' : ''].filter(Boolean);
  return (
    <div
      role="row"
      id={nodeElementId(node.id)}
      class={classes.join(' ')}
      style={{ top: `${top}px` }}
      aria-rowindex={index + 2}
      aria-level={node.level}
      aria-expanded={node.isOpen}
      aria-selected={isSelected}
      data-index={index}
    >
      <span role="gridcell" class="cell name" title={note === '' ? name : `${name} · ${note}`}>
        <Guides level={node.level} />
        <span class="twistie">
          {node.isOpen !== undefined && <Icon name={node.isOpen ? 'chevron-down' : 'chevron-right'} size={14} />}
        </span>
        <span class={`result ${result ?? ''}`}>
          <Icon name={icon} size={14} />
        </span>
        <span class="node-name">{name}</span>
        {note !== '' && <span class="node-note">{note}</span>}
      </span>
      <span role="gridcell" class="cell mix">
        <MixBar sums={node.sums} />
      </span>
      {(['uncached', 'read', 'written', 'cached', 'output', 'cost', 'hits'] as const).map((column) => (
        <span
          key={column}
          role="gridcell"
          class={`cell figure number ${column}${isSampleCost(column) ? ' sample' : ''}`}
          title={column === 'cost' ? sumTitle(node.sums, figures.cost) : undefined}
        >
          {figures[column]}
        </span>
      ))}
      <span role="gridcell" class="cell figure number avoidable">
        {node.sums.avoidable > 0 && <Icon name="warning" size={14} />}
        {figures.avoidable}
      </span>
    </div>
  );
}

function sumTitle({ isSample, unconfirmed }: TreeSums, cost: string): string | undefined {
  if (unconfirmed === undefined && !isSample) return undefined;
  return costTitle(withUnconfirmed(cost, unconfirmed), isSample);
}

function Guides({ level }: { readonly level: number }) {
  return (
    <>
      {Array.from({ length: level - 1 }, (_, nth) => (
        <i key={nth} class="guide" style={{ width: `${INDENT}px` }} />
      ))}
    </>
  );
}

/** Shows the proportions of the input. The length of the bar does not represent the size of the input. */
function MixBar({ sums }: { readonly sums: TreeSums }) {
  const { uncached = 0, read = 0, written = 0 } = sums;
  const input = uncached + read + written;
  if (input === 0 || (hitRate(sums) === undefined && uncached === 0)) return null;
  return (
    <span class="mix-bar">
      {Object.entries({ read, written, uncached }).map(
        ([part, tokens]) => tokens > 0 && <i key={part} class={part} style={{ width: `${(100 * tokens) / input}%` }} />,
      )}
    </span>
  );
}
