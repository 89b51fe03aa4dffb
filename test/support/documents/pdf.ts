import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { useCommand } from '../servers/debian.ts';

/** Requires pdftotext within a describe. */
export function usePoppler(): void {
  useCommand('pdftotext', 'poppler-utils');
}

/** Text of a PDF by page and line; a gap of several spaces within a line becomes ` | `. */
export async function pagesOf(pdf: Uint8Array): Promise<string[][]> {
  const pages = (await poppler('pdftotext', ['-layout'], pdf)).split('\f').slice(0, -1);
  return pages.map((page) =>
    page
      .split('\n')
      .map((line) => line.trim().replaceAll(/ {2,}/g, ' | '))
      .filter((line) => line !== ''),
  );
}

/** Position of a word on its page, in points. */
export type Word = { page: number; left: number; right: number; top: number; bottom: number; word: string };

/** Every word of a PDF with its position. */
export async function wordsOf(pdf: Uint8Array): Promise<Word[]> {
  const pages = (await poppler('pdftotext', ['-bbox'], pdf)).split('<page ').slice(1);
  return pages.flatMap((page, index) =>
    [...page.matchAll(/<word xMin="(.+)" yMin="(.+)" xMax="(.+)" yMax="(.+)">(.*)<\/word>/g)].map(
      ([, left, top, right, bottom, word]) => ({
        page: index,
        ...{ left: Number(left), right: Number(right), top: Number(top), bottom: Number(bottom) },
        word: word!,
      }),
    ),
  );
}

/** The tagged structure that a screen reader gets, one part per entry with its kind: `P: Billed to`. */
export async function partsOf(pdf: Uint8Array): Promise<string[]> {
  const told = await poppler('pdfinfo', ['-struct-text'], pdf);
  return [...told.matchAll(/^ *(\w+)(?: \(block\))?\n((?: +".*"\n)+)/gm)].map(
    ([, kind, texts]) => `${kind}: ${texts!.replaceAll(/^ +"|"$/gm, '').trim()}`,
  );
}

/** The color of each point of the first page, by its distance from the left and the top: `#1f5fa8`. */
export async function colorsOf(pdf: Uint8Array): Promise<(left: number, top: number) => string> {
  const image = await poppler('pdftoppm', ['-r', '72', '-singlefile'], pdf, 'latin1');
  const [head = '', width = ''] = /^P6\s(\d+)\s\d+\s255\s/.exec(image) ?? [];
  const points = Buffer.from(image.slice(head.length), 'latin1');
  return (left, top) => {
    const at = (Math.floor(top) * Number(width) + Math.floor(left)) * 3;
    return `#${points.toString('hex', at, at + 3)}`;
  };
}

async function poppler(
  command: 'pdftotext' | 'pdfinfo' | 'pdftoppm',
  options: readonly string[],
  pdf: Uint8Array,
  encoding: BufferEncoding = 'utf8',
): Promise<string> {
  const output = command === 'pdftotext' ? ['-'] : [];
  const child = spawn(command, [...options, '-', ...output], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.end(pdf);
  const said = (await buffer(child.stdout)).toString(encoding);
  const [code, signal] = (await ended) as [number | null, string | null];
  if (code !== 0) throw new Error(`${command} of ${pdf.length} bytes ended with ${code ?? signal}`);
  return said;
}
