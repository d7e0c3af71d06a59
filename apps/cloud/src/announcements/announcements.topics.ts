import { topic } from '../bus/topic.ts';

/** What is announced is something else now. */
export const announcementsChanged = topic<null>('announcements:changed', { reach: 'process' });
