import { useResizeObserver } from '@mantine/hooks';

/** Room inside of the padding of an element, px; zero before it is known. Observers of sizes count the padding too. */
export function useContentSize() {
  const [ref, { left, right, top, bottom }] = useResizeObserver<HTMLDivElement>();
  return { ref, width: right - left, height: bottom - top };
}
