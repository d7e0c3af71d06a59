import { expect, type Page } from '@playwright/test';

/** Presses Tab, or with `back` Shift and Tab, until something with that name has the focus, which shows all the way. */
export async function tabTo(page: Page, name: RegExp, { back = false } = {}): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    const { name: focused } = await focusOf(page);
    passed.push(focused.slice(0, 40));
    // What comes into sight for it may be on its way.
    await expect.soft
      .poll(async () => (await focusOf(page)).isVisible, {
        message: `${focused} shows the focus`,
        timeout: 2000,
      })
      .toBe(true);
    if (name.test(focused)) return;
  }
  throw new Error(`Tab reaches no ${name}, only ${passed.join(', ')}.`);
}

/** Something has the focus: a key that is pressed now reaches what one would expect. */
export async function expectFocusKept(page: Page, name = /./): Promise<void> {
  await expect.poll(async () => (await focusOf(page)).name).toMatch(name);
}

interface Focused {
  /** Empty when nothing has the focus. */
  name: string;
  /** It is on the screen and has a ring; also when nothing has the focus, as between the last element and the first. */
  isVisible: boolean;
}

function focusOf(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    if (!element || element === document.body) return { name: '', isVisible: true };
    const labels = [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent);
    const name = element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent);
    // A switch or a box to tick is drawn by what stands beside the real one.
    const drawn = [element, element.nextElementSibling, element.parentElement].filter((one) => one !== null);
    // A link that a whole card leads along has its ring around the card.
    const styles = [...drawn.map((one) => getComputedStyle(one)), getComputedStyle(element, '::after')];
    const hasRing = styles.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && outlineWidth !== '0px') || /inset|0px 0px 0px [1-9]/.test(boxShadow),
    );
    const { top, bottom, left, right } = (
      drawn.find((one) => one.clientWidth > 1) ?? element
    ).getBoundingClientRect();
    const isOnScreen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return { name: name?.trim() || element.tagName, isVisible: hasRing && isOnScreen };
  });
}
