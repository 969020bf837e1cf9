import { formatSum } from '../../display/money.ts';
import { Icon } from './icon.tsx';

/** What was paid because a cache missed. */
export function Avoidable({ usd }: { readonly usd: number }) {
  if (usd === 0) return <>{formatSum(0)}</>;
  return (
    <span class="avoidable">
      <Icon name="warning" />
      {formatSum(usd)}
    </span>
  );
}
