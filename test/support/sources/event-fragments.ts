import ts from 'typescript';
import { PRODUCT, textOf } from './sources.ts';

/** A template of src/db that names events: its literal texts in their order, between which other SQL is put. */
export type Fragment = { file: string; line: number; texts: readonly string[] };

/** The templates of src/db whose literal texts match the pattern. */
export function fragmentsThat(names_events: RegExp): Fragment[] {
  return PRODUCT.filter((file) => file.startsWith('src/db/')).flatMap((file) => {
    const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
    const found: Fragment[] = [];
    const visit = (node: ts.Node): void => {
      const texts = textsOf(node);
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (texts.some((text) => names_events.test(text))) found.push({ file, line: line + 1, texts });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function textsOf(node: ts.Node): string[] {
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  return ts.isStringLiteralLike(node) ? [node.text] : [];
}

/** The length of its texts. */
export function sizeOf({ texts }: Fragment): number {
  return texts.join('').length;
}

/** True if the texts of the fragment are in the statement, one after the other. */
export function isIn(statement: string, { texts }: Fragment): boolean {
  let from = 0;
  return texts.every((text) => {
    const at = statement.indexOf(text, from);
    from = at + text.length;
    return at >= 0;
  });
}
