import openapiTS, { astToString } from 'openapi-typescript';
import { dashboardRoutesBeside } from '../../../api/dashboard/routes.ts';
import { openApiOf } from '../../../api/reference/openapi.ts';
import { routes } from '../../../api/routes.ts';
import type { Json } from '../servers/api.ts';

const MADE_BY = 'test/api/http/openapi.test.ts writes this file anew';

/** The schemas of the public reference, and of them with those of the dashboard's own routes. */
export const PUBLIC_SCHEMAS = schemasOf(openApiOf(routes));
export const ALL_SCHEMAS = schemasOf(openApiOf([...routes, ...dashboardRoutesBeside(routes)]));

function schemasOf(document: object): Json {
  return JSON.parse(JSON.stringify(document)).components.schemas;
}

/** The file web/src/api/schema.ts: a TypeScript type of each schema. Paths are left out, because the dashboard only uses objects. */
export async function dashboardTypes(): Promise<string> {
  const document = { openapi: '3.1.0', info: { title: 'Tidemark', version: '1' }, paths: {} };
  return typesOf(
    `Objects of /v1 and of /dashboard/api, generated from the schemas of their routes: ${MADE_BY}.`,
    { ...document, components: { schemas: ALL_SCHEMAS } },
  );
}

/** The file sdk/typescript/src/schema.ts: the types of every path of the public reference, and of its schemas. */
export async function clientTypes(): Promise<string> {
  // The client receives webhooks by the schema of a change alone.
  const { webhooks: _, ...document }: Json = JSON.parse(JSON.stringify(openApiOf(routes)));
  delete document.components.requestBodies;
  delete document.components.parameters;
  return typesOf(`Requests and objects of /v1, generated from docs/openapi.json: ${MADE_BY}.`, document);
}

async function typesOf(about: string, document: Json): Promise<string> {
  return `/** ${about} */\n${astToString(await openapiTS(document, { silent: true }))}`;
}
