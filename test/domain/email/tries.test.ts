import assert from 'node:assert/strict';
import { messageIdOf, reasonOf } from '../../../src/domain/email/message-id.ts';
import { nextTryAt } from '../../../src/domain/email/tries.ts';

describe('the tries of an email', () => {
  it('come 1, 5 and 30 minutes and 2 hours after a failure, then each 6 hours, until 72 hours', () => {
    const first_tried_at = '2026-03-01T00:00:00.000Z';
    const tries: string[] = [];
    for (let at: string | null = first_tried_at; at !== null;)
      at = nextTryAt({ first_tried_at, ended_at: at, failures: tries.push(at) });
    assert.deepEqual(tries, [
      ...['2026-03-01T00:00:00.000Z', '2026-03-01T00:01:00.000Z', '2026-03-01T00:06:00.000Z'],
      ...['2026-03-01T00:36:00.000Z', '2026-03-01T02:36:00.000Z', '2026-03-01T08:36:00.000Z'],
      ...['2026-03-01T14:36:00.000Z', '2026-03-01T20:36:00.000Z', '2026-03-02T02:36:00.000Z'],
      ...['2026-03-02T08:36:00.000Z', '2026-03-02T14:36:00.000Z', '2026-03-02T20:36:00.000Z'],
      ...['2026-03-03T02:36:00.000Z', '2026-03-03T08:36:00.000Z', '2026-03-03T14:36:00.000Z'],
      ...['2026-03-03T20:36:00.000Z', '2026-03-04T00:00:00.000Z'],
    ]);
  });
});

describe('the Message-ID', () => {
  it('is made of the reason and the host of the sender', () => {
    assert.equal(
      messageIdOf(reasonOf('invoice', 'inv_01m7'), 'billing@acme.com'),
      '<invoice.inv_01m7@acme.com>',
    );
    const again = reasonOf('invoice', 'inv_01m7', 2);
    assert.equal(messageIdOf(again, 'Acme <billing@acme.com>'), '<invoice.inv_01m7.2@acme.com>');
  });
});
