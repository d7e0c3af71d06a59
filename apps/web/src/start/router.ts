export { RouterProvider } from '@tanstack/react-router';
