import '../app/mantine.css';

/** The file that Mantine comes in, which is evaluated on its own: see `boot.ts`. */
export { MantineProvider } from '@mantine/core';
