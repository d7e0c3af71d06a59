/** Around what is drawn, px. */
const EDGE = 16;
/** Nothing moves or scrolls in a picture. */
const STILL = '*{animation:none!important;transition:none!important;scrollbar-width:none!important}';

/**
 * A piece of the page as a picture, below its title: its elements with the styles of the page in an SVG, which the browser
 * draws. Canvases and pictures in it are drawn as they are now. Null where the browser cannot.
 */
export async function elementToPicture(element: HTMLElement, title: string): Promise<Blob | null> {
  const { width, height } = element.getBoundingClientRect();
  const whole = { width: width + 2 * EDGE, height: height + 2 * EDGE + 28 };
  const copy = element.cloneNode(true) as HTMLElement;
  copy.style.cssText += `;width:${width}px;height:${height}px;box-sizing:border-box`;
  await drawnAsPictures(element, copy);
  const page = document.createElement('div');
  const heading = document.createElement('div');
  heading.textContent = title;
  heading.style.cssText = 'font-weight:600;font-size:14px;height:28px';
  page.append(heading, copy);
  const { fontSize, lineHeight, color } = getComputedStyle(element);
  page.style.cssText = `padding:${EDGE}px;background:var(--al-surface);color:${color};font-family:var(--mantine-font-family);font-size:${fontSize};line-height:${lineHeight};box-sizing:border-box;width:${whole.width}px;height:${whole.height}px`;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', String(whole.width));
  svg.setAttribute('height', String(whole.height));
  // The root of the drawing stands for the root of the page, with its theme.
  for (const { name, value } of document.documentElement.attributes) svg.setAttribute(name, value);
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = `${await stylesOfPage()}${STILL}`;
  const foreign = document.createElementNS('http://www.w3.org/2000/svg', 'foreignObject');
  foreign.setAttribute('width', '100%');
  foreign.setAttribute('height', '100%');
  foreign.append(page);
  svg.append(style, foreign);
  const drawing = new Image();
  drawing.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await drawing.decode();
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = whole.width * ratio;
  canvas.height = whole.height * ratio;
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.scale(ratio, ratio);
  context.drawImage(drawing, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** A drawing loads nothing by itself: what is drawn or loaded here stands in it as data. */
async function drawnAsPictures(element: HTMLElement, copy: HTMLElement): Promise<void> {
  const here = [...element.querySelectorAll<HTMLCanvasElement | HTMLImageElement>('canvas, img')];
  const there = [...copy.querySelectorAll<HTMLElement>('canvas, img')];
  for (const [at, one] of here.entries()) {
    const picture = document.createElement('img');
    picture.className = one.className;
    const { width, height } = one.getBoundingClientRect();
    picture.style.cssText = `${one.style.cssText};width:${width}px;height:${height}px`;
    picture.src = dataOf(one);
    there[at]?.replaceWith(picture);
  }
}

function dataOf(one: HTMLCanvasElement | HTMLImageElement): string {
  if (one instanceof HTMLCanvasElement) return one.toDataURL('image/png');
  if (one.src.startsWith('data:')) return one.src;
  const canvas = document.createElement('canvas');
  const { width, height } = one.getBoundingClientRect();
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(one, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png');
}

/** The rules of the page; of its fonts those for Latin letters, as data. */
async function stylesOfPage(): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].map((rule) => ({ rule, base: sheet.href ?? document.baseURI })),
  );
  const texts = await Promise.all(
    rules.map(({ rule, base }) => (rule instanceof CSSFontFaceRule ? fontOf(rule, base) : rule.cssText)),
  );
  return texts.join('\n');
}

async function fontOf({ cssText }: CSSFontFaceRule, base: string): Promise<string> {
  const address = /url\("?([^")]+)"?\)/.exec(cssText)?.[1];
  if (!address || !/unicode-range: u\+0/i.test(cssText)) return '';
  try {
    const response = await fetch(new URL(address, base));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    return cssText.replace(/src: [^;]+;/, `src: url("data:font/woff2;base64,${data}") format("woff2");`);
  } catch {
    // Without it the picture has a font of the browser.
    return '';
  }
}
