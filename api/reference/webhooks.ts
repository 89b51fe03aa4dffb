import { typesNamed } from '../../src/domain/feed/change-types.ts';
import { CHANGE_OF, ChangeType } from '../../src/objects/change.ts';
import { type Json, type JsonObject } from './json.ts';
import { schemaForReference } from './schema.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the change, the same at each try.',
  'webhook-timestamp': 'The second of the try, since 1970.',
  'webhook-signature': 'Signatures of Standard Webhooks, separated by spaces: one of them is by your secret.',
};

/**
 * The webhooks of the document: for each type the change that is posted, whose body and headers are components. Adds
 * its schemas to `schemas`.
 */
export function webhooksOf(schemas: JsonObject): {
  webhooks: JsonObject;
  parameters: JsonObject;
  requestBodies: JsonObject;
} {
  schemaForReference(ChangeType, 'response', schemas);
  const webhooks: JsonObject = {};
  const requestBodies: JsonObject = {};
  for (const [object_type, change] of Object.entries(CHANGE_OF)) {
    requestBodies[object_type] = bodyOf(schemaForReference(change, 'response', schemas));
    for (const type of typesNamed(`${object_type}.*`)) webhooks[type] = { post: postOf(type, object_type) };
  }
  const parameters = Object.entries(HEADERS).map(([name, description]) => {
    return [name, { name, in: 'header', required: true, description, schema: { type: 'string' } }];
  });
  return { webhooks, parameters: Object.fromEntries(parameters), requestBodies };
}

function bodyOf(change: Json): JsonObject {
  const timestamp = { type: 'string', description: 'The `created_at` of the change.' };
  const schema: Json = {
    allOf: [change, { type: 'object', required: ['timestamp'], properties: { timestamp } }],
  };
  return { required: true, content: { 'application/json': { schema } } };
}

function postOf(type: string, object_type: string): JsonObject {
  return {
    tags: ['Webhooks'],
    summary: type,
    parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { $ref: `#/components/requestBodies/${object_type}` },
    responses: {
      '2XX': {
        description: 'Received. Anything else is tried again, but for 410, which pauses the endpoint.',
      },
    },
  };
}
