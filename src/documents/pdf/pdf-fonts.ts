import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { layoutOf, type Layout } from './pdf-shaping.ts';

export type Weight = 'regular' | 'bold';
/**
 * A parsed font, its name in a PDF document and the bytes of its file. `font` is only for lookups: each document parses
 * its own copy, because a font loses the letter of a glyph once another document has embedded the glyph as part of an
 * accented letter. `layout` replaces that of fontkit; null where fontkit's is right.
 */
export type NamedFont = { name: string; font: Font; bytes: Buffer; layout: Layout | null };

/** Scripts with a font of their own, whose vowels and stacked letters only HarfBuzz places. */
const SCRIPTS = [
  { letters: /\p{Script_Extensions=Thai}/u, name: 'Thai' },
  { letters: /\p{Script_Extensions=Bengali}/u, name: 'Bengali' },
  { letters: /\p{Script_Extensions=Myanmar}/u, name: 'Myanmar' },
  { letters: /\p{Script_Extensions=Khmer}/u, name: 'Khmer' },
  { letters: /\p{Script_Extensions=Ethiopic}/u, name: 'Ethiopic' },
] as const;
const WEIGHTS: Record<Weight, string> = { regular: '400Regular', bold: '700Bold' };

/**
 * Fonts for Chinese and Japanese, and for Korean. Because they are large, their packages are optional and have only one
 * weight.
 */
const EAST_ASIAN = [
  ['@embedpdf/fonts-sc', 'NotoSansHans-Regular.otf'],
  ['@embedpdf/fonts-kr', 'NotoSansKR-Regular.otf'],
] as const;

const { resolve } = createRequire(import.meta.url);
const opened = new Map<string, NamedFont>();
/** The folder is resolved once: resolving the package for each word would take longer than setting the word. */
const MAIN_FOLDER = join(dirname(resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const MAIN: Record<Weight, string> = {
  regular: join(MAIN_FOLDER, 'DejaVuSansCondensed.ttf'),
  bold: join(MAIN_FOLDER, 'DejaVuSansCondensed-Bold.ttf'),
};
const EAST_ASIAN_PATHS = EAST_ASIAN.flatMap(([name, file]) => {
  const entry = findPackage(name);
  return entry === null ? [] : [join(dirname(entry), '..', 'fonts', file)];
});

/**
 * The font for Latin, Greek, Cyrillic, Hebrew, Arabic and currency signs, and for the substitute of characters that no
 * font has.
 */
export function mainFont(weight: Weight): NamedFont {
  return openFont(MAIN[weight]);
}

/** The first font with a glyph for every code point of a grapheme; null if there is none. */
export function fontOf(character: string, weight: Weight): NamedFont | null {
  const main = mainFont(weight);
  if (hasAll(main, character)) return main;
  const script = SCRIPTS.find(({ letters }) => letters.test(character));
  if (script !== undefined) {
    const font = scriptFont(script.name, weight);
    if (hasAll(font, character)) return font;
  }
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

/**
 * Whether fontkit reverses a text when it shapes it, digits included: the script of the first character with a script
 * decides.
 */
export function isReversedByFont(text: string): boolean {
  return LEFTWARD_SCRIPT.test(OF_A_SCRIPT.exec(text)?.[0] ?? '');
}

const script_fonts = new Map<string, NamedFont>();

function scriptFont(name: string, weight: Weight): NamedFont {
  const key = `${name} ${weight}`;
  let script_font = script_fonts.get(key);
  if (script_font === undefined) {
    const file = `${WEIGHTS[weight]}/NotoSans${name}_${WEIGHTS[weight]}.ttf`;
    const opened_font = openFont(resolve(`@expo-google-fonts/noto-sans-${name.toLowerCase()}/${file}`));
    script_font = { ...opened_font, layout: layoutOf(opened_font.font, opened_font.bytes) };
    script_fonts.set(key, script_font);
  }
  return script_font;
}

function hasAll({ font }: NamedFont, character: string): boolean {
  return Array.from(character).every((part) => font.hasGlyphForCodePoint(part.codePointAt(0)!));
}

/** Parses a font file at first use, once for each process. */
function openFont(path: string): NamedFont {
  let font = opened.get(path);
  if (font === undefined) {
    const bytes = readFileSync(path);
    font = { name: path, font: create(bytes), bytes, layout: null };
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
