import { createContext, useContext } from 'react';

/** Address of the brand's logo; null for that of the product. */
export const BrandLogo = createContext<string | null>(null);

/**
 * The logo of the brand. Without one the mark of Albedo: a sun that rises over ground which gives its light back. It
 * takes the colour of its text.
 */
export function Logo({ size = 24 }: { size?: number }) {
  const logo = useContext(BrandLogo);
  if (logo !== null) {
    return <img src={logo} alt="" style={{ height: size * 1.5, maxWidth: size * 7, objectFit: 'contain' }} />;
  }
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <path d="M5 21.5a11 11 0 0 1 22 0z" fill="currentColor" />
      <path
        d="M16 3.5v4M5.4 8.4l2.8 2.8M26.6 8.4l-2.8 2.8M5 26.5h22"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
