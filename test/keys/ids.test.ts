import assert from 'node:assert/strict';
import { TypeID } from 'typeid-js';
import { newRequestId } from '../../src/keys/ids.ts';

describe('ids of requests', () => {
  it('are TypeIDs of UUIDs of version 7, which hold the millisecond', () => {
    const from = Date.now();
    const id = newRequestId();
    const uuid = TypeID.fromString(id, 'req').toUUID();
    assert.match(uuid, /^.{14}7.{4}[89ab]/);
    const ms = parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
    assert.ok(ms >= from && ms <= Date.now(), `${ms}`);
  });

  it('are never the same', () => {
    const ids = Array.from({ length: 5000 }, newRequestId);
    assert.equal(new Set(ids).size, ids.length);
  });
});
