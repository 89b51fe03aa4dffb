import type pg from 'pg';
import ts from 'typescript';
import { PRODUCT } from './sources.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;

/** A statement that asserts the type of its rows; `text` is null where it is composed at run time. */
export type TypedStatement = { place: string; text: string | null; members: readonly string[] };

/** Files whose statements name tables of Citus: a server that has it describes them. */
const OF_CITUS = ['src/db/cluster/', 'src/db/events/by-node.ts', 'src/db/events/settle.ts'];

/** Whether only a server with Citus can describe a statement. */
export function isOfCitus({ place }: TypedStatement): boolean {
  return OF_CITUS.some((file) => place.startsWith(file));
}

/** Every `query<Row>(text)` of src/db, with the names of Row's members that are never left out. */
export function typedStatements(): TypedStatement[] {
  const files = PRODUCT.filter((file) => file.startsWith('src/db/'));
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, files }, ts.sys, ROOT);
  const program = ts.createProgram(
    files.map((file) => ROOT + file),
    options,
  );
  const checker = program.getTypeChecker();
  return files.flatMap((file) => {
    const source = program.getSourceFile(ROOT + file)!;
    const found: TypedStatement[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isTypedQuery(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        const members = checker.getTypeFromTypeNode(node.typeArguments![0]!).getProperties();
        found.push({
          place: `${file}:${line + 1}`,
          text: textOf(node.arguments[0]!, checker),
          members: members.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional)).map(({ name }) => name),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function isTypedQuery({ expression, typeArguments }: ts.CallExpression): boolean {
  return (
    typeArguments?.length === 1 &&
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'query'
  );
}

/** The value of an expression that is made of literals and constants alone, in whatever file these stand. */
function textOf(node: ts.Expression, checker: ts.TypeChecker): string | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textOf(node.expression, checker);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const text = textOf(expression, checker);
      return text === null ? null : text + literal.text;
    });
    return parts.includes(null) ? null : node.head.text + parts.join('');
  }
  if (!ts.isIdentifier(node)) return null;
  const declaration = declarationOf(node, checker);
  if (declaration === null || !ts.isVariableDeclaration(declaration)) return null;
  const is_constant = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  return is_constant && declaration.initializer !== undefined
    ? textOf(declaration.initializer, checker)
    : null;
}

function declarationOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Declaration | null {
  const symbol = checker.getSymbolAtLocation(node);
  if (symbol === undefined) return null;
  const named = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return named.valueDeclaration ?? null;
}

/** Column names of a statement's result: Postgres parses and describes it, but does not run it. Rejects with the error of Postgres. */
function columnsOf(client: pg.Client, text: string): Promise<string[]> {
  let columns: string[] = [];
  return new Promise((resolve, reject) => {
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
        return null;
      },
      handleRowDescription({ fields }: { fields: { name: string }[] }) {
        columns = fields.map(({ name }) => name);
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    } as pg.Submittable);
  });
}

/** The statements that Postgres does not parse, or that do not return the columns which their types name. */
export async function wrongStatements(
  client: pg.Client,
  statements: readonly TypedStatement[],
): Promise<object[]> {
  const wrong: object[] = [];
  for (const { place, text, members } of statements) {
    if (text === null) continue;
    const columns = await columnsOf(client, text).catch((error: Error) => [error.message]);
    const missing = members.filter((name) => !columns.includes(name));
    if (missing.length > 0) wrong.push({ place, columns, missing });
  }
  return wrong;
}
