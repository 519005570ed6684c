/** The plainest possible reader of delimiter-separated text, over one string; the yardstick for the streaming one. */
export function naiveCsv(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  let started = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charAt(i);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(i + 1) === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
      continue;
    }
    if (character === '"' && cell === '' && !started) {
      quoted = true;
      started = true;
    } else if (character === delimiter) {
      row.push(cell);
      cell = '';
      started = false;
    } else if (character === '\n' || character === '\r') {
      if (character === '\r' && text.charAt(i + 1) === '\n') i += 1;
      if (row.length > 0 || cell !== '' || started) rows.push([...row, cell]);
      row = [];
      cell = '';
      started = false;
    } else {
      cell += character;
      started = true;
    }
  }
  if (row.length > 0 || cell !== '' || started) rows.push([...row, cell]);
  return rows;
}
