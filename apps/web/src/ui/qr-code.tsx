import { useMemo } from 'react';
import { encode } from 'uqr';

/** Quiet zone around the code that readers need, in modules. */
const MARGIN = 4;

/** A QR code, drawn here: the secret in it never leaves the browser. Dark on white in both schemes, for readers. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data } = encode(text, { ecc: 'M', border: MARGIN });
    const modules = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
    return { size: data.length, path: modules.join('') };
  }, [text]);
  return (
    <svg width="208" height="208" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
