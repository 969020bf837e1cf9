import { SandboxTag } from '../sandboxTag.tsx';

export function EmptyThread({ sandbox }: { readonly sandbox: boolean }) {
  return (
    <section class="empty">
      <h1 class="empty-title">What are you working on?</h1>
      <p class="empty-text">Select code first to attach it, or use the paper clip for files.</p>
      {sandbox && (
        <p class="empty-sandbox">
          <SandboxTag />
          <span>Sample answers, no charge.</span>
        </p>
      )}
    </section>
  );
}
