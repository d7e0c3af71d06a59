import { createContext, type ReactNode } from 'react';

/** What stands before the menu of every chart in it, such as a link to where more is told. */
export const ChartTools = createContext<ReactNode>(null);
