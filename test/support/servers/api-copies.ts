import ts from 'typescript';
import { PRODUCT, textOf } from '../sources/sources.ts';

export const GENERATED_TYPES = 'web/src/api/schema.ts';

/** A type with fewer members may have them in common with an object of the API by chance. */
const MEMBERS_LEAST = 3;
/** Types that are not read from the API, but typed into a form or sent: members may be blank or absent. */
const SENT = ['DraftPlan', 'SentTier'];
/** The members of a page, which is generic: one object of the API, the usage report, is a page itself. */
const OF_PAGE = ['object', 'data', 'has_more', 'next_cursor'];

/**
 * Types of the dashboard and of the command line that have an object's name, or whose members one object of the API all has: each as
 * "file: members".
 */
export function copiesOfApiObjects(): string[] {
  const objects = typesIn(GENERATED_TYPES).filter(({ members }) => members.length > 0);
  const names = new Set(objects.map(({ name }) => name).filter((name) => /^[A-Z]/.test(name)));
  const isOfOne = (members: readonly string[]) =>
    objects.some((object) => members.every((member) => object.members.includes(member)));
  const files = PRODUCT.filter((file) => /^(web\/src|cli)\//.test(file) && file !== GENERATED_TYPES);
  return files.flatMap((file) =>
    typesIn(file)
      .filter(
        ({ name, members }) => !SENT.includes(name) && !members.every((member) => OF_PAGE.includes(member)),
      )
      .filter(({ name, members }) => names.has(name) || (members.length >= MEMBERS_LEAST && isOfOne(members)))
      .map(({ members }) => `${file}: ${members.join(', ')}`),
  );
}

type WrittenType = { name: string; members: string[] };

/** Every type of a file that is written member by member; `name` is that of the alias, interface or member that it is the type of. */
function typesIn(file: string): WrittenType[] {
  const found: WrittenType[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isInterfaceDeclaration(node))
      found.push({ name: node.name.text, members: membersOf(node.members) });
    if (ts.isTypeLiteralNode(node))
      found.push({ name: nameOf(node.parent), members: membersOf(node.members) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true));
  return found;
}

function nameOf(parent: ts.Node): string {
  const is_named = ts.isTypeAliasDeclaration(parent) || ts.isPropertySignature(parent);
  return is_named && ts.isIdentifier(parent.name) ? parent.name.text : '';
}

function membersOf(members: ts.NodeArray<ts.TypeElement>): string[] {
  return members.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []));
}
