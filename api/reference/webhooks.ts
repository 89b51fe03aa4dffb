import { typesNamed } from '../../src/domain/change-types.ts';
import { CHANGE_OF, ChangeType } from '../../src/objects/change.ts';
import { type Json, type JsonObject } from './json.ts';
import { schemaForReference } from './schema.ts';

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the change, the same at each try.',
  'webhook-timestamp': 'The second of the try, since 1970.',
  'webhook-signature': 'Signatures of Standard Webhooks, separated by spaces: one of them is by your secret.',
};

/** The webhooks of the document: of each type the change that is posted. Adds its schemas to `schemas`; the items belong to the components. */
export function webhooksOf(schemas: JsonObject): { webhooks: JsonObject; items: JsonObject } {
  schemaForReference(ChangeType, 'response', schemas);
  const webhooks: JsonObject = {};
  const items: JsonObject = {};
  for (const [object_type, change] of Object.entries(CHANGE_OF)) {
    const name = `${object_type}_change`;
    items[name] = { post: postOf(object_type, schemaForReference(change, 'response', schemas)) };
    for (const type of typesNamed(`${object_type}.*`))
      webhooks[type] = { $ref: `#/components/pathItems/${name}` };
  }
  return { webhooks, items };
}

function postOf(object_type: string, change: Json): JsonObject {
  const timestamp = { type: 'string', description: 'The `created_at` of the change.' };
  const schema: Json = {
    allOf: [change, { type: 'object', required: ['timestamp'], properties: { timestamp } }],
  };
  return {
    tags: ['Webhooks'],
    summary: `A change of the kind ${object_type}`,
    parameters: Object.entries(HEADERS).map(([name, description]) => {
      return { name, in: 'header', required: true, description, schema: { type: 'string' } };
    }),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': {
        description: 'Received. Anything else is tried again, but for 410, which pauses the endpoint.',
      },
    },
  };
}
