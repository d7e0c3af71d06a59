import { createContext, type ReactNode, useContext, useState } from 'react';
import classes from './time-range-picker.module.css';

const Room = createContext<HTMLElement | null>(null);

/** The place in which a page has its time picker open; null where it has none, and the picker lies over the page. */
export const useTimeRangeRoom = (): HTMLElement | null => useContext(Room);

/** Tools with a time picker that opens between them and what they are about, so that it covers nothing. */
export function TimeRangeRoom({ tools }: { tools: ReactNode }) {
  const [room, setRoom] = useState<HTMLElement | null>(null);
  return (
    <>
      <Room value={room}>{tools}</Room>
      <div ref={setRoom} className={classes.room} />
    </>
  );
}
