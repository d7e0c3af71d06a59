const DELIMITERS = [',', ';', '\t', '|'];

/** The sign that stands most often in the header of a CSV file, outside of quotation marks: spreadsheets write one or the other. */
export function delimiterIn(text: string): string {
  const header = /[^\r\n]+/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
}
