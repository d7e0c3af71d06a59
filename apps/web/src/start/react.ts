/** The file that React comes in, which is evaluated on its own: see `boot.ts`. */
export { createRoot } from 'react-dom/client';
