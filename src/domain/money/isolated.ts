const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LEFTWARD = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Isolates a name for use in a sentence: a name with right-to-left letters is enclosed in marks (first strong isolate,
 * UAX 9), so that the words and numbers after it keep their order. Removes direction marks from the name itself.
 */
export function isolated(name: string): string {
  const plain = name.replaceAll(CONTROLS, '');
  return LEFTWARD.test(plain) ? `\u2068${plain}\u2069` : plain;
}
