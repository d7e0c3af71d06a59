import { type ReactNode, useEffect, useRef } from 'react';

/** Room for the foot of a dialog, which stays over what scrolls, px. */
const FOOT_PX = 72;

/** An answer that stands below what it was asked with: each new one comes into sight by itself. */
export function Revealed({ of, children }: { of: unknown; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is shown anew when the answer changes
  useEffect(() => ref.current?.scrollIntoView({ block: 'nearest' }), [of]);
  return (
    <div ref={ref} style={{ scrollMarginBottom: FOOT_PX }}>
      {children}
    </div>
  );
}
