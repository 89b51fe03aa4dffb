import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';
/**
 * A font, what a PDF document calls it, and its file. `font` is for questions: each document opens one of its own, because a font
 * forgets which letter a glyph stands for once another document has embedded it as a part of one with an accent.
 */
export type NamedFont = { name: string; font: Font; bytes: Buffer };

/** Chinese with Japanese, and Korean. They are large, so their packages are optional, and of one weight. */
const EAST_ASIAN = [
  ['@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'],
  ['@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'],
] as const;

const { resolve } = createRequire(import.meta.url);
const opened = new Map<string, NamedFont>();
/** Where the files are: to look for a package again for every word takes longer than to set it. */
const MAIN_FOLDER = join(dirname(resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const MAIN: Record<Weight, string> = {
  regular: join(MAIN_FOLDER, 'DejaVuSansCondensed.ttf'),
  bold: join(MAIN_FOLDER, 'DejaVuSansCondensed-Bold.ttf'),
};
const EAST_ASIAN_PATHS = EAST_ASIAN.flatMap(([name, file]) => {
  const entry = findPackage(name);
  return entry === null ? [] : [join(dirname(entry), '..', 'fonts', file)];
});

/** The font of Latin, Greek, Cyrillic, Hebrew, Arabic, signs of currencies, and of the substitute for all that no font has. */
export function mainFont(weight: Weight): NamedFont {
  return openFont(MAIN[weight]);
}

/** The first font that has every part of a character as a reader sees it; null where there is none. */
export function fontOf(character: string, weight: Weight): NamedFont | null {
  const main = mainFont(weight);
  if (hasAll(main, character)) return main;
  for (const path of EAST_ASIAN_PATHS) {
    const font = openFont(path);
    if (hasAll(font, character)) return font;
  }
  return null;
}

const OF_A_SCRIPT =
  /[\p{Script=Arabic}\u0660-\u0669]|[^\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]/u;
const LEFTWARD_SCRIPT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u0660-\u0669]/u;

/** Whether a font turns a text around when it shapes it, digits included: it goes by the script of the first character that has one. */
export function isTurnedByFont(text: string): boolean {
  return LEFTWARD_SCRIPT.test(OF_A_SCRIPT.exec(text)?.[0] ?? '');
}

function hasAll({ font }: NamedFont, character: string): boolean {
  return Array.from(character).every((part) => font.hasGlyphForCodePoint(part.codePointAt(0)!));
}

/** Read once a process, when the first text needs it. */
function openFont(path: string): NamedFont {
  let font = opened.get(path);
  if (font === undefined) {
    const bytes = readFileSync(path);
    font = { name: path, font: create(bytes), bytes };
    opened.set(path, font);
  }
  return font;
}

function findPackage(name: string): string | null {
  try {
    return resolve(name);
  } catch {
    return null;
  }
}
