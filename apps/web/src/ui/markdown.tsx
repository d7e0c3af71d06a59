import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const MarkdownText = lazy(() => import('./markdown-text.tsx'));

/**
 * Markdown (GitHub's flavour) as a person wrote it, made safe: HTML stands there as text, links to http, https and mail
 * only, pictures from this server only; another one becomes a link to it. Headings begin at the third level.
 */
export function Markdown({ children }: { children: string }) {
  return (
    <Suspense fallback={<Skeleton height={48} />}>
      <MarkdownText>{children}</MarkdownText>
    </Suspense>
  );
}
