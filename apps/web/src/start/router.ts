/** The file that the router comes in, which is evaluated on its own: see `boot.ts`. */
export { RouterProvider } from '@tanstack/react-router';
