import { useCallback } from 'react';

/**
 * A ref for what scrolls sideways: `data-more` on its parent says at which ends there is more, `left`, `right` or both, and
 * the style sheet shows it. Set for the style sheet alone: rendering for it would cost a frame of every scroll.
 */
export function useEdges<E extends HTMLElement>(): (element: E | null) => (() => void) | undefined {
  return useCallback((element: E | null) => {
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const mark = () => {
      const leftPx = element.scrollLeft;
      const rightPx = element.scrollWidth - element.clientWidth - leftPx;
      const ends = [leftPx > 1 ? 'left' : '', rightPx > 1 ? 'right' : ''].filter(Boolean).join(' ');
      if (ends === (frame.dataset.more ?? '')) return;
      if (ends === '') delete frame.dataset.more;
      else frame.dataset.more = ends;
    };
    const sizes = new ResizeObserver(mark);
    const observe = () => {
      sizes.disconnect();
      // Each is told of once as soon as it is observed, in the frame's own layout: measuring at once would ask for another.
      for (const one of [element, ...element.children]) sizes.observe(one);
    };
    const contents = new MutationObserver(observe);
    contents.observe(element, { childList: true });
    observe();
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      element.removeEventListener('scroll', mark);
      contents.disconnect();
      sizes.disconnect();
      delete frame.dataset.more;
    };
  }, []);
}
