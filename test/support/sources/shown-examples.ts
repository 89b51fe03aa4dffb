import { openApiOf } from '../../../api/reference/openapi.ts';
import { routes } from '../../../api/routes.ts';
import type { Json } from '../servers/api.ts';

/** The OpenAPI document as clients get it. */
export const reference: Json = JSON.parse(JSON.stringify(openApiOf(routes)));

type Shown = {
  method: string;
  path: string;
  body?: Json;
  status: number;
  answer: Json;
  response: Json;
  place: string;
};

/** Every example of the document, by operation and name. The request and the response of one example have the same name. */
export function shownExamples(): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const [template, operations] of Object.entries<Json>(reference.paths)) {
    for (const [method, operation] of Object.entries<Json>(operations)) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const pointer = `#/paths/${template.replaceAll('/', '~1')}/${method}/responses/${status}/content/application~1json/schema`;
        const examples = response.content?.['application/json']?.examples ?? {};
        for (const [name, { value }] of Object.entries<Json>(examples)) {
          const body = operation.requestBody?.content['application/json'].examples?.[name]?.value;
          const path = pathOf(template, operation.parameters ?? [], name);
          const example = { method: method.toUpperCase(), path, body, status: Number(status), answer: value };
          shown.set(`${operation.operationId}: ${name}`, { ...example, response, place: pointer });
        }
      }
    }
  }
  return shown;
}

function pathOf(template: string, parameters: readonly Json[], name: string): string {
  let path = template;
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const value = parameter.examples?.[name]?.value;
    if (value === undefined) continue;
    if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, value);
    else query.set(parameter.name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
