import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { routes } from '../../../api/routes.ts';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';
import { reference } from '../../support/sources/shown-examples.ts';
import { STORY, storyOn } from '../../support/sources/story.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

describe('the examples of the reference', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const { shown, exampleMatcher, tell } = storyOn(stack, stripe);
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(reference, 'reference');

  it('exist for every operation, and the story sends each of them', () => {
    const with_example = new Set([...shown.keys()].map((name) => name.split(':')[0]));
    // A response with another media type, a PDF, has no text for the reference.
    const with_text = routes.filter(({ media_type }) => media_type === undefined);
    const names = with_text.map(({ operation_id }) => operation_id);
    assert.deepEqual(
      names.filter((name) => !with_example.has(name)),
      [],
    );
    const unsent = [...shown.keys()].filter((name) => !STORY.includes(name));
    assert.deepEqual(unsent, [], 'add these examples to CHAPTERS in test/support/sources/chapters.ts');
    assert.deepEqual(STORY.toSorted(), [...shown.keys()].toSorted());
  });

  for (const name of STORY) {
    it(name, async () => {
      const { status, answer, place, response } = shown.get(name)!;
      const received = await tell(name);
      assert.equal(received.status, status, JSON.stringify(received.body));
      exampleMatcher.assertLike(answer, received.body);
      const validate = ajv.compile({ $ref: `reference${place}` });
      for (const body of [received.body, answer]) assert.ok(validate(body), ajv.errorsText(validate.errors));
      for (const header of requiredHeaders(response)) assert.ok(received.headers.has(header), header);
    });
  }

  it('leave one entry in the audit log for what a request does to an object', async () => {
    const { rows } = await stack().pool.query(
      `select request_id, object_id, array_agg(action order by id) as actions from audit_log
       where request_id is not null
       group by request_id, environment_id, object_id, split_part(action, '.', 1)`,
    );
    assert.ok(rows.length > 20, `${rows.length}`);
    assert.deepEqual(
      rows.filter(({ actions }) => actions.length > 1),
      [],
    );
  });

  function requiredHeaders({ headers }: Json): string[] {
    return Object.keys(headers).filter((name) => reference.components.headers[name].required === true);
  }
});
