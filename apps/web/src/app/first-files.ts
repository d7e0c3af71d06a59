/** Has the browser fetch the files of the screen at this address, as index.html lists them (`screen-files.ts`), beside those of the app. */
export function fetchScreen(path: string): void {
  const list = document.getElementById('screen-files')?.textContent;
  if (!list) return;
  const screens = Object.entries(JSON.parse(list) as Record<string, string[]>);
  for (const file of screens.find(([beginning]) => path.startsWith(beginning))?.[1] ?? []) {
    const link = document.createElement('link');
    const isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    // As the app asks for them later: what is fetched otherwise would be fetched twice.
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}
