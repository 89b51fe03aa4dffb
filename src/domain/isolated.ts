const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LEFTWARD = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A name as a sentence holds it: one with letters that run to the left stands between marks (first strong isolate, UAX 9), so that
 * the words and numbers after it stay in their places; marks of its own are left out.
 */
export function isolated(name: string): string {
  const plain = name.replaceAll(CONTROLS, '');
  return LEFTWARD.test(plain) ? `\u2068${plain}\u2069` : plain;
}
