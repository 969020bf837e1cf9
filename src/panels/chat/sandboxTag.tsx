import { Icon } from '../shared/icon.tsx';

/** Names the sandbox wherever it answers. */
export function SandboxTag() {
  return (
    <span class="tag" title="Answered by the sandbox, at no charge">
      <Icon name="beaker" size={14} />
      Sandbox
    </span>
  );
}
